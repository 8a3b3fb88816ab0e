#!/bin/bash
# label: fast
# QR codes of web/qr.js are read again by a decoder that shares nothing with it: texts of every length, every mask.
set -euo pipefail

[ "$SANITIZED" = 0 ] || { echo "No C code here."; exit 77; }
command -v node > /dev/null || { echo "node is missing"; exit 77; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$SOURCE_DIR"/web/{qr,dom,words}.js "$scratch"
echo '{"type":"module"}' > "$scratch/package.json"

cat > "$scratch/test.js" << 'END'
import assert from 'node:assert';
import { qrCells } from './qr.js';

// From the standard: the longest text, data bytes and check bytes of each block, all by version, level M.
const longest = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213];
const blocks = [
  [[16], 10], [[28], 16], [[44], 26], [[32, 32], 18], [[43, 43], 24], [[27, 27, 27, 27], 16], [[31, 31, 31, 31], 18],
  [[38, 38, 39, 39], 22], [[36, 36, 36, 37, 37], 22], [[43, 43, 43, 43, 44], 26],
];
const alignment = [[], [18], [22], [26], [30], [34], [22, 38], [24, 42], [26, 46], [28, 50]];
const formats = ['101010000010010', '101000100100101', '101111001111100', '101101101001011', '100010111111001',
  '100000011001110', '100111110010111', '100101010100000']; // by mask
const numbers = { 7: '000111110010010100', 8: '001000010110111100', 9: '001001101010011001', 10: '001010010011010011' };

const multiply = (a, b) => {
  let product = 0;
  for (let i = 7; i >= 0; i--) {
    product = (product << 1) ^ (product & 0x80 ? 0x11d : 0);
    if (b >> i & 1) product ^= a;
  }
  return product;
};

const masked = [
  (i, j) => (i + j) % 2, (i) => i % 2, (i, j) => j % 3, (i, j) => (i + j) % 3,
  (i, j) => ((i >> 1) + Math.trunc(j / 3)) % 2, (i, j) => i * j % 2 + i * j % 3,
  (i, j) => (i * j % 2 + i * j % 3) % 2, (i, j) => ((i + j) % 2 + i * j % 3) % 2,
].map((f) => (i, j) => f(i, j) === 0);

/** Whether a cell belongs to something fixed. */
function fixed(row, column, version, size) {
  if (row === 6 || column === 6) return true;
  if (row < 9 && (column < 9 || column >= size - 8) || row >= size - 8 && column < 9) return true;
  if (version >= 7 && (row < 6 && column >= size - 11 || column < 6 && row >= size - 11)) return true;
  const near = (value) => [6, ...alignment[version - 1]].find((centre) => Math.abs(centre - value) <= 2);
  const [a, b] = [near(row), near(column)];
  if (a === undefined || b === undefined) return false;
  const last = size - 7;
  return !(a === 6 && b === 6 || a === 6 && b === last || a === last && b === 6);
}

function checkPatterns(cells, version) {
  const size = cells.length;
  const finder = ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111'];
  const part = (row, column, n) => cells.slice(row, row + n).map((each) => each.slice(column, column + n).join(''));
  assert.deepEqual(part(0, 0, 7), finder);
  assert.deepEqual(part(0, size - 7, 7), finder);
  assert.deepEqual(part(size - 7, 0, 7), finder);
  for (let i = 0; i < 8; i++)
    for (const [row, at] of [[7, i], [i, 7], [7, size - 1 - i], [i, size - 8], [size - 8, i], [size - 1 - i, 7]])
      assert.equal(cells[row][at], 0);
  for (let i = 8; i < size - 8; i++) {
    assert.equal(cells[6][i], 1 - i % 2);
    assert.equal(cells[i][6], 1 - i % 2);
  }
  for (const row of alignment[version - 1])
    for (const column of alignment[version - 1])
      assert.deepEqual(part(row - 2, column - 2, 5), ['11111', '10001', '10101', '10001', '11111']);
  assert.equal(cells[size - 8][8], 1);
  if (version >= 7) {
    let [right, low] = ['', ''];
    for (let i = 17; i >= 0; i--) {
      right += cells[Math.trunc(i / 3)][size - 11 + i % 3];
      low += cells[size - 11 + i % 3][Math.trunc(i / 3)];
    }
    assert.equal(right, numbers[version]);
    assert.equal(low, numbers[version]);
  }
}

