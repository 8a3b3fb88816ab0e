// The country around the road. A few shapes of our own, printed in flat inks, put where the road leaves room.
// The circuit's name seeds the placing, so that a circuit looks the same every time.

import { svg } from './dom.js';

const disc = (x, y, r, s = r) => `M${x - r} ${y}a${r} ${s} 0 1 0 ${2 * r} 0a${r} ${s} 0 1 0 ${-2 * r} 0z`;

// Every shape stands on 0,0: the radius of the room it takes, then inks (colours of board.css) and what they print.
const SHAPES = {
  tree: [15, 'bark', 'M-2 0V-10H2V0Z', 'leaf', disc(0, -17, 12),
    'leaf2', 'M4-28.3A12 12 0 1 1-9-9A14 14 0 0 0 4-28.3Z'],
  oak: [21, 'bark', 'M-3 0V-14H3V0Z', 'leaf', disc(-9, -18, 10) + disc(9, -18, 10) + disc(0, -27, 12),
    'leaf2', 'M4-9A10 10 0 1 0 16-25A14 14 0 0 1 4-9ZM-15-10A10 10 0 0 0-1-13A15 15 0 0 1-15-10Z'],
  hedge: [16, 'leaf2', disc(-11, -5, 6) + disc(-3, -6, 6.5) + disc(5, -5.5, 6) + disc(12, -5, 5)],
  sheep: [7, 'dark', 'M-4.6 0h1.4v-4h-1.4zM2 0h1.4v-4H2zM4.5-8.5h4.2q0 4-3 4z',
    'cloud', disc(-2.5, -6, 3.6) + disc(1.5, -6.6, 3.8) + disc(-.5, -4.8, 3.4)],
  cloud: [34, 'cloud', disc(-20, -9, 11) + disc(-4, -17, 16) + disc(15, -11, 13) + 'M-22 2H18V-10H-22Z'],
  cottage: [20, 'wall', 'M-13 0V-11H13V0Z', 'roof', 'M-16-10L-9-22H9L16-10ZM7-21V-27H11V-18Z',
    'glow', 'M-9-2.5V-7.5H-4V-2.5ZM5-2.5V-7.5H10V-2.5Z', 'dark', 'M-1.5 0V-7.5H2.5V0Z'],
  mesa: [52, 'rock3', 'M-56 4L-38-22H38L58 4Z', 'rock', 'M-40-20L-33-52H27L38-20Z',
    'rock2', 'M6-52H27L38-20H14ZM-18-52L-12-40L-16-20H-22L-20-40Z', 'rock3', 'M-35.6-40H31L32.6-35H-36.8Z'],
  butte: [31, 'rock3', 'M-28 3L-16-17H16L30 3Z', 'rock', 'M-15-16L-12-52H9L15-16Z', 'rock2', 'M1-52H9L15-16H4Z',
    'rock3', 'M-13-41H10.8L11.7-37H-13.4Z'],
  cactus: [15,
    'leaf', 'M-3 0V-24A3 3 0 0 1 3-24V-13H6V-18A2 2 0 0 1 10-18V-9H3V0ZM-3-8H-10V-19A2 2 0 0 1-6-19V-12H-3Z',
    'leaf2', 'M1 0V-26.5A3 3 0 0 1 3-24V0Z'],
  shrub: [7, 'leaf2', 'M0 0L-8-5L-3-4L-5-10L0-5L4-11L3.4-4L8-6Z'],
  rock: [8, 'rock', 'M-8 0L-5-6L1-8L7-4L9 0Z', 'rock2', 'M1-8L7-4L9 0H2Z'],
  watertower: [21, 'dark', 'M-9 0L-6-18H-4L-7 0ZM9 0L6-18H4L7 0ZM-1 0V-18H1V0Z',
    'wall', 'M-11-18V-33H11V-18Z', 'roof', 'M-13-33L0-41L13-33ZM-11-18V-22H11V-18Z'],
  stand: [42, 'dark', 'M-40 0V-8H40V0Z', 'wall', 'M-40-6L-36-28H36L40-6Z',
    'crowd', 'M-36-10h72M-35-15h70M-34.4-20h69', 'roof', 'M-42-28L-36-37H36L42-28Z',
    'cloud', 'M-27-28L-22.5-37H-13.5L-16-28ZM-5-28L-4-37H4L5-28ZM16-28L13.5-37H22.5L27-28Z',
    'dark', 'M-36.6-28h1.6V-48h-1.6zM35-28h1.6V-48H35z', 'roof', 'M-35-48L-22-45L-35-41ZM36.6-48L49-45L36.6-41Z'],
  tent: [18, 'wall', 'M-14 0V-9H14V0Z', 'roof', 'M-17-8L0-24L17-8Z', 'cloud', 'M-6-8L0-24L6-8Z',
    'dark', 'M-.6-23V-31H.6V-23Z', 'roof', 'M.6-31L9-28.5L.6-26Z'],
  cypress: [17, 'bark', 'M-1.5 0V-5H1.5V0Z', 'leaf2', 'M0-40C6-28 7-8 4-3H-4C-7-8-6-28 0-40Z',
    'leaf', 'M0-40C-6-28-7-8-4-3H-1C-3-14-3-28 0-40Z'],
  pine: [20, 'bark', 'M-2 0L-1-20L-8-27H-5L1-22L6-28H9L2.4-19L3 0Z',
    'leaf', 'M-20-26Q-18-39 0-40Q18-39 20-26Q10-30 0-27Q-10-30-20-26Z',
    'leaf2', 'M3-40Q18-38 20-26Q10-30 0-27Q12-31 3-40Z'],
  villa: [29, 'wall', 'M-22 0V-17H10V0ZM8 0V-32H21V0Z', 'roof', 'M-25-16L-20-24H8V-16ZM6-31L14.5-39L23-31Z',
    'glow', 'M-18-4V-11H-14V-4ZM-10-4V-11H-6V-4ZM-2-4V-11H2V-4ZM12.5-19V-26H16.5V-19ZM12.5-7V-13H16.5V-7Z'],
  boat: [17, 'roof', 'M-12-4H12L8 1H-8Z', 'cloud', 'M-1-6V-31L-12-6ZM1.5-6V-26L11-6Z'],
  plane: [22, 'bark', 'M-2.5 0L-2-15L-8-21L-6-22L0-18L6-23L8-22L2.4-15L3 0Z',
    'leaf', disc(-10, -24, 10) + disc(10, -24, 10) + disc(0, -32, 12) + disc(0, -22, 9),
    'leaf2', disc(11, -22, 6) + disc(-6, -19, 4.6) + disc(5, -33, 5)],
  church: [36, 'wall', 'M-14 0V-20H22V0ZM-30 0V-34H-14V0Z', 'roof', 'M-14-19L-8-32H17L24-19ZM-32-33L-22-60L-12-33Z',
    'dark', 'M-22.7-59V-70H-21.3V-59ZM-25-67V-65.6H-19V-67ZM-25 0V-9A3 3 0 0 1-19-9V0Z',
    'glow', 'M-24.5-20V-26A2.5 2.5 0 0 1-19.5-26V-20ZM-7-6V-13H-3V-6ZM3-6V-13H7V-6ZM13-6V-13H17V-6Z'],
  balloon: [32, 'roof', 'M0-62A20 20 0 0 1 20-42C20-30 8-22 5-14H-5C-8-22-20-30-20-42A20 20 0 0 1 0-62Z',
    'cloud', 'M0-62C9-58 10-30 2.4-14H-2.4C-10-30-9-58 0-62Z',
    'bark', 'M-4-8H4L3-1H-3ZM-4.5-14h.9v6h-.9zM3.6-14h.9v6h-.9z'],
};

