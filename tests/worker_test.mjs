// For engine_test.sh: node worker_test.mjs engine.wasm. The worker without a browser: what it tells when its engine
// cannot be fetched, and that it comes back when it can.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const bytes = readFileSync(process.argv[2]);
const told = [];
let network = 'none';
globalThis.navigator ??= {};
globalThis.onmessage = null;
globalThis.postMessage = (m) => told.push(m);
globalThis.fetch = async () => {
  if (network === 'none') throw new TypeError('network');
  if (network === 'whole') return new Response(bytes);
  return new Response(new ReadableStream({ pull: (stream) => stream.error(new TypeError('cut off')) }));
};
await import('../web/worker.js');

async function answer(what) {
  const before = told.length;
  onmessage({ data: what });
  for (let i = 0; i < 10000 && told.length === before; i++) await new Promise((done) => setTimeout(done, 5));
  assert.ok(told.length > before, JSON.stringify(what));
  return told[before];
}

const seats = [{ kind: 'person', name: 'Ada', colour: 'red' }, { kind: 'bot' }];
const open = (number) => answer({ what: 'call', number, name: 'open', args: [{ circuit: 'usa', laps: 1, seats }] });
assert.equal((await open(1)).error.code, 'offline');
assert.equal((await answer({ what: 'follow', number: 2, id: 'x', token: null, since: 0 })).status, 'lost');
network = 'cut off';
assert.equal((await open(6)).error.code, 'offline');
network = 'whole';
const { value } = await open(3);
assert.equal(value.tokens.length, 1);
assert.equal((await answer({ what: 'follow', number: 4, id: 'x', token: null, since: 0 })).status, 'gone');
const { text } = await answer({ what: 'follow', number: 5, id: value.id, token: value.tokens[0].token, since: 0 });
assert.equal(JSON.parse(text).n, 1);
console.log('worker.js: fine');
process.exit(0);
