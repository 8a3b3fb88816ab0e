// After the race: the podium as a poster, figures of each car, charts by round, and whether the shuffle was fair.

import { h, svg, clear } from './dom.js';
import { _, n_, N_, number, time } from './words.js';
import { carPicture } from './cars.js';
import { levels, seatNames } from './journal.js';
import { faultSentence } from './codes.js';
import { here } from './link.js';

const titles = { usa: N_('USA'), 'great-britain': N_('Great Britain'), italy: N_('Italy'), france: N_('France') };
const circuitTitle = (name) => (name in titles ? _(titles[name]) : name);

/* ---- The poster --------------------------------------------------------------------------------------- */

const round = (value) => Math.round(value * 10) / 10;
const at = (x, y, radius, angle) => `${round(x + radius * Math.cos(angle))} ${round(y + radius * Math.sin(angle))}`;

/** Every second sector of the sky, as if the sun stood behind the winner. */
function rays(x, y, radius, count) {
  const sector = (2 * Math.PI) / count;
  return Array.from({ length: count / 2 }, (each, i) =>
    `M${x} ${y}L${at(x, y, radius, 2 * i * sector)}L${at(x, y, radius, (2 * i + 1) * sector)}Z`).join('');
}

/** Rows of heads: every one a half circle, in no order that the eye would find. */
function crowd(from, to, y, size) {
  const heads = [];
  for (let x = from, i = 0; x < to; x += size * 1.7, i++) {
    const up = round(y - ((i * 37) % 11));
    heads.push(`M${round(x)} ${y + 30}V${up}a${size} ${size} 0 0 1 ${2 * size} 0V${y + 30}Z`);
  }
  return heads.join('');
}

function chequers(x, y, columns, rows, size) {
  const fields = [];
  for (let i = 0; i < columns; i++)
    for (let k = i % 2; k < rows; k += 2) fields.push(`M${x + i * size} ${y + k * size}h${size}v${size}h${-size}Z`);
  return fields.join('');
}

function flag(x, y, turn) {
  return svg('g', { transform: `translate(${x} ${y}) rotate(${turn}) skewX(-12)` },
    svg('path', { class: 'after-scene-ink', d: 'M-5 -8H1V190H-5Z' }),
    svg('path', { class: 'after-scene-paper', d: 'M1 0H113V84H1Z' }),
    svg('path', { class: 'after-scene-ink', d: chequers(1, 0, 8, 6, 14) }));
}

/** A grandstand's roof, falling from the edge of the picture towards its middle; way is 1 on the left. */
function stand(edge, way) {
  const roof = (from, to) => [from, to].map((x) => [edge + way * x, 296 + x * 0.16]);
  const stripe = (from, to) => {
    const [[x1, y1], [x2, y2]] = roof(from, to);
    return `M${x1} ${round(y1)}L${x2} ${round(y2)}V${round(y2 + 26)}L${x1} ${round(y1 + 26)}Z`;
  };
  const post = (x) => `M${edge + way * x - 3} ${round(300 + x * 0.16)}h6V440h-6Z`;
  return [
    svg('path', { class: 'after-scene-shade', d: `M${edge} 300L${edge + way * 350} 356V450H${edge}Z` }),
    svg('path', { class: 'after-scene-crowd', d: way > 0 ? crowd(-6, 345, 396, 8) : crowd(858, 1206, 396, 8) }),
    svg('path', { class: 'after-scene-ink', d: [20, 130, 240, 345].map(post).join('') }),
    svg('path', { class: 'after-scene-paper', d: stripe(0, 360) }),
    svg('path', { class: 'after-scene-stripe', d: [0, 60, 120, 180, 240, 300].map((x) => stripe(x, x + 30)).join('') }),
  ];
}

