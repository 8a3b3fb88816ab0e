// The standings, as a timing tower: who is where, how far behind, and with how much Heat left.

import { h, clear } from './dom.js';
import { _, n_, number, ordinal } from './words.js';
import { carPicture } from './cars.js';

function progress(car, view) {
  if (car.status === 'finished') return _('finished');
  if (car.status === 'retired') return _('retired');
  const lap = Math.max(1, Math.min(view.laps, Math.floor(car.at / view.spaces) + 1));
  return _('lap {lap} of {laps}', { lap, laps: view.laps });
}

/** A sign, or a bare figure, with a name: there is little room. */
const named = (kind, sign, name) => h('span', { class: kind, role: 'img', 'aria-label': name, title: name }, sign);
const badge = (kind, sign, name) => named(`badge badge-${kind}`, sign, name);

function gap(car, first) {
  if (car.status !== 'racing' || first === car || first.status !== 'racing') return null;
  const behind = n_('{n} space behind', '{n} spaces behind', first.at - car.at);
  const text = `+${number(first.at - car.at)}`;
  return named('tower-gap', text, behind);
}

function badges(seat, seatNumber, view, awaited) {
  const car = view.cars[seatNumber];
  const list = [];
  if (view.adrenaline?.includes(seatNumber) && car.status === 'racing')
    list.push(badge('adrenaline', '⚡', _('Has adrenaline')));
  if (seat.away) list.push(badge('away', '⚙', _('Bot drives')));
  else if (view.step === 'plan' && car.planned) list.push(badge('good', '✓', _('Has planned')));
  else if (awaited) list.push(badge('wait', '…', _('Awaited')));
  return list;
}

function row(place, seatNumber, { state, names, you, since }) {
  const { view, table } = state;
  const seat = table.seats[seatNumber];
  const car = view.cars[seatNumber];
  const first = view.cars[state.standings[0]];
  const awaited = since.has(seatNumber);
  const turn = view.turn?.car === seatNumber;
  return h('li', { class: 'tower-row', 'data-colour': seat.colour, 'data-you': seatNumber === you, 'data-turn': turn },
    h('span', { class: 'tower-place', 'aria-label': ordinal(place) }, number(place)),
    carPicture(seat.colour, seatNumber + 1),
    h('span', { class: 'tower-who' },
      h('span', { class: 'tower-number', 'aria-hidden': 'true' }, number(seatNumber + 1)),
      h('span', { class: 'tower-name' }, names[seatNumber])),
    h('span', { class: 'tower-figures' },
      named('tower-gear', number(car.gear), _('Gear {gear}', { gear: car.gear })),
      named('tower-heat', number(car.engine), _('{n} Heat in the engine', { n: car.engine }))),
    h('span', { class: 'tower-more' },
      h('span', { class: 'tower-lap' }, progress(car, view)), gap(car, first), badges(seat, seatNumber, view, awaited)));
}

export function createTower() {
  const list = h('ol', { class: 'tower-list' });
  const head = h('p', { class: 'tower-head' });
  return {
    element: h('section', { class: 'tower', 'aria-label': _('Standings') }, head, list),
    update(state, names, you) {
      const since = new Map(state.table.awaited.map((each) => [each.seat, each]));
      clear(head, _('Round {n}', { n: state.view.round }));
      clear(list, state.standings.map((seat, i) => row(i + 1, seat, { state, names, you, since })));
    },
  };
}
