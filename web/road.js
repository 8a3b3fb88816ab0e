// The road as a drawing, with all that is painted on it or beside it.

import { svg } from './dom.js';
import { number } from './words.js';
import { mod } from './circuit.js';

export const SIGN = 19; // radius of a speed limit's roundel
const KERB = 8; // what a kerb takes beside the road
const TIGHT = 0.27; // a road that turns more than this in a space has kerbs

export const round = (value) => Math.round(value * 10) / 10;
export const dots = (points) => points.map(({ x, y }) => `${round(x)} ${round(y)}`).join('L');

/** A line along the road from one progress to another, beside its middle. */
function along(road, from, to, aside) {
  const steps = Math.ceil((to - from) * 8);
  return Array.from({ length: steps + 1 }, (_, k) => {
    const at = from + ((to - from) * k) / steps;
    return road.beside(at, typeof aside === 'function' ? aside(at) : aside);
  });
}

const across = (road, at, reach = road.half) => [road.beside(at, -reach), road.beside(at, reach)];
const path = (name, d) => svg('path', { class: name, d });
const line = (points) => `M${dots(points)}`;
const area = (points) => `M${dots(points)}Z`;

/** The outline of a spot, a little smaller than the room it has. */
export function spotArea(road, space, spot) {
  const sign = Math.sign(road.aside(space, spot));
  const [inner, outer] = [sign * 2.2, sign * (road.half - 3)];
  const edge = (aside) => along(road, space - 0.44, space + 0.44, aside);
  return area([...edge(inner), ...edge(outer).reverse()]);
}

/** Stretches that bend: from, to and the side of the inside (1 is right). */
function bends(road) {
  const found = [];
  let open = null;
  for (let at = 0; at <= road.n; at += 0.25) {
    const turn = Math.sin(road.heading(at + 0.5) - road.heading(at - 0.5));
    const sign = Math.abs(turn) > TIGHT && at < road.n ? Math.sign(turn) : 0;
    if (open && sign !== open.sign) {
      if (open.to - open.from > 1.2) found.push(open);
      open = null;
    }
    if (sign !== 0 && !open) open = { from: at, to: at, sign };
    if (open) open.to = at;
  }
  return found;
}

/** Kerbs inside every bend, and outside where a corner opens again. */
function kerbs(circuit, road) {
  const all = bends(road);
  const inside = all.map(({ from, to, sign }) => line(along(road, from, to, sign * (road.half + 1))));
  const outside = circuit.corners.map(({ after }) => {
    const bend = all.find(({ from, to }) => from <= after + 0.5 && after + 0.5 <= to);
    return bend ? line(along(road, bend.to, bend.to + 2, -bend.sign * (road.half + 1))) : '';
  });
  const d = [...inside, ...outside].join('');
  return [path('kerb-white', d), path('kerb-red', d)];
}

const turned = (road, { x, y }, at) =>
  `translate(${round(x)} ${round(y)}) rotate(${round((road.heading(at) * 180) / Math.PI)})`;

/** The chequered line before space 0. */
function startLine(road) {
  const size = road.half / 4;
  let d = '';
  for (let row = 0; row < 2; row++)
    for (let column = row; column < 8; column += 2)
      d += `M${(row - 1) * size} ${(column - 4) * size}h${size}v${size}h${-size}z`;
  return svg('g', { transform: turned(road, road.middle(-0.5), -0.5) },
    svg('rect', { class: 'chequer-light', x: -size, y: -road.half, width: 2 * size, height: 2 * road.half }),
    path('chequer-dark', d));
}

/** Brackets in front of and beside the eight places of the grid (R1.4). */
function grid(road) {
  let d = '';
  for (let space = -4; space < 0; space++)
    for (const sign of [-1, 1]) {
      const [inner, outer] = [sign * 3.5, sign * (road.half - 4.5)];
      d += line([road.beside(space + 0.18, inner), road.beside(space + 0.32, inner),
        road.beside(space + 0.32, outer), road.beside(space + 0.18, outer)]);
    }
  return path('grid', d);
}

/** Arrow heads on the middle line: which way the race goes. */
function arrows(road) {
  let d = '';
  for (let space = 1; space < road.n - 4; space += 3) {
    const at = space + 0.5;
    d += line([road.beside(at - 0.09, -4), road.beside(at + 0.07, 0), road.beside(at - 0.09, 4)]);
  }
  return path('arrow', d);
}

