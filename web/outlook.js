// What an act would lead to, in words and figures: the table's answers to foresee.

import { h } from './dom.js';
import { _, n_, number, percent } from './words.js';

export const heatPrice = (n) => n_('{n} Heat', '{n} Heat', n);

/** The least and the most of a figure, over all that may come. */
function spread(f, figure) {
  const values = f.odds?.length ? f.odds.map(figure) : [figure(f)];
  return [Math.min(...values), Math.max(...values)];
}

const span = ([low, high], text) => (low === high ? text(low) : `${number(low)}–${text(high)}`);

/** The corners that may be crossed, each with the least and the most that it may cost. */
export function crossings(f) {
  const found = new Map();
  for (const each of f.odds?.length ? f.odds : [f])
    for (const { corner, limit, pays } of each.corners ?? []) {
      const { low, high } = found.get(corner) ?? { low: pays, high: pays };
      found.set(corner, { corner, limit, low: Math.min(low, pays), high: Math.max(high, pays) });
    }
  return [...found.values()];
}

const cornerWords = ({ limit, low, high }) =>
  high > 0
    ? _('Corner {limit}: {price}', { limit, price: span([low, high], heatPrice) })
    : _('Corner {limit}: free', { limit });

function riskWords(f) {
  const risk = f.risk_per_mille ?? (f.spins ? 1000 : 0);
  if (risk === 0) return null;
  if (risk === 1000) return _('The car would spin out');
  return _('Spin-out: {risk}', { risk: percent(risk / 1000) });
}

function likelihood(f) {
  if (!f.odds || f.odds.length < 2) return null;
  const most = Math.max(...f.odds.map((each) => each.per_mille));
  return h('ul', { class: 'odds', 'aria-label': _('How likely each speed is') },
    f.odds.map((each) => {
      const bar = h('span', { class: 'odds-bar', 'data-spins': each.spins });
      bar.style.setProperty('--part', String(each.per_mille / most));
      const chance = percent(each.per_mille / 1000);
      return h('li', { 'aria-label': _('Speed {speed}: {chance}', { speed: each.speed, chance }) },
        bar, h('span', { 'aria-hidden': 'true' }, number(each.speed)));
    }));
}

/** The figures of a preview, as a list. */
export function outcome(f) {
  if (f.cluttered)
    return [h('p', { class: 'risk' }, _('Cluttered hand: the car will not move and goes back to 1st gear.'))];
  const risk = riskWords(f);
  const corners = crossings(f);
  const price = spread(f, (each) => each.price);
  const facts = [
    [_('Speed'), span(spread(f, (each) => each.speed), number)],
    price[1] > 0 || corners.length > 0 ? [_('Price'), price[1] > 0 ? span(price, heatPrice) : _('free')] : null,
    [_('Engine afterwards'), span(spread(f, (each) => each.engine ?? f.engine), heatPrice)],
  ].filter(Boolean);
  return [
    h('dl', { class: 'facts' },
      facts.map(([name, value]) => h('div', null, h('dt', null, name), h('dd', null, value)))),
    likelihood(f),
    corners.length > 0 ? h('p', { class: 'corners' }, corners.map(cornerWords).join(' · ')) : null,
    risk ? h('p', { class: 'risk' }, risk) : null,
  ];
}
