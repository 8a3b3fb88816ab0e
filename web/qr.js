// QR codes (ISO/IEC 18004): bytes, versions 1 to 10, error correction M. Written from the standard's tables.

import { svg } from './dom.js';
import { _ } from './words.js';

// By version, from 1: check bytes of each block, blocks of the first kind and data bytes in them, blocks of the second
// kind, which hold one byte more, and where the alignment patterns lie.
const versions = [
  [10, 1, 16, 0, []],
  [16, 1, 28, 0, [6, 18]],
  [26, 1, 44, 0, [6, 22]],
  [18, 2, 32, 0, [6, 26]],
  [24, 2, 43, 0, [6, 30]],
  [16, 4, 27, 0, [6, 34]],
  [18, 4, 31, 0, [6, 22, 38]],
  [22, 2, 38, 2, [6, 24, 42]],
  [22, 3, 36, 2, [6, 26, 46]],
  [26, 4, 43, 1, [6, 28, 50]],
];

const LEVEL_M = 0;

const sizeOf = (version) => 17 + 4 * version;
const dataBytes = ([, first, bytes, second]) => (first + second) * bytes + second;

/* ---- The field with 256 elements, of x^8 + x^4 + x^3 + x^2 + 1 ------------------------------------------ */

const power = new Uint8Array(255);
const logarithm = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i++) {
  power[i] = x;
  logarithm[x] = i;
  x = (2 * x) ^ (x & 0x80 ? 0x11d : 0);
}
const times = (a, b) => (a === 0 || b === 0 ? 0 : power[(logarithm[a] + logarithm[b]) % 255]);

/** The polynomial with the roots 2^0 to 2^(n-1), highest power first, without its leading 1. */
function generator(n) {
  let product = [1];
  for (let i = 0; i < n; i++) {
    const next = [...product, 0];
    product.forEach((factor, k) => {
      next[k + 1] ^= times(factor, power[i]);
    });
    product = next;
  }
  return product.slice(1);
}

/** What is left when the data, followed by n zeroes, is divided by the generator. */
function checkBytes(data, n) {
  const factors = generator(n);
  const rest = new Array(n).fill(0);
  for (const byte of data) {
    const lead = byte ^ rest.shift();
    rest.push(0);
    factors.forEach((factor, i) => {
      rest[i] ^= times(factor, lead);
    });
  }
  return rest;
}

/* ---- From text to bytes --------------------------------------------------------------------------------- */

/** Mode, length, text and padding, as bytes of a version's whole capacity. */
function dataOf(bytes, version, capacity) {
  const bits = [];
  const put = (value, n) => {
    for (let i = n - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  put(4, 4); // bytes follow
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, 8 * capacity - bits.length));
  while (bits.length % 8 > 0) bits.push(0);
  const data = [];
  for (let i = 0; i < bits.length; i += 8) data.push(parseInt(bits.slice(i, i + 8).join(''), 2));
  for (let pad = 0xec; data.length < capacity; pad ^= 0xec ^ 0x11) data.push(pad);
  return data;
}

/** One byte of each block in turn: first the data, then what checks it. */
function interleave(data, [checks, first, bytes, second]) {
  const blocks = [];
  for (let i = 0, from = 0; i < first + second; i++) {
    const to = from + bytes + (i < first ? 0 : 1);
    blocks.push(data.slice(from, to));
    from = to;
  }
  const nth = (lists, i) => lists.flatMap((list) => list.slice(i, i + 1));
  const turns = (lists, n) => Array.from({ length: n }, (each, i) => nth(lists, i)).flat();
  return [...turns(blocks, bytes + 1), ...turns(blocks.map((block) => checkBytes(block, checks)), checks)];
}

/* ---- Drawing -------------------------------------------------------------------------------------------- */

/** Adds what remains of value after division, both taken as polynomials over two elements. */
function withRemainder(value, checks, divisor) {
  const zeroes = Math.clz32(divisor);
  let rest = value * 2 ** checks;
  while (Math.clz32(rest) <= zeroes) rest ^= divisor * 2 ** (zeroes - Math.clz32(rest));
  return value * 2 ** checks + rest;
}