const scene = () => svg('svg', { class: 'after-scene', viewBox: '0 0 1200 520', 'aria-hidden': 'true',
  preserveAspectRatio: 'xMidYMax slice' },
  svg('path', { class: 'after-scene-sky', d: 'M0 0H1200V520H0Z' }),
  svg('path', { class: 'after-scene-rays', d: rays(600, 270, 900, 44) }),
  svg('circle', { class: 'after-scene-sun', cx: 600, cy: 270, r: 168 }),
  svg('path', { class: 'after-scene-hills', d: 'M0 372Q150 318 320 356T620 350T900 344T1200 366V520H0Z' }),
  stand(0, 1), stand(1200, -1),
  svg('path', { class: 'after-scene-ink', d: crowd(-2, 420, 420, 11) + crowd(786, 1210, 420, 11) }),
  flag(150, 250, -14), flag(985, 222, 12),
  svg('path', { class: 'after-scene-road', d: 'M0 446H1200V520H0Z' }),
  svg('path', { class: 'after-scene-paper', d: 'M0 446H1200V451H0Z' }));

/** Two branches, open at the top. */
function laurel() {
  const leaves = [];
  for (let i = 0; i < 11; i++)
    for (const side of [-1, 1]) {
      const angle = Math.PI / 2 + side * (0.2 + i * 0.235);
      const [x, y] = at(100, 100, 82, angle).split(' ');
      const tilt = (angle * 180) / Math.PI + side * 90;
      const transform = `translate(${x} ${y}) rotate(${round(tilt)}) scale(1 ${side})`;
      leaves.push(svg('path', { d: 'M0 0C5 -13 20 -16 29 -11C25 -1 12 5 0 0Z', transform }),
        svg('path', { d: 'M0 0C5 9 17 12 24 8C20 0 10 -4 0 0Z', transform }));
    }
  const end = (angle) => at(100, 100, 82, Math.PI / 2 + angle);
  return svg('svg', { class: 'laurel', viewBox: '0 0 200 200', 'aria-hidden': 'true' },
    svg('path', { class: 'laurel-twig', d: `M${end(2.6)}A82 82 0 0 0 100 182A82 82 0 0 0 ${end(-2.6)}` }),
    svg('g', { class: 'laurel-leaves' }, leaves));
}

const step = (seat, place, { notice, names }) =>
  h('li', { class: 'podium-step', 'data-place': place },
    h('span', { class: 'podium-car' }, place === 1 ? laurel() : null, carPicture(notice.seats[seat].colour, seat + 1)),
    h('span', { class: 'podium-block' },
      h('span', { class: 'podium-place' }, number(place)),
      h('span', { class: 'podium-name' }, names[seat])));

function headline(race) {
  const winner = race.notice.places[0];
  if (race.mine.length === 1 && race.mine[0] === winner) return _('You win!');
  return _('{name} wins!', { name: race.names[winner] });
}

const poster = (race, title) => h('header', { class: 'after-poster' },
  scene(),
  h('div', { class: 'after-poster-words' },
    h('p', { class: 'display after-poster-where' }, n_('{circuit}, {n} lap', '{circuit}, {n} laps', race.notice.laps,
      { circuit: circuitTitle(race.notice.circuit) })),
    h('h1', { class: 'display after-poster-title', 'data-long': title.length > 16 }, title)),
  h('ol', { class: 'podium', 'aria-label': _('Podium') },
    race.notice.places.slice(0, 3).map((seat, i) => step(seat, i + 1, race))));

/* ---- Places and figures --------------------------------------------------------------------------------- */

function about(race, seat) {
  const { kind, level } = race.notice.seats[seat];
  if (race.mine.includes(seat)) return _('you');
  return kind === 'bot' ? _(levels[level] ?? levels.driver) : '';
}

function way(car) {
  if (!car) return '';
  return car.retired ? n_('retired after {n} round', 'retired after {n} rounds', car.rounds)
    : n_('finished in {n} round', 'finished in {n} rounds', car.rounds);
}

