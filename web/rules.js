// The rules in short, in our own words, and a sentence for each step of a turn.

import { h, clear } from './dom.js';
import { _, N_ } from './words.js';

const steps = {
  plan: N_(
    'Choose a gear and play as many cards as the gear says. Their sum is your speed. Shifting by one is free, by two it costs 1 Heat. Everybody plans at the same time, and you can change your mind until the last plan is in.'
  ),
  react: N_(
    'Use what your gear and your place give you, in any order: cooldown brings Heat cards from your hand back to the engine, a boost pays 1 Heat for one more card, adrenaline helps the last cars.'
  ),
  slip: N_(
    'You stand beside or right behind another car: its slipstream can pull you two spaces further. Your speed stays as it is, but corners crossed that way are checked too.'
  ),
  discard: N_(
    'Throw away cards that you do not want to keep. Heat and stress cards stay. Then you draw back up to seven.'
  ),
  wait: N_('Others are driving. Your turn comes by the order of the cars on the track, the foremost first.'),
  over: N_('The race is over.'),
};

export const stepHelp = (step) => _(steps[step] ?? steps.wait);

const chapters = [
  [N_('The goal'), N_('Be the first across the finish line after the last lap. If several cars cross it in the same round, the one that got furthest wins.')],
  [N_('A round'), N_('All plan at once: a gear, and as many cards as the gear says. Then the cars take their turns, the foremost first: they move, react, slipstream, pass the corner check, discard, and draw back up to seven cards.')],
  [N_('Gears'), N_('1st gear plays one card, 4th gear four. Each round you may shift by one for free, or by two for 1 Heat. Low gears cool: 1st gear brings back 3 Heat cards, 2nd gear 1.')],
  [N_('Heat'), N_('Heat is what your engine can take. You pay with it for double shifts, boosts and fast corners: cards go from the engine to your discard pile, come back into your hand and clog it, until a cooldown returns them to the engine.')],
  [N_('Corners'), N_('Each corner line has a speed limit. If you cross it faster, you pay the difference in Heat. If your engine does not hold that much, you spin out: back before the corner, 1st gear, and one or two stress cards.')],
  [N_('Stress'), N_('A stress card counts for whatever the draw pile turns up: cards are turned over until one from 1 to 4 appears. It cannot be discarded, only played.')],
  [N_('Boost'), N_('Once a turn, for 1 Heat, in any gear: one more card is turned over and adds to your move and your speed.')],
  [N_('Adrenaline'), N_('The last car, or the last two when at least five cars started, may move one space more (its speed grows by 1) and cool 1 Heat.')],
  [N_('Slipstream'), N_('A car that ends beside or right behind another may move two spaces more. That does not change its speed.')],
  [N_('Full spaces'), N_('Each space has two spots. Cars pass each other freely, but if both spots are taken where you would land, you stop behind.')],
  [N_('Cluttered hand'), N_('If you cannot fill your gear with playable cards, you play what you have and Heat, do not move, and go back to 1st gear.')],
];

export function showRules(main, app) {
  clear(
    main,
    h('article', { class: 'rules panel' },
      h('h1', { class: 'display' }, _('The rules in short')),
      chapters.map(([title, text]) => [h('h2', null, _(title)), h('p', null, _(text))]),
      h('p', null, h('button', { class: 'primary', onclick: () => app.go('') }, _('Back to the start page')))));
}