// What a country has: once each, in this order of claim; then many, by weight; and the ground below.
const SCENES = {
  usa: { ground: desert, once: ['mesa', 'mesa', 'butte', 'watertower', 'mesa', 'butte'],
    many: { cactus: 5, shrub: 8, rock: 4, butte: 1 }, count: 130 },
  'great-britain': { ground: fields, once: ['cottage', 'cloud', 'cloud', 'tent', 'cottage', 'tent', 'cloud'],
    many: { tree: 6, oak: 5, hedge: 5, sheep: 5, cloud: 0.3 }, count: 190 },
  italy: { ground: hills, once: ['villa', 'villa', 'tent', 'villa', 'pine', 'pine'],
    many: { cypress: 8, pine: 4, tree: 2, cottage: 1 }, count: 150, sea: true },
  france: { ground: lavender, once: ['church', 'cottage', 'cottage', 'balloon', 'cottage', 'cottage', 'tent'],
    many: { plane: 6, cypress: 4, hedge: 3 }, count: 150 },
};
const NEUTRAL = { ...SCENES['great-britain'], once: ['tent', 'cottage', 'tent'] };

/** Numbers from 0 to 1 that only depend on a text. */
function chance(text) {
  let state = 2166136261;
  for (const letter of text) state = Math.imul(state ^ letter.codePointAt(0), 16777619);
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

const path = (ink, d) => svg('path', { fill: `var(--${ink})`, d });
const lines = (name, d) => svg('path', { class: name, d });
const mix = (a, b, t) => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
const xy = (x, y) => `${Math.round(x)} ${Math.round(y)}`;
const dots = (points) => `M${points.map((each) => xy(...each)).join('L')}`;

const sunOf = ({ bounds }) => ({ x: bounds.left + 40, y: bounds.top + 50, size: 66 });

/** A low sun and its rays over the sand, dunes below. */
function desert(world, dice, road) {
  const { x, y } = sunOf(road);
  const rays = Array.from({ length: 18 }, (_, k) => {
    const end = (turn) => [x + 2600 * Math.cos((turn * Math.PI) / 9), y + 2600 * Math.sin((turn * Math.PI) / 9)];
    return dots([[x, y], end(k), end(k + 0.5)]);
  });
  const dunes = Array.from({ length: 26 }, () => {
    const width = 90 + dice() * 160;
    const from = xy(world.x + dice() * world.width, world.y + dice() * world.height);
    return `M${from}q${xy(width / 2, -14 - dice() * 14)} ${xy(width, 0)}t${xy(width, 0)}`;
  });
  return [path('ground2', rays.join('')), lines('furrow', dunes.join('')), path('sun2', disc(x, y, 96)),
    path('sun', disc(x, y, 70))];
}

/** A patchwork of fields; plough(cell, ink) may draw something on one. */
function patchwork(world, dice, inks, plough) {
  const size = 135;
  const columns = Math.ceil(world.width / size) + 1;
  const rows = Math.ceil(world.height / size) + 1;
  const corner = [];
  for (let r = 0; r <= rows; r++)
    for (let c = 0; c <= columns; c++) {
      const [right, down] = [(dice() - 0.5) * 0.55 + (r % 2) * 0.3 - 0.5, (dice() - 0.5) * 0.5 - 0.5];
      corner.push([world.x + (c + right) * size, world.y + (r + down) * size]);
    }
  const drawn = [];
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) {
      const k = r * (columns + 1) + c;
      const cell = [corner[k], corner[k + 1], corner[k + columns + 2], corner[k + columns + 1]];
      const ink = inks[Math.floor(dice() * inks.length)];
      drawn.push(svg('path', { class: 'field', fill: `var(--${ink})`, d: `${dots(cell)}Z` }), plough(cell, ink));
    }
  return drawn;
}