const places = (race) => h('ol', { class: 'after-places' }, race.notice.places.map((seat, i) =>
  h('li', { class: 'after-place', 'data-you': race.mine.includes(seat) },
    h('span', { class: 'after-place-number display' }, number(i + 1)),
    carPicture(race.notice.seats[seat].colour, seat + 1),
    h('span', { class: 'after-place-who' },
      h('strong', null, race.names[seat]),
      h('span', { class: 'soft' },
        [about(race, seat), way(race.summary?.cars[seat])].filter(Boolean).join(' · '))))));

/** By row: what it is called, a car's figure, and what is special. Boosts cost 1 Heat each, and so are counted, too. */
const kinds = [
  [N_('Rounds'), (car) => car.rounds],
  [N_('Heat paid'), (car) => car.heat_shifts + car.heat_boosts + car.heat_corners],
  [N_('Heat for shifts'), (car) => car.heat_shifts, 'part'],
  [N_('Heat for boosts'), (car) => car.heat_boosts, 'part'],
  [N_('Heat in corners'), (car) => car.heat_corners, 'part'],
  [N_('Heat cooled'), (car) => car.cooled],
  [N_('Spin-outs'), (car) => car.spins],
  [N_('Stress taken'), (car) => car.stress_taken],
  [N_('Stress played'), (car) => car.stress_played],
  [N_('Cards flipped'), (car) => car.flips],
  [N_('Slipstreams'), (car) => car.slipstreams],
  [N_('Times blocked'), (car) => car.blocked],
  [N_('Cluttered hands'), (car) => car.cluttered],
  [N_('Top speed'), (car) => car.top_speed, 'proud'],
];

const scrolls = (label, child) =>
  h('div', { class: 'after-scrolls', role: 'region', tabindex: 0, 'aria-label': label }, child);

const heads = (names) => h('thead', null, h('tr', null, names.map((title) => h('th', { scope: 'col' }, title))));

/** A column for each car: six fit on a phone. The highest of a row stands out where it is something to be proud of. */
function figures(race) {
  const { cars } = race.summary;
  const seats = race.notice.places;
  const you = (seat) => race.mine.includes(seat);
  const most = (of) => Math.max(...cars.map(of));
  return scrolls(_('Figures of each car'), h('table', { class: 'after-figures after-kinds' },
    h('thead', null, h('tr', null, h('td'), seats.map((seat) => h('th', { scope: 'col', 'data-you': you(seat) },
      badge(race, seat), h('span', { class: 'after-kinds-name' }, race.names[seat]))))),
    h('tbody', null, kinds.map(([title, of, more]) => h('tr', null,
      h('th', { scope: 'row', 'data-part': more === 'part' }, _(title)),
      seats.map((seat) => h('td', { 'data-you': you(seat),
        'data-best': more === 'proud' && of(cars[seat]) === most(of) }, number(of(cars[seat])))))))));
}

/**
 * What may have cost a car places: the figure, about how many spaces each is worth, and a sentence. A turn is worth
 * about 8; a Heat, the boost that it could have been; a slipstream, 2. Whoever won has not lost by paying Heat, and had
 * nobody ahead to slipstream.
 */
const costs = [
  { of: (car) => car.spins, spaces: 8, say: (n, values) =>
    n_('{name} spun out {n} time ({other}: {m}).', '{name} spun out {n} times ({other}: {m}).', n, values) },
  { of: (car) => car.cluttered, spaces: 8, say: (n, values) =>
    n_('{name} stood still {n} time with a cluttered hand ({other}: {m}).',
      '{name} stood still {n} times with a cluttered hand ({other}: {m}).', n, values) },
  { of: (car) => car.heat_corners, spaces: 2, notWinner: true, say: (n, values) =>
    n_('{name} paid {n} Heat in corners ({other}: {m}).',
      '{name} paid {n} Heat in corners ({other}: {m}).', n, values) },
  { of: (car) => car.heat_shifts, spaces: 2, notWinner: true, say: (n, values) =>
    n_('{name} paid {n} Heat for shifts ({other}: {m}).',
      '{name} paid {n} Heat for shifts ({other}: {m}).', n, values) },
  { of: (car) => car.slipstreams, spaces: -2, notWinner: true, say: (n, values) =>
    n_('{name} took {n} slipstream ({other}: {m}).', '{name} took {n} slipstreams ({other}: {m}).', n, values) },
  { of: (car) => car.blocked, spaces: 1, say: (n, values) =>
    n_('{name} was blocked {n} time ({other}: {m}).', '{name} was blocked {n} times ({other}: {m}).', n, values) },
];
const WORTH_SAYING = 4; // spaces

