// What happened, in words: a sentence for each event that people care about.

import { h } from './dom.js';
import { _, n_, N_, ordinal } from './words.js';

export const phrases = [
  N_('Hello!'), N_('Good luck!'), N_('Well driven!'), N_('Thank you!'), N_('Wow!'), N_('Oh no!'),
  N_('Sorry!'), N_('That was close!'), N_('Hurry up!'), N_('One moment, please.'), N_('Watch out!'), N_('Good race!'),
];

export const levels = { rookie: N_('Rookie'), driver: N_('Driver'), champion: N_('Champion') };

/** What a seat is called: its person's name, or its bot's level and number. */
export function seatName(seat, number) {
  if (seat.name) return seat.name;
  if (seat.kind === 'open') return _('Free seat');
  return _('{level} {number}', { level: _(levels[seat.level] ?? levels.driver), number: String(number + 1) });
}

export const seatNames = (seats) => seats.map(seatName);

const cards = { H: N_('Heat'), S: N_('Stress') };
export const cardName = (card) => (card in cards ? _(cards[card]) : card);
const cardNames = (list) => list.map(cardName).join(' · ');

const moves = {
  boost: (v) => n_('{name} boosts {n} space further', '{name} boosts {n} spaces further', v.n, v),
  adrenaline: (v) => n_('{name} moves {n} space by adrenaline', '{name} moves {n} spaces by adrenaline', v.n, v),
  slipstream: (v) => n_('{name} is pulled along {n} space by a slipstream',
    '{name} is pulled along {n} spaces by a slipstream', v.n, v),
  cards: (v) => n_('{name} moves {n} space at speed {speed}', '{name} moves {n} spaces at speed {speed}', v.n, v),
};

function move(e, name) {
  const n = e.to.at - e.from.at;
  const said = [moves[e.why]({ name, n, speed: e.speed })];
  if (n < e.spaces) said.push(_('{name} is blocked', { name }));
  return said;
}

function corner(e, name) {
  if (e.speed <= e.limit) return [];
  return [n_('{name} takes the corner of {limit} at {speed} and pays {n} Heat',
    '{name} takes the corner of {limit} at {speed} and pays {n} Heat',
    e.paid, { name, limit: e.limit, speed: e.speed })];
}

const tellers = {
  round: (e) => [_('Round {n}', { n: e.n })],
  shift: (e, name) => (e.paid ? [_('{name} shifts to gear {gear} and pays 1 Heat', { name, gear: e.to })] : []),
  reveal: (e, name) => [_('{name} plays {cards}', { name, cards: cardNames(e.cards) })],
  cluttered: (e, name) => [_('{name} has a cluttered hand and does not move', { name })],
  flip: (e, name) => [e.kept
    ? _('{name} turns over {card}', { name, card: cardName(e.card) })
    : _('{name} turns over {card}, which does not count', { name, card: cardName(e.card) })],
  move,
  boost: (e, name) => [_('{name} pays 1 Heat for a boost', { name })],
  cool: (e, name) => [n_('{name} cools {n} Heat', '{name} cools {n} Heat', e.n, { name })],
  corner,
  spin: (e, name) => [n_('{name} spins out and takes {n} stress card',
    '{name} spins out and takes {n} stress cards', e.stress, { name })],
  discard: (e, name) => [n_('{name} discards {n} card', '{name} discards {n} cards', e.cards.length, { name })],
  finish: (e, name) => [_('{name} finishes {place}', { name, place: ordinal(e.place) })],
  retire: (e, name) => [_('{name} retires', { name })],
  end: () => [_('The race is over')],
};

/** Sentences for an event of the log; none for what everybody sees on the board. */
export const sentences = (event, names) => tellers[event.e]?.(event, names[event.car] ?? '') ?? [];

const entries = {
  take: (m, name) => _('{name} takes a seat', { name: m.name ?? name }),
  leave: (m, name) => _('{name} leaves the wheel to a bot', { name }),
  bot: (m, name) => _('{name} leaves the wheel to a bot', { name }),
  start: () => _('The race begins'),
  phrase: (m, name) => _('{name}: {phrase}', { name, phrase: _(phrases[m.phrase - 1]) }),
  agree: (m, name, names) => _('{name} agrees that a bot drives for {other}', { name, other: names[m.for] }),
  late: (m, name, names) => _('A bot drives for {name}, whose time was over', { name: names[m.for] }),
  back: (m, name) => _('{name} is back at the wheel', { name }),
  resume: () => _('The server was away; the race goes on'),
  rematch: () => _('A rematch is open'),
};

/** A sentence for an entry that is not an act. */
export const entrySentence = (m, names) => entries[m.what]?.(m, names[m.seat] ?? '', names);

const KEPT = 400; // lines

/** The list of sentences; the newest one is read out by those who listen. */
export function createJournal() {
  const list = h('ol', { class: 'journal-lines' });
  const element = h('section', {
    class: 'journal', role: 'log', tabindex: '0', 'aria-live': 'polite', 'aria-label': _('What happened'),
  }, list);
  let due = false;
  // Once a frame, whatever was written: to ask for the height makes the browser lay out everything.
  const scroll = () => {
    due = false;
    element.scrollTop = element.scrollHeight;
  };
  return {
    element,
    add(text, { kind = '', colour = '' } = {}) {
      list.append(h('li', { class: `journal-${kind}`, 'data-colour': colour || null }, text));
      if (list.childElementCount > KEPT) list.firstElementChild.remove();
      if (!due) requestAnimationFrame(scroll);
      due = true;
    },
    clear: () => list.replaceChildren(),
  };
}