/** The parts that every code has. Cells: null is still free. */
function frame(version) {
  const size = sizeOf(version);
  const cells = Array.from({ length: size }, () => new Array(size).fill(null));
  const set = (x, y, dark) => {
    if (x >= 0 && y >= 0 && x < size && y < size) cells[y][x] = dark ? 1 : 0;
  };
  const square = (cx, cy, reach, dark) => {
    for (let dy = -reach; dy <= reach; dy++)
      for (let dx = -reach; dx <= reach; dx++) set(cx + dx, cy + dy, dark(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (let i = 0; i < size; i++) {
    set(i, 6, i % 2 === 0);
    set(6, i, i % 2 === 0);
  }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) square(x, y, 4, (ring) => ring !== 2 && ring !== 4);
  const centres = versions[version - 1][4];
  const last = centres.at(-1);
  const inCorner = (x, y) => (x === 6 && (y === 6 || y === last)) || (x === last && y === 6);
  for (const x of centres)
    for (const y of centres)
      if (!inCorner(x, y)) square(x, y, 2, (ring) => ring !== 1);
  if (version >= 7) {
    const bits = withRemainder(version, 12, 0x1f25);
    for (let i = 0; i < 18; i++) {
      const [a, b] = [Math.floor(i / 3), size - 11 + (i % 3)];
      set(a, b, (bits >> i) & 1);
      set(b, a, (bits >> i) & 1);
    }
  }
  format(cells, 0); // keeps its place; the mask is not known yet
  return cells;
}

/** Level and mask, twice, and the one cell that is always dark. */
function format(cells, mask) {
  const size = cells.length;
  const bits = withRemainder(8 * LEVEL_M + mask, 10, 0x537) ^ 0x5412;
  for (let i = 0; i < 15; i++) {
    const bit = (bits >> i) & 1;
    const along = i < 6 ? i : i < 8 ? i + 1 : size - 15 + i;
    cells[along][8] = bit; // upwards beside the left patterns: bit 0 on top
    const across = i < 8 ? size - 1 - i : i === 8 ? 7 : 14 - i;
    cells[8][across] = bit;
  }
  cells[size - 8][8] = 1;
}

/** Where the bits go, in order: columns of two from the right, up and down in turn, around everything fixed. */
function* path(cells) {
  const size = cells.length;
  let upwards = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right--; // the timing pattern has that column
    for (let i = 0; i < size; i++) {
      const y = upwards ? size - 1 - i : i;
      for (const x of [right, right - 1]) if (cells[y][x] === null) yield [x, y];
    }
    upwards = !upwards;
  }
}

const masks = [
  (x, y) => (x + y) % 2 === 0,
  (x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** How hard a code is to read: runs, squares, what looks like a corner, and too much of one colour. */
function penalty(cells) {
  const size = cells.length;
  const lines = [...cells.map((row) => row.join('')), ...cells.map((row, x) => cells.map((each) => each[x]).join(''))];
  let sum = 0;
  for (const line of lines) {
    for (const run of line.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    sum += 40 * ((line.match(/(?=00001011101)/g) ?? []).length + (line.match(/(?=10111010000)/g) ?? []).length);
  }
  for (let y = 0; y + 1 < size; y++)
    for (let x = 0; x + 1 < size; x++) {
      const dark = cells[y][x] + cells[y][x + 1] + cells[y + 1][x] + cells[y + 1][x + 1];
      if (dark === 0 || dark === 4) sum += 3;
    }
  const dark = cells.flat().reduce((a, b) => a + b, 0);
  return sum + 10 * Math.floor(Math.abs(20 * dark - 10 * size * size) / (size * size));
}

/** Rows of 0 and 1; throws a RangeError when the text is too long. A mask may be asked for: tests do. */
export function qrCells(text, wantedMask) {
  const bytes = new TextEncoder().encode(text);
  const version = 1 + versions.findIndex((each, i) => 8 * dataBytes(each) >= 4 + (i < 9 ? 8 : 16) + 8 * bytes.length);
  if (version === 0) throw new RangeError('too long for a QR code');
  const layout = versions[version - 1];
  const stream = interleave(dataOf(bytes, version, dataBytes(layout)), layout);
  const empty = frame(version);
  const places = [...path(empty)];
  const drawn = (mask) => {
    const cells = empty.map((row) => [...row]);
    places.forEach(([x, y], i) => {
      const bit = i < 8 * stream.length ? (stream[i >> 3] >> (7 - (i & 7))) & 1 : 0;
      cells[y][x] = bit ^ (masks[mask](x, y) ? 1 : 0);
    });
    format(cells, mask);
    return cells;
  };
  if (wantedMask !== undefined) return drawn(wantedMask);
  const all = masks.map((each, mask) => drawn(mask));
  const marks = all.map(penalty);
  return all[marks.indexOf(Math.min(...marks))];
}

const QUIET = 4; // cells around it that stay light

/** Dark on light by day and by night: many readers know no other. */
export function qrCode(text) {
  const cells = qrCells(text);
  const size = cells.length + 2 * QUIET;
  const runs = cells.flatMap((row, y) => [...row.join('').matchAll(/1+/g)].map(({ index, 0: run }) =>
    `M${index + QUIET} ${y + QUIET}h${run.length}v1h-${run.length}z`));
  return svg('svg', { class: 'qr', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': _('QR code') },
    svg('rect', { width: size, height: size, fill: '#ffffff' }),
    svg('path', { d: runs.join(''), fill: '#000000', 'shape-rendering': 'crispEdges' }));
}