/** At most two sentences: where a car did worst beside the winner, or the winner beside the others. */
function lessons(race, seat) {
  const { cars } = race.summary;
  const [winner, ...rest] = race.notice.places;
  const others = seat === winner ? rest : [winner];
  if (others.length === 0) return [];
  const other = others.length === 1 ? race.names[others[0]] : _('the others on average');
  return costs.filter(({ notWinner }) => !(notWinner && seat === winner))
    .map(({ of, spaces, say }) => {
      const n = of(cars[seat]);
      const m = round(others.reduce((sum, each) => sum + of(cars[each]), 0) / others.length);
      return { lost: (n - m) * spaces, text: say(n, { name: race.names[seat], other, m: number(m) }) };
    })
    .filter(({ lost }) => lost >= WORTH_SAYING).sort((a, b) => b.lost - a.lost).slice(0, 2).map(({ text }) => text);
}

function allLessons(race) {
  const said = race.notice.places.filter((seat) => race.mine.includes(seat)).flatMap((seat) => lessons(race, seat));
  return said.length > 0 ? [h('h3', { class: 'display' }, _('What cost most')),
    h('ul', { class: 'after-lessons' }, said.map((text) => h('li', null, text)))] : null;
}

/* ---- Charts ----------------------------------------------------------------------------------------------- */

// Cars differ by colour, dashes and marks, so that nobody needs to tell colours apart.
const dashes = [null, '9 4', '3 3', '14 4 3 4', '6 6', '20 5'];
const marks = ['M-4 0A4 4 0 1 1 4 0A4 4 0 1 1 -4 0Z', 'M-3.6 -3.6H3.6V3.6H-3.6Z', 'M0 -5L4.8 3.6H-4.8Z',
  'M0 -5.2L5.2 0L0 5.2L-5.2 0Z', 'M0 5L4.8 -3.6H-4.8Z', 'M-1.7 -5H1.7V-1.7H5V1.7H1.7V5H-1.7V1.7H-5V-1.7H-1.7Z'];
const CROSS = 'M-6 -4L-4 -6L0 -2L4 -6L6 -4L2 0L6 4L4 6L0 2L-4 6L-6 4L-2 0Z'; // where a car retired

const CLOSE = 9; // rounds are never closer than this, so that a long race scrolls on a phone,
const FAR = 120; // and never further apart
const TOP = 16;
const HEIGHT = 198;
const LEFT = 30;
const RIGHT = 52;
const BADGE = 20; // room for a number at the end of a line
const ROOM = 34; // between the middle of a round's number and that of the word for the end

/** Sets the colour of a car for everything in an element. */
function coloured(race, seat, element) {
  element.style.setProperty('--car', `var(--car-${race.notice.seats[seat].colour}, var(--ink-soft))`);
  return element;
}

const badge = (race, seat) =>
  coloured(race, seat, h('span', { class: 'after-badge', 'aria-hidden': 'true' }, h('span', null, number(seat + 1))));

const mark = (d, x, y, size = 1) =>
  svg('path', { class: 'chart-mark', d, transform: `translate(${round(x)} ${round(y)}) scale(${size})` });