function decode(cells) {
  const size = cells.length;
  const version = (size - 17) / 4;
  checkPatterns(cells, version);
  const column = (row) => cells[row][8];
  const first = [0, 1, 2, 3, 4, 5, 7, 8].map((i) => cells[8][i]).join('') + [7, 5, 4, 3, 2, 1, 0].map(column).join('');
  let second = '';
  for (let i = 1; i <= 7; i++) second += column(size - i);
  for (let i = 8; i >= 1; i--) second += cells[8][size - i];
  assert.equal(first, second);
  const mask = formats.indexOf(first);
  assert.ok(mask >= 0, `no format of level M: ${first}`);

  let bits = '';
  for (let pair = 0, right = size - 1; right > 0; pair++, right -= right === 8 ? 3 : 2)
    for (let i = 0; i < size; i++) {
      const row = pair % 2 === 0 ? size - 1 - i : i;
      for (const at of [right, right - 1])
        if (!fixed(row, at, version, size)) bits += cells[row][at] ^ (masked[mask](row, at) ? 1 : 0);
    }
  const [data, checks] = blocks[version - 1];
  const bytes = bits.match(/.{8}/g).map((each) => parseInt(each, 2));
  assert.equal(bytes.length, data.reduce((a, b) => a + b, 0) + data.length * checks);
  assert.match(bits.slice(8 * bytes.length), /^0*$/); // what is left over is light

  const found = data.map(() => []);
  for (let i = 0; i < Math.max(...data); i++) data.forEach((length, k) => i < length && found[k].push(bytes.shift()));
  for (let i = 0; i < checks; i++) data.forEach((length, k) => found[k].push(bytes.shift()));
  for (const block of found)
    for (let i = 0, root = 1; i < checks; i++, root = multiply(root, 2))
      assert.equal(block.reduce((sum, byte) => multiply(sum, root) ^ byte, 0), 0, 'a syndrome is not zero');

  const bytesOf = found.flatMap((block, k) => block.slice(0, data[k]));
  let stream = bytesOf.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const take = (n) => {
    const value = parseInt(stream.slice(0, n), 2);
    stream = stream.slice(n);
    return value;
  };
  assert.equal(take(4), 4);
  const length = take(version < 10 ? 8 : 16);
  const text = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from({ length }, () => take(8)));
  assert.match(stream, /^0{0,4}0*(1110110000010001)*(11101100)?$/); // end and padding
  return { text, version, mask };
}

const alphabet = 'https://Hairpin.example/#race/0123456789abcdef?&=%~_-+ ()';
const letter = (i, seed) => alphabet[(i * 31 + seed * 17 + i * i * seed) % alphabet.length];
const textOf = (length, seed) => Array.from({ length }, (each, i) => letter(i, seed)).join('');

const seen = new Set();
for (let length = 0; length <= 213; length++) {
  const text = textOf(length, length % 7);
  const { version, mask, ...read } = decode(qrCells(text));
  assert.equal(read.text, text);
  assert.equal(version, 1 + longest.findIndex((most) => length <= most), 'the smallest version that holds it');
  seen.add(mask);
}
assert.ok(seen.size >= 5, 'many masks are chosen');
assert.throws(() => qrCells(textOf(214, 1)), RangeError);

for (const length of longest)
  for (let mask = 0; mask < 8; mask++) assert.deepEqual(decode(qrCells(textOf(length, 3), mask)).mask, mask);

for (const text of ['Zürich–Ελλάδα 🏁', '\u0000\u007f\u0080', 'x'.repeat(213), 'é'.repeat(106)])
  assert.equal(decode(qrCells(text)).text, text);
console.log(`${214 + 80 + 4} codes read, masks chosen: ${[...seen].sort()}`);
END
node "$scratch/test.js"