/** Rows from one side of a field to the other. */
function furrows(name, [a, b, c, d], count) {
  const rows = Array.from({ length: count }, (_, k) => {
    const t = 0.08 + (0.84 * k) / (count - 1);
    const [from, to] = [mix(a, d, t), mix(b, c, t)];
    return dots([mix(from, to, 0.07), mix(from, to, 0.93)]);
  });
  return lines(name, rows.join(''));
}

function fields(world, dice) {
  return patchwork(world, dice, ['ground', 'ground', 'ground2', 'ground3', 'ground4'],
    (cell, ink) => ink === 'ground3' && furrows('furrow', cell, 9));
}

function lavender(world, dice) {
  return patchwork(world, dice, ['ground', 'ground2', 'ground3', 'ground4', 'ground4'], (cell, ink) =>
    (ink === 'ground4' && furrows('lavender', cell, 8)) || (ink === 'ground3' && furrows('furrow', cell, 10)));
}

/** Hills behind hills, some with vines. */
function hills(world, dice) {
  const drawn = [];
  const inks = ['ground', 'ground3', 'ground2', 'ground4'];
  for (let row = 0; row * 58 < world.height + 60; row++) {
    let ridge = `M${xy(world.x - dice() * 200, world.y + row * 58)}`;
    for (let way = -200; way < world.width; ) {
      const width = 150 + dice() * 170;
      ridge += `q${xy(width / 2, -width * (0.34 + dice() * 0.16))} ${xy(width, 0)}`;
      way += width;
    }
    const ink = inks[row % 4];
    drawn.push(path(ink, `${ridge}v200H${Math.round(world.x - 200)}Z`));
    for (let k = 1; k < 7 && ink === 'ground3'; k++)
      drawn.push(svg('path', { class: 'furrow', d: ridge, transform: `translate(0 ${k * 10})` }));
  }
  return drawn;
}

/** The sea takes the lower right, as near as the road allows: where x + y is more than shore. */
function coast(world, road, dice) {
  const shore = Math.max(...road.samples.map(({ x, y }) => x + y)) + (road.half + 26) * Math.SQRT2;
  const [far, low] = [world.x + world.width + 200, world.y + world.height + 1500];
  const points = [];
  for (let x = far; shore - x < low; x -= 45) points.push([x, shore - x + 14 * Math.sin(x / 47) + dice() * 18]);
  const bend = (each, k) => `Q${xy(...points[k])} ${xy(...mix(points[k], each, 0.5))}`;
  const line = `M${xy(...points[0])}${points.slice(1).map(bend).join('')}`;
  const waves = Array.from({ length: 170 }, () => [world.x + dice() * world.width, world.y + dice() * world.height])
    .filter(([x, y]) => x + y > shore + 70).map((each) => `M${xy(...each)}q5 -6 10 0t10 0t10 0`);
  const water = path('water', `${line}V${low}H${far}Z`);
  return { shore, drawn: [water, lines('beach', line), lines('wave', waves.join(''))] };
}