function sample(race, seat) {
  const line = { d: 'M2 9H42', 'stroke-dasharray': dashes[seat] };
  return coloured(race, seat, svg('svg', { class: 'chart-sample', viewBox: '0 0 44 18', 'aria-hidden': 'true' },
    svg('path', { class: 'chart-edge', ...line }), svg('path', { class: 'chart-line', ...line }),
    mark(marks[seat], 22, 9)));
}

/** What a cross means, for all cars. */
function retirement() {
  const cross = svg('svg', { class: 'chart-sample', viewBox: '0 0 44 18', 'aria-hidden': 'true' }, mark(CROSS, 22, 9));
  cross.style.setProperty('--car', 'var(--ink-soft)');
  return h('li', null, cross, h('span', null, _('retired')));
}

/** Gives each line the height of the number at its end: none on another, and all between top and bottom. */
function apart(lines, top, bottom) {
  const sorted = [...lines].sort((a, b) => a.y - b.y);
  sorted.forEach((line, i) => {
    line.end = Math.max(line.y, i > 0 ? sorted[i - 1].end + BADGE : top);
  });
  sorted.reverse().forEach((line, i) => {
    line.end = Math.min(line.end, i > 0 ? sorted[i - 1].end - BADGE : bottom);
  });
}

/** Where things are in a chart: columns from left to right, values from low at the bottom to high at the top. */
function measures(race, { columns: wide, low, high }) {
  const bottom = TOP + HEIGHT;
  const gap = Math.max(CLOSE, Math.min(FAR, Math.floor((race.width - LEFT - RIGHT) / Math.max(1, wide - 1))));
  return { bottom, wide,
    width: LEFT + (wide - 1) * gap + RIGHT,
    edge: LEFT + (wide - 1) * gap + 14, // where the lines end and the numbers begin
    size: Math.min(1, Math.max(0.6, gap / 20)),
    x: (column) => LEFT + column * gap,
    y: (value) => TOP + ((value - high) / (low - high || 1)) * (bottom - TOP) };
}

const words = (x, y, anchor, text, more = '') =>
  svg('text', { class: `chart-text ${more}`, x, y: round(y), 'text-anchor': anchor }, text);

/** Levels with their values, and the numbers of the rounds: the first and every fifth, where there is room. */
function axes({ low, high, last }, { x, y, bottom, wide, edge }) {
  const every = Math.ceil(Math.abs(high - low) / 8) || 1;
  const parts = [];
  for (let value = Math.min(low, high); value <= Math.max(low, high); value += every)
    parts.push(svg('path', { class: 'chart-level', d: `M${LEFT - 8} ${round(y(value))}H${edge}` }),
      words(LEFT - 14, y(value) + 4, 'end', number(value)));
  const end = x(wide - 1) + 10;
  const rounds = last ? wide - 1 : wide;
  for (let i = 0; i < rounds; i++)
    if ((i === 0 || i % 5 === 4) && !(last && end - x(i) < ROOM))
      parts.push(words(x(i), bottom + 26, 'middle', number(i + 1)));
  if (last) parts.push(words(end, bottom + 26, 'middle', last, 'chart-last'));
  return parts;
}

function drawLine({ seat, retired, dots, end }, { edge, size }) {
  const path = dots.map((dot) => `${round(dot.x)} ${round(dot.y)}`).join('L');
  const line = { d: `M${path}`, 'stroke-dasharray': dashes[seat] };
  const final = dots.at(-1);
  const shape = (dot) => (retired && dot === final ? CROSS : marks[seat]);
  return svg('g', null,
    svg('path', { class: 'chart-lead', d: `M${round(final.x)} ${round(final.y)}H${edge}L${edge + 10} ${round(end)}` }),
    svg('path', { class: 'chart-edge', ...line }), svg('path', { class: 'chart-line', ...line }),
    dots.map((dot) => mark(shape(dot), dot.x, dot.y, size)));
}