/** How many spaces are left before the next corner line, on each space, beside the race line. */
function distances(road) {
  return Array.from({ length: road.n }, (_, space) => {
    const { x, y } = road.place(space, 1);
    return svg('text', { x: round(x), y: round(y + 3.4) }, number(road.toCorner(space)));
  });
}

/** A place beside the road at about this progress that is free for something of this size. */
function roomBeside(road, at, size, used) {
  let best = null;
  for (const gap of [12, 17, 23, 30])
    for (const shift of [0, 0.35, -0.35, 0.8, -0.8])
      for (const sign of [1, -1]) {
        const spot = road.beside(at + shift, sign * (road.half + gap + size));
        const free = Math.min(road.clearance(spot.x, spot.y) - road.half - KERB,
          ...used.map((each) => Math.hypot(each.x - spot.x, each.y - spot.y) - each.size)) - size;
        const edge = Math.min(spot.x, spot.y, road.width - spot.x, road.height - spot.y) - size;
        const score = Math.min(free, 3) + Math.min(edge, 0) - Math.abs(shift) - gap / 20;
        if (!best || score > best.score) best = { ...spot, score, sign };
      }
  return best;
}

function sign(road, corner, spot) {
  const edge = road.beside(corner.after + 0.5, spot.sign * road.half);
  const { x, y } = spot;
  return svg('g', null,
    path('sign-post', line([edge, spot])),
    svg('circle', { class: 'sign-edge', cx: round(x), cy: round(y), r: SIGN }),
    svg('circle', { class: 'sign-face', cx: round(x), cy: round(y), r: SIGN - 5 }),
    svg('text', { class: 'sign-number', x: round(x), y: round(y + 8.2), 'font-size': corner.limit > 9 ? 20 : 23 },
      number(corner.limit)));
}

/** A big arrow beside the start line. */
function startArrow(road, used) {
  const spot = roomBeside(road, 0.1, 14, used);
  used.push({ x: spot.x, y: spot.y, size: 20 });
  const d = 'M-24-3.5H4V-10L22 0L4 10V3.5H-24Z';
  return svg('path', { class: 'start-arrow', transform: turned(road, spot, 0.1), d });
}

/** Draws the road; also tells where its signs are, and what room they take. */
export function drawRoad(circuit, road) {
  const used = [];
  const signs = circuit.corners.map((corner) => {
    const spot = roomBeside(road, corner.after + 0.5, SIGN, used);
    used.push({ x: spot.x, y: spot.y, size: SIGN });
    return { x: spot.x, y: spot.y, element: sign(road, corner, spot) };
  });
  const loop = area(road.samples);
  const stroke = (name, width) => svg('path', { class: name, d: loop, 'stroke-width': width });
  const each = (f) => Array.from({ length: road.n }, (_, space) => f(space)).join('');
  const lines = circuit.corners.map((corner) => line(across(road, corner.after + 0.5))).join('');
  const element = svg('g', { class: 'road' },
    stroke('verge', 2 * road.half + 26), stroke('road-edge', 2 * road.half + 6), kerbs(circuit, road),
    stroke('asphalt', 2 * road.half),
    path('spots', each((space) => spotArea(road, space, 0) + spotArea(road, space, 1))),
    path('race-line', area(along(road, 0, road.n, road.raceLine))),
    path('separators', each((space) => line(across(road, space + 0.5)))),
    arrows(road), grid(road),
    svg('g', { class: 'distances' }, distances(road)),
    path('corner-line-edge', lines), path('corner-line', lines),
    startLine(road), startArrow(road, used), signs.map((each) => each.element));
  return { element, signs, used };
}

/** A small outline of the road with its start line, to choose by. */
export function drawOutline(circuit, road) {
  const { left, top, right, bottom } = road.bounds;
  const pad = 40;
  const box = [left - pad, top - pad, right - left + 2 * pad, bottom - top + 2 * pad].map(Math.round).join(' ');
  const loop = area(road.samples);
  const corners = circuit.corners.map(({ after }) => road.middle(mod(after + 0.5, road.n)));
  return svg('svg', { class: 'thumbnail', viewBox: box, 'aria-hidden': 'true' },
    path('thumbnail-edge', loop), path('thumbnail-road', loop),
    corners.map(({ x, y }) => svg('circle', { class: 'thumbnail-corner', cx: round(x), cy: round(y), r: 15 })),
    path('thumbnail-start', line(across(road, -0.5, 34))));
}
