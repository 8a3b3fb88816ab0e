// What the protocol's error codes mean, in words. Codes that no person can bring about have the last sentence.

import { _, N_ } from './words.js';

const sentences = {
  // of the rules
  not_your_turn: N_('It is not your turn.'),
  wrong_step: N_('That is not what the race waits for now.'),
  race_over: N_('The race is over.'),
  no_such_gear: N_('There are four gears.'),
  shift_too_far: N_('The gear can be shifted by one, or by two for 1 Heat: not by three.'),
  shift_unpaid: N_('Shifting by two costs 1 Heat, and your engine is empty.'),
  not_in_hand: N_('You do not have these cards.'),
  heat_not_playable: N_('Heat cards cannot be played while your hand has enough other cards for the gear.'),
  clutter_incomplete: N_('With too few playable cards, all of them must be played.'),
  too_early_to_retire: N_('You may retire once another car has finished.'),
  nothing_planned: N_('There is no plan to take back.'),
  no_cooldown: N_('This gear gives no cooldown, or it is used.'),
  cools_too_much: N_('That is more than the cooldown allows.'),
  no_heat_in_hand: N_('You do not hold that many Heat cards.'),
  no_adrenaline: N_('Only the last cars have adrenaline.'),
  adrenaline_used: N_('This part of the adrenaline is used.'),
  adrenaline_stuck: N_('The space ahead is full: adrenaline would not move the car.'),
  boost_used: N_('The boost is used for this turn.'),
  boost_unpaid: N_('A boost costs 1 Heat, and your engine is empty.'),
  discard_not_in_hand: N_('You do not have these cards.'),
  not_discardable: N_('Heat and stress cards cannot be discarded.'),
  not_an_act: N_('The number of cards does not fit the gear.'),
  // of the table
  seat_taken: N_('Somebody sits there already.'),
  seat_kept: N_('That seat is kept for somebody.'),
  not_seated: N_('Nobody sits there.'),
  bad_name: N_('That name is too long, or has signs that cannot be shown.'),
  bad_colour: N_('There is no such colour.'),
  colour_taken: N_('Somebody has that colour already.'),
  not_now: N_('That is not possible now.'),
  old: N_('The race has moved on meanwhile.'),
  bot_drives: N_('A bot drives for you. Take the wheel first.'),
  bot_does_not: N_('You have the wheel.'),
  not_awaited: N_('Nobody waits for that car, or not for long enough.'),
  // of the server
  no_such_table: N_('There is no such race. It may have been closed.'),
  no_such_seat: N_('There is no such seat.'),
  no_token: N_('This needs a seat.'),
  wrong_token: N_('This seat belongs to somebody else now.'),
  wrong_origin: N_('This page does not belong to the server that it talks to.'),
  too_fast: N_('That was too fast; please wait a moment.'),
  too_many: N_('There are too many connections from here.'),
  too_large: N_('That is too large.'),
  full: N_('The server is full. Please try again later.'),
  stopping: N_('The server is about to stop; the race goes on when it is back.'),
  not_stored: N_('This could not be written to the disk, and so it did not happen.'),
  offline: N_('Nobody answers. Is the network there?'),
};

export const explain = (code) => _(sentences[code] ?? N_('Something went wrong. Please try again.'));

/* ---- What is wrong with a race file ------------------------------------------------------------------------ */

const faults = {
  not_text: N_('Line {line} is not text.'),
  line_too_long: N_('Line {line} is too long.'),
  version: N_('The file was made for another version of the game, and cannot be played here.'),
  other_figures: N_('Line {line}: the circuit of this name has other figures here.'),
  commitment: N_('Line {line}: this is not what the commitment was made for. The shuffle may have been exchanged.'),
  commitment_shown: N_('The commitment in the file is not the one that was shown before the start.'),
  salt_shown: N_('The salt of {name} in the file is not the one that was shown before the start.'),
  places_shown: N_('The places in the file are not those that are shown here.'),
  seed_not_mixed: N_('Line {line}: the seed is not the one that the secret and the salts of the players make.'),
  other_hash: N_('Line {line}: from here on this is not the race that its seed and its acts lead to.'),
  other_result: N_('Line {line}: the places are not those of the race.'),
  cut_off: N_('The file ends before the race begins.'),
  missing_end: N_('The file ends before the race does.'),
};

/** A sentence about what here.verify has found. */
export function faultSentence(result) {
  const { code, line = 0, text = '' } = result;
  if (line === 1) return _('This is no race file.');
  if (code in faults) return _(faults[code], { line, name: result.name });
  if (code === 'illegal_act')
    return _('Line {line}: “{act}” is against the rules. {reason}',
      { line, act: text, reason: explain(result.refused) });
  return _('Line {line} is not as in a race file: “{text}”', { line, text });
}