const drawEnd = ({ seat, end }, { edge }) => svg('g', { transform: `translate(${edge + 22} ${round(end)})` },
  svg('rect', { class: 'chart-badge', x: -11, y: -9, width: 22, height: 18, rx: 2 }),
  svg('circle', { class: 'chart-plate', r: 7 }),
  svg('text', { class: 'chart-number', y: 4, 'text-anchor': 'middle' }, number(seat + 1)));

/**
 * lines: [{seat, points: by round, from the first, place: at the end, if it is shown}]; spread moves lines that would
 * lie on each other a little apart; last: what the last column is called, if it is no round.
 */
function drawChart(race, chart) {
  const m = measures(race, chart);
  const { lines } = chart;
  const gap = chart.spread ? Math.min(3, 12 / lines.length) : 0;
  const drawn = lines.map(({ seat, points, place }, k) => {
    const aside = (k - (lines.length - 1) / 2) * gap;
    const all = place === undefined ? points : [...points, place];
    const dots = all.map((value, i) => ({ x: m.x(i), y: m.y(value) + aside }));
    return { seat, retired: race.summary.cars[seat].retired, dots, y: dots.at(-1).y };
  });
  apart(drawn, TOP, m.bottom);
  const element = svg('svg', { class: 'chart', role: 'img', 'aria-label': chart.title,
    viewBox: `0 0 ${m.width} ${m.bottom + 34}` },
    axes(chart, m),
    drawn.map((line) => coloured(race, line.seat, drawLine(line, m))),
    drawn.map((line) => coloured(race, line.seat, drawEnd(line, m))));
  element.style.setProperty('min-width', `${m.width}px`);
  element.style.setProperty('max-width', `${Math.max(m.width, race.width)}px`);
  return element;
}

/** The same as numbers, for those who cannot see the lines or want to know exactly. */
const numbers = (race, { title, lines, columns: wide, last }) => h('details', { class: 'chart-numbers' },
  h('summary', null, _('The same in numbers')),
  scrolls(_('{title}, in numbers', { title }), h('table', { class: 'after-figures' },
    heads([_('Round'), ...lines.map(({ seat }) => race.names[seat])]),
    h('tbody', null, Array.from({ length: wide }, (each, i) => h('tr', null,
      h('th', { scope: 'row' }, last && i === wide - 1 ? last : number(i + 1)),
      lines.map(({ points, place }) => {
        const value = last && i === wide - 1 ? place : points[i];
        return h('td', null, value === undefined ? '–' : number(value));
      })))))));

function chartOf(race, chart) {
  const lines = scrolls(chart.title, drawChart(race, chart));
  race.redraw.push(() => clear(lines, drawChart(race, chart)));
  return h('figure', { class: 'chart-box' },
    h('figcaption', null, h('h3', { class: 'display' }, chart.title), h('p', { class: 'soft' }, chart.note)),
    lines, numbers(race, chart));
}

/** A car's rounds on the circuit; who retires had begun one more. */
const begun = (car) => car.rounds + (car.retired ? 1 : 0);

function charts(race) {
  const { cars } = race.summary;
  const kept = cars[0].positions.length; // a very long race keeps its first rounds only
  const whole = kept === race.summary.rounds;
  const seats = race.notice.places;
  const alone = seats.length === 1; // always first
  const positions = seats.map((seat) => ({ seat, points: cars[seat].positions.slice(0, begun(cars[seat])),
    place: whole && cars[seat].place > 0 ? cars[seat].place : undefined }));
  const engines = seats.map((seat) => ({ seat, points: cars[seat].engine.slice(0, begun(cars[seat])) }));
  const most = Math.max(...engines.flatMap((each) => each.points));
  return [
    alone ? null : h('ul', { class: 'chart-legend' }, seats.map((seat) =>
      h('li', null, sample(race, seat), badge(race, seat), h('span', null, race.names[seat]))),
    cars.some((car) => car.retired) ? retirement() : null),
    whole ? null : h('p', { class: 'soft' },
      n_('The charts show the first {n} round.', 'The charts show the first {n} rounds.', kept)),
    h('div', { class: 'charts' },
      alone ? null : chartOf(race, {
        title: _('Position by round'), note: _('Who led when each round began, and the place at the end.'),
        lines: positions, columns: kept + (whole ? 1 : 0), low: cars.length, high: 1, last: whole ? _('End') : null,
      }),
      chartOf(race, {
        title: _('Heat in the engine by round'), note: _('How much each engine held when the round began.'),
        lines: engines, columns: kept, low: 0, high: most, spread: true,
      })),
  ];
}