/** The circuit's name in slanted capitals, where there is most room for it. */
export function drawTitle(circuit, title, road, home, used) {
  if (SCENES[circuit.name]?.ground === desert) used.push(sunOf(road));
  for (const size of [46, 38, 31, 25]) {
    const reach = title.length * size * 0.37 + size * 0.5;
    const count = Math.ceil(reach / size) + 1;
    const spots = Array.from({ length: 2 * count + 1 }, (_, k) => ((k - count) / count) * reach);
    let best = null;
    for (let y = home.y + size; y < home.y + home.height - size; y += 9)
      for (let x = home.x + reach + 12; x < home.x + home.width - reach - 12; x += 14) {
        const room = Math.min(...spots.map((each) => Math.min(road.clearance(x + each, y) - road.half - 10,
          ...used.map((other) => Math.hypot(other.x - x - each, other.y - y) - other.size))));
        if (room > size * 0.62 && (!best || room > best.room)) best = { x, y, room };
      }
    if (!best) continue;
    used.push(...spots.map((each) => ({ x: best.x + each, y: best.y, size: size * 0.6 })));
    const bar = (y, from) => `M${xy(from, y * size)}H${Math.round(reach)}v${size * 0.09}H${Math.round(from - 3)}z`;
    return svg('g', { class: 'title', transform: `translate(${xy(best.x, best.y)}) skewX(-14)` },
      svg('text', { y: size * 0.3, 'font-size': size, textLength: Math.round(2 * reach - size * 0.6),
        lengthAdjust: 'spacingAndGlyphs' }, title),
      path('roof', bar(0.46, -reach)), path('sun', bar(0.62, -reach * 0.6)));
  }
  return null;
}

/** Draws the country; used: the room that is taken already; home: what is seen at first. */
export function drawScenery(circuit, road, home, used) {
  const scene = SCENES[circuit.name] ?? NEUTRAL;
  const dice = chance(circuit.name);
  const world = { x: home.x - 420, y: home.y - 420, width: home.width + 840, height: home.height + 840 };
  const ground = scene.ground(world, dice, road);
  const sea = scene.sea ? coast(world, road, dice) : { shore: Infinity, drawn: [] };
  const standing = [];
  const taken = [...used];

  /** Puts a shape somewhere in an area; what is lonely keeps off from others, and from the edge. */
  function put(name, area, tries, lonely = 0) {
    const [radius, ...parts] = SHAPES[name];
    for (let k = 0; k < tries; k++) {
      const scale = 0.9 + dice() * 0.25;
      const size = radius * scale;
      const edge = lonely && size;
      const x = area.x + edge + dice() * (area.width - 2 * edge);
      const y = area.y + edge + dice() * (area.height - 2 * edge);
      const wet = x + y - sea.shore;
      if (name === 'boat' ? wet < size + 40 : wet > -1.5 * size - 12) continue;
      if (road.clearance(x, y) < road.half + 12 + size) continue;
      if (taken.some((each) => Math.hypot(each.x - x, each.y - y) < each.size + size * 0.86 + 2 + lonely)) continue;
      taken.push({ x, y, size });
      const transform = `translate(${xy(x, y + size * 0.9)}) scale(${scale.toFixed(2)})`;
      standing.push({ y: y + size, drawn: svg('g', { transform },
        parts.map((ink, k) => k % 2 === 0 && (ink === 'crowd' ? lines : path)(ink, parts[k + 1]))) });
      return;
    }
  }

  if (scene.sea) for (let k = 0; k < 4; k++) put('boat', k ? world : home, 80, 30);
  const start = road.middle(-1);
  put('stand', { x: start.x - 170, y: start.y - 170, width: 340, height: 340 }, 300, 1);
  for (const name of scene.once) put(name, home, 160, 2);
  const bag = Object.entries(scene.many);
  const sum = bag.reduce((total, [, weight]) => total + weight, 0);
  for (let k = 0; k < scene.count; k++) {
    let pick = dice() * sum;
    const [name] = bag.find(([, weight]) => (pick -= weight) < 0) ?? bag[0];
    put(name, k % 3 === 0 ? home : world, 10);
  }
  standing.sort((a, b) => a.y - b.y);
  return svg('g', null, ground, sea.drawn, standing.map((each) => each.drawn));
}
