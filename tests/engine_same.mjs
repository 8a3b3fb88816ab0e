// For engine_server_test.py: the entries of a race on a server once more, in engine.wasm, and what everybody was told.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createEngine, loadEngine } from '../web/engine.js';

const [wasm, file] = process.argv.slice(2);
const server = JSON.parse(readFileSync(file));
const engine = createEngine(await loadEngine(readFileSync(wasm)));
assert.ok(engine.open(server.id, engine.settle(server.settings), server.opened));

let compared = 0;
const same = (found, expected) => {
  assert.equal(found, expected);
  compared += 1;
};

const states = server.told.map(({ states: texts }) => new Map(texts.map((text) => [JSON.parse(text).n, text])));
server.entries.forEach(({ seat, line, time }, i) => {
  assert.equal(engine.say(seat, line, time), null, line);
  assert.equal(engine.show(), i + 1);
  server.told.forEach(({ seat: viewer, entries }, k) => {
    same(engine.message(viewer), entries[i]);
    if (states[k].has(i + 1)) same(engine.state(viewer), states[k].get(i + 1));
  });
});
for (const { seat, entries } of server.told) same(engine.catchUp(seat, 0).join('\n'), entries.join('\n'));
same(engine.raceFile(), server.race);
same(engine.eventLog(), server.log);
console.log(`${server.entries.length} entries, ${compared} texts are the same`);