/** Charts keep to the width that there is: a phone may be turned, a window resized. */
function fillCharts(race, section) {
  const fit = () => section.clientWidth - 40; // what a chart's frame leaves
  race.width = fit();
  race.redraw = [];
  clear(section, h('h2', { class: 'display' }, _('Round by round')), charts(race));
  const refit = () => {
    if (fit() === race.width) return;
    race.width = fit();
    for (const redraw of race.redraw) redraw();
  };
  // Not at once: charts of another height, drawn while the section is observed, are an error of the page's.
  new ResizeObserver(() => requestAnimationFrame(refit)).observe(section);
}

/* ---- The shuffle ------------------------------------------------------------------------------------------ */

const signs = { good: 'M4 12.5L9.5 18L20 6.5', bad: 'M6 6L18 18M18 6L6 18', open: 'M12 5V14M12 18V18.5' };
const sign = (kind) =>
  svg('svg', { class: `after-sign after-sign-${kind}`, viewBox: '0 0 24 24', 'aria-hidden': 'true' },
    svg('path', { d: signs[kind] }));
const fact = (kind, text) => h('li', { class: 'after-fact' }, sign(kind), h('span', null, text));

const NO_SALT = '0'.repeat(64);

/** The places in a file that has been checked, as in a notice. */
const placesIn = (file) => file.match(/^end +\S+(.*)$/m)[1].match(/\d+/g).map(Number);

/** A file may be right in itself and still be about another race than the one that was seen. */
function compare(race, result) {
  if (!result.ok) return result;
  const { commitment = race.commitmentShown, seats = [] } = result;
  const shown = race.saltsShown ?? {};
  const other = seats.findIndex((each, i) => i in shown && (shown[i] || NO_SALT) !== (each.salt || NO_SALT));
  if (result.ended === false) return { ok: false, code: 'missing_end' };
  if (race.commitmentShown && commitment !== race.commitmentShown) return { ok: false, code: 'commitment_shown' };
  if (other >= 0) return { ok: false, code: 'salt_shown', name: race.names[other] };
  return String(placesIn(race.file)) === String(race.notice.places) ? result : { ok: false, code: 'places_shown' };
}

/** What a check that went well has shown; what it could not show, too. */
function facts(race, result) {
  return [
    fact('good', n_('{n} act was played; it keeps to the rules, and the places are right.',
      '{n} acts were played; all of them keep to the rules, and the places are right.', result.acts)),
    race.commitmentShown
      ? fact('good', _('The shuffle was fixed before the start: the seed fits the commitment that you saw then.'))
      : fact('open', _('The seed fits the commitment in the race file. Compare it with the one that you saw.')),
    /^salt /m.test(race.file)
      ? fact('good', _('The players had a part in the shuffle: the seed was mixed from their salts, too.'))
      : fact('open', _('No player brought a salt, so the shuffle was wholly up to whoever ran the race.')),
  ];
}

function verdict(race, result) {
  if (result.ok)
    return [h('p', { class: 'after-verdict after-verdict-good' }, sign('good'), _('Checked: all is right.')),
      h('ul', { class: 'after-facts' }, facts(race, result))];
  return [h('p', { class: 'after-verdict after-verdict-bad' }, sign('bad'), _('Checked: something is wrong.')),
    h('ul', { class: 'after-facts' }, fact('bad', faultSentence(result)))];
}

