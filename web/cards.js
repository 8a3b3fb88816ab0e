// Playing cards, drawn with text and CSS: a card is a button, or a picture where nothing can be done with it.

import { h, svg } from './dom.js';
import { _, N_ } from './words.js';
import { cardName } from './journal.js';

const flame =
  'M12 2c1 4 6 6 6 12a6 6 0 0 1-12 0c0-2 1-3.500 2-4.500 0 2 .8 3 1.800 3.500C9 9 10 5 12 2z';
const bolt = 'M13 2 5 14h5l-1 8 9-13h-6z';
const signs = { H: flame, S: bolt };

const names = { 0: N_('0, upgrade'), 5: N_('5, upgrade'), H: N_('Heat card'), S: N_('Stress card') };

/** What a card is called where it stands alone. */
export const cardLabel = (card) => (card in names ? _(names[card]) : _('Card {value}', { value: card }));

const sign = (d) => svg('svg', { viewBox: '0 0 24 24', class: 'card-sign', 'aria-hidden': 'true' }, svg('path', { d }));

const face = (card) => [
  h('span', { class: 'card-value', 'aria-hidden': 'true' }, card in signs ? sign(signs[card]) : card),
  card in signs ? h('span', { class: 'card-name', 'aria-hidden': 'true' }, cardName(card)) : null,
];

const kinds = { H: 'heat', S: 'stress', 0: 'upgrade', 5: 'upgrade' };
const kind = (card) => kinds[card] ?? 'speed';

/** A card to look at. */
export const cardPicture = (card) =>
  h('span', { class: `card card-${kind(card)}`, role: 'img', 'aria-label': cardLabel(card) }, face(card));

/** A card to choose. */
export const cardButton = (card, { pressed, possible, onclick, order }) =>
  h('button', {
    type: 'button',
    class: `card card-${kind(card)}`,
    'aria-pressed': String(pressed),
    'aria-disabled': possible ? null : 'true',
    'aria-label': cardLabel(card),
    onclick,
  }, face(card), order ? h('span', { class: 'card-order', 'aria-hidden': 'true' }, order) : null);

export const flameSign = () => sign(flame);