function shuffle(race) {
  const outcome = h('div', { role: 'status', 'aria-live': 'polite' });
  const check = async () => {
    clear(outcome, h('p', { class: 'after-verdict' }, _('Checking the shuffle …')));
    try {
      clear(outcome, verdict(race, compare(race, await here.verify(race.file, race.commitmentShown))));
    } catch {
      clear(outcome, h('p', { class: 'after-verdict' }, sign('open'), _('The race could not be checked here.')));
    }
  };
  check();
  return h('section', { class: 'after-shuffle' }, h('h2', { class: 'display' }, _('The shuffle')),
    h('p', null, _('Your browser plays the race again from its file and looks whether anybody could have cheated.')),
    outcome,
    h('details', null, h('summary', null, _('Commitment')),
      h('p', null, h('code', null, race.commitmentShown ?? race.notice.commitment ?? ''))),
    h('button', { type: 'button', onclick: check }, _('Check again')));
}

/* ---- The screen ------------------------------------------------------------------------------------------- */

const button = (text, action, kind) =>
  (action ? h('button', { type: 'button', class: kind, onclick: () => action() }, text) : null);

function save(text, type, name) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

function fileName(race, ending) {
  const day = new Date(race.notice.opened ?? Date.now()).toISOString().slice(0, 10);
  return `hairpin-${race.notice.circuit}-${day}.${ending}`;
}

function downloads(race) {
  const trouble = h('p', { class: 'soft', role: 'status' });
  const log = async () => {
    clear(trouble);
    try {
      save(await race.host.eventLog(race.id), 'application/x-ndjson', fileName(race, 'events.jsonl'));
    } catch {
      clear(trouble, _('The event log is not available right now.'));
    }
  };
  return h('section', null, h('h2', { class: 'display' }, _('To keep')),
    h('p', null, _('The race file has every act of the race: anybody can play it again and check it.')),
    h('p', null, _('The event log tells everything that happened, for tools of your own.')),
    h('div', { class: 'buttons' },
      button(_('Race file'), () => save(race.file, 'text/plain', fileName(race, 'race'))),
      button(_('Event log'), race.host && race.id !== undefined ? log : null)),
    trouble);
}

async function fillFigures(race, parts) {
  try {
    race.summary = await here.summary(race.file);
    clear(parts.places, places(race));
    clear(parts.figures, h('h2', { class: 'display' }, _('Figures')), figures(race), allLessons(race));
    fillCharts(race, parts.charts);
  } catch {
    clear(parts.figures, h('p', { class: 'soft' }, _('The figures of this race could not be worked out here.')));
    clear(parts.charts);
  }
}

/**
 * race: {notice, file, seats, host, id, commitmentShown, saltsShown, onRematch, onReplay, onStart}; seats are the
 * viewer's own; commitment and salts (by seat) are those that were seen before the race, where any were.
 */
export async function showAfter(container, given) {
  const mine = (given.seats ?? []).map((each) => each.seat ?? each);
  const race = { ...given, names: seatNames(given.notice.seats), mine };
  const replay = race.onReplay && (() => race.onReplay(race.notice));
  const parts = { places: h('div', null, places(race)), figures: h('section'), charts: h('section') };
  clear(container, h('article', { class: 'after' },
    poster(race, headline(race)),
    h('div', { class: 'buttons after-buttons' },
      button(_('Rematch'), race.onRematch, 'primary'),
      button(_('Watch the replay'), replay, race.onRematch ? null : 'primary'),
      button(_('Back to the start page'), race.onStart ?? (() => { location.hash = ''; }), 'quiet')),
    h('section', null, h('h2', { class: 'display' }, _('Places')), parts.places,
      race.notice.opened ? h('p', { class: 'soft' }, _('Opened {time}', { time: time(race.notice.opened) })) : null),
    parts.figures, parts.charts, shuffle(race), downloads(race)));
  await fillFigures(race, parts);
}
