// For engine_test.sh: node engine_test.mjs engine.wasm FOLDER. Race files and event logs of its races are put there.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { createEngine, loadEngine } from '../web/engine.js';
import { createKeeper, createMemory } from '../web/keeper.js';

const [wasm, folder] = process.argv.slice(2);
const bytes = readFileSync(wasm);
const module = await loadEngine(bytes);
const person = { kind: 'person', name: 'Ada "x" \\', colour: 'red' };
const bot = (level) => ({ kind: 'bot', level });
const pick = (list) => list[Math.floor(Math.random() * list.length)];
const soon = () => new Promise((resolve) => setTimeout(resolve, 0));
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

const tests = {
  'nothing is imported, and it is small'() {
    assert.deepEqual(WebAssembly.Module.imports(module), []);
    const sent = gzipSync(bytes).length; // its part of the 250 KB that all of the page may have (browser/site.test.mjs)
    assert.ok(sent < 65_000, `${sent} bytes, compressed`);
  },

  async 'whole races on all circuits'() {
    const { circuits } = createEngine(module);
    for (const { name } of circuits()) {
      const store = createMemory();
      const keeper = createKeeper({ module, store });
      const seats = [person, bot('rookie'), bot('driver'), bot(name === 'usa' ? 'champion' : 'rookie')];
      const { id, tokens } = await keeper.open({ circuit: name, laps: 1, seats });
      const told = await race(keeper, id, tokens[0].token);
      const file = await keeper.afterwards(id, false);
      const log = await keeper.afterwards(id, true);
      writeFileSync(`${folder}/${name}.race`, file);
      writeFileSync(`${folder}/${name}.jsonl`, log);
      await checkAfterwards(keeper, store, { id, token: tokens[0].token, told, file, log });
      checkFile(file, log, (await keeper.notice(id)).commitment);
    }
  },

  async 'nothing is told that is not stored'() {
    for (let i = 0; i < 5; i++) {
      const store = createMemory();
      const { append } = store;
      const mayFail = (entry) => (entry.n > 1 && Math.random() < 0.1 ? Promise.reject(new Error()) : append(entry));
      const keeper = createKeeper({ module, store: { ...store, append: mayFail }, rest: 1 });
      const opening = { circuit: 'italy', laps: 1, seats: [person, bot('rookie')] };
      const { id, tokens } = await keeper.open(opening);
      const told = await race(keeper, id, tokens[0].token, ['not_stored', 'old', 'not_your_turn', 'wrong_step']);
      assert.deepEqual(told, await entriesOf(createKeeper({ module, store }), id, tokens[0].token));
    }
  },

  async 'a full store is not asked again and again'() {
    let full = true;
    let asked = 0;
    const store = createMemory();
    const { append } = store;
    store.append = (entry) => (++asked, full ? Promise.reject(new Error()) : append(entry));
    const keeper = createKeeper({ module, store });
    const opening = { circuit: 'usa', laps: 1, seats: [person, bot('rookie')] };
    await assert.rejects(keeper.open(opening), { code: 'not_stored' });
    assert.equal(asked, 1);
    full = false;
    const { id, tokens } = await keeper.open(opening);
    full = true;
    const told = [];
    const { close } = await keeper.follow(id, tokens[0].token, 0, { tell: (text) => told.push(text), end() {} });
    for (let i = 0; i < 200; i++) await soon();
    assert.ok(told.some((text) => text.includes('not_stored')));
    assert.ok(asked < 6, `asked ${asked} times`);
    full = false;
    await close();
  },

  async 'two tabs with one store tell the same'() {
    const store = createMemory();
    const keepers = [];
    const others = (own) => keepers.filter((keeper) => keeper !== keepers[own]);
    for (const own of [0, 1]) {
      const changed = (id) => others(own).forEach((keeper) => keeper.refresh(id));
      keepers.push(createKeeper({ module, store, changed }));
    }
    const second = { kind: 'person', name: 'Bo', colour: 'blue' };
    const { id, tokens } = await keepers[0].open({ circuit: 'usa', laps: 1, seats: [person, second, bot('driver')] });
    const refused = ['old', 'not_stored', 'not_your_turn', 'wrong_step', 'nothing_planned'];
    const told = await Promise.all(tokens.map(({ token }, i) => race(keepers[i], id, token, refused)));
    for (const [i, { token }] of tokens.entries()) {
      assert.deepEqual(told[i], await entriesOf(createKeeper({ module, store }), id, token));
    }
  },

  async 'what is said while another tab is quicker is said again'() {
    const store = createMemory();
    const seats = [person, { kind: 'person', name: 'Bo', colour: 'blue' }];
    const [first, second] = [createKeeper({ module, store }), createKeeper({ module, store })]; // neither hears the other
    const { id, tokens } = await first.open({ circuit: 'usa', laps: 1, seats });
    const follow = async (keeper, { token }) => {
      const told = [];
      const { say } = await keeper.follow(id, token, 0, { tell: (text) => told.push(JSON.parse(text)), end() {} });
      const act = () => say(`act ${told.at(-1).n} ${told.at(-1).acts[0]}`);
      const until = async (found) => {
        for (let i = 0; i < 200 && !told.some(found); i++) await soon();
        assert.ok(told.some(found), JSON.stringify(told.map(({ acts, view, table, ...m }) => m)));
      };
      return { told, act, until };
    };
    const [ada, bo] = [await follow(first, tokens[0]), await follow(second, tokens[1])];
    bo.act();
    await bo.until(({ m, seat }) => m === 'entry' && seat === 1);
    ada.act();
    await ada.until(({ m, seat }) => m === 'entry' && seat === 0);
    assert.ok(ada.told.every(({ m }) => m !== 'error'));
    assert.deepEqual(ada.told.filter(({ m }) => m === 'entry').map(({ seat }) => seat), [-1, 1, 0]);
  },

  async 'a race that is removed in one tab ends in the other'() {
    const store = createMemory();
    const second = createKeeper({ module, store });
    const first = createKeeper({ module, store, changed: (id) => second.refresh(id) });
    const { id, tokens } = await first.open({ circuit: 'usa', laps: 1, seats: [person] });
    let ended = false;
    await second.follow(id, tokens[0].token, 0, { tell() {}, end: () => (ended = true) });
    await first.forget(id);
    for (let i = 0; i < 50 && !ended; i++) await soon();
    assert.ok(ended);
  },

  async 'a clock runs out, a rematch, a seat that is left'() {
    let time = 1_000_000;
    const keeper = createKeeper({ module, store: createMemory(), now: () => (time += 400) });
    const opening = { circuit: 'france', laps: 1, clock: 1, seats: [person, bot('rookie')] };
    const { id, tokens } = await keeper.open(opening);
    const messages = [];
    const end = () => assert.fail('gone');
    const tell = (text) => messages.push(JSON.parse(text));
    const { say } = await keeper.follow(id, tokens[0].token, 0, { tell, end });
    const until = async (found) => {
      for (let i = 0; i < 5000 && !messages.some(found); i++) await soon();
      assert.ok(messages.some(found));
    };
    await until(({ what }) => what === 'late');
    await until(({ table }) => table?.phase === 'over');
    say('rematch');
    say('rematch');
    await until(({ what }) => what === 'rematch');
    const [again, ...more] = (await keeper.tables()).filter((table) => table.id !== id);
    assert.equal(more.length, 0);
    assert.equal((await keeper.notice(id)).rematch, again.id);
    await assert.rejects(keeper.take(again.id, 0, {}, null), { code: 'seat_kept' });
    assert.deepEqual(await keeper.take(again.id, 0, {}, tokens[0].token), tokens[0]);
    assert.equal((await keeper.notice(again.id)).phase, 'racing');
    await keeper.forget(again.id);
    say('rematch'); // of which there is none any more
    await until(({ table }) => (table?.rematch ?? again.id) !== again.id);
    assert.deepEqual((await keeper.tables()).map((table) => table.id).sort(), [id, (await keeper.notice(id)).rematch].sort());
    await keeper.forget(id).catch(() => {});
    await assert.rejects(keeper.notice(id), { code: 'no_such_table' });
  },

  async 'many races need few engines'() {
    const { Instance } = WebAssembly;
    let made = 0;
    const alive = new Set();
    WebAssembly.Instance = function (...args) {
      made += 1;
      const instance = new Instance(...args);
      alive.add(new WeakRef(instance.exports));
      return instance;
    };
    try {
      const store = createMemory();
      const keeper = createKeeper({ module, store });
      const opening = { circuit: 'usa', laps: 1, seats: [person, bot('rookie')] };
      const opened = [];
      for (let i = 0; i < 40; i++) opened.push(await keeper.open(opening));
      const { id, tokens } = opened[0];
      const told = [];
      const { say, close } = await keeper.follow(id, tokens[0].token, 0, { tell: (text) => told.push(JSON.parse(text)), end() {} });
      await keeper.tables();
      say(`act ${told.at(-1).n} ${told.at(-1).acts[0]}`); // it is followed, and so it is still there
      for (let i = 0; i < 200 && told.at(-1).n < 3; i++) await soon();
      assert.ok(told.at(-1).n >= 3 && told.every(({ m }) => m !== 'error'), JSON.stringify(told.at(-1)));
      await close();
      for (let i = 0; i < 20; i++) await soon();
      collect();
      const left = [...alive].filter((each) => each.deref()).length;
      assert.ok(left < 15, `${left} engines for 40 races`);
      made = 0;
      const fresh = createKeeper({ module, store }); // as after a reload
      const list = await fresh.tables();
      assert.equal(made, 1, 'nothing is played again for a list');
      assert.deepEqual(list.find((each) => each.id === id).notice, await keeper.notice(id));
      assert.equal(list.length, 40);
      await store.append({ id, n: (await store.count(id)) + 1, time: Date.now(), seat: 0, line: 'phrase 1' });
      made = 0;
      assert.equal((await fresh.tables()).find((each) => each.id === id).notice.n, (await store.count(id)));
      assert.equal(made, 1, 'but what has gone on');
    } finally {
      WebAssembly.Instance = Instance;
    }
  },

  async 'the oldest races that are over go, and no other'() {
    let time = 1_000_000;
    const store = createMemory();
    const keeper = createKeeper({ module, store, now: () => (time += 1000) });
    const opening = { circuit: 'usa', laps: 1, seats: [person, bot('rookie')] };
    const waits = await keeper.open(opening);
    const first = await keeper.open(opening);
    await race(keeper, first.id, first.tokens[0].token);
    const [record, entries] = [await store.table(first.id), await store.entries(first.id)];
    for (let i = 1; i <= 202; i++) {
      const id = `${i}`.padStart(22, '0');
      await store.create({ ...record, id, summary: { ...record.summary, changed: time + i, entries: entries.length,
        notice: { ...(await keeper.notice(first.id)), id } } });
      for (const entry of entries) await store.append({ ...entry, id });
    }
    const left = (await createKeeper({ module, store }).tables()).map(({ id }) => id);
    assert.equal(left.length, 201);
    assert.equal(left[0], '202'.padStart(22, '0'));
    assert.ok(left.includes(waits.id) && !left.includes(first.id));
    assert.equal((await store.entries('1'.padStart(22, '0'))).length, 0);
  },

  async 'an opening that fails leaves nothing'() {
    const store = createMemory();
    const keeper = createKeeper({ module, store: { ...store, entries: () => Promise.reject(new Error()) } });
    await assert.rejects(keeper.open({ circuit: 'usa', laps: 1, seats: [person, bot('rookie')] }));
    assert.deepEqual(await store.tables(), []);
  },

  async 'openings that are refused'() {
    const keeper = createKeeper({ module, store: createMemory() });
    const refused = async (opening) => {
      const error = await keeper.open(opening).then(() => null, (why) => why);
      assert.equal(typeof error?.code, 'string', JSON.stringify(opening));
      assert.notEqual(error.code, undefined);
    };
    const fine = { circuit: 'usa', seats: [person] };
    const rubbish = [undefined, null, 1, '', [], {}, NaN, -1, 1e9, 'usa\nlaps 2', '\0', 'x'.repeat(99999), '\ud800'];
    for (const key of ['circuit', 'circuit_file', 'seats', 'unknown']) {
      for (const value of rubbish.filter((each) => each !== undefined)) await refused({ ...fine, [key]: value });
    }
    for (const value of [-1, 10, 'x', 1.5, null]) await refused({ ...fine, laps: value });
    for (const value of [-1, 15 * 86400, 'x', null]) await refused({ ...fine, clock: value });
    for (const key of ['name', 'colour', 'salt', 'handicap', 'kind', 'level']) {
      for (const value of [{}, '\n', 'x y z\nbot 0 rookie', -1, 99]) {
        if (key === 'name' && typeof value !== 'string') continue;
        await refused({ ...fine, seats: [{ ...person, [key]: value }] });
      }
    }
    await refused({ ...fine, seats: [person, { ...person }] });
    await refused({ ...fine, seats: Array(7).fill(bot('rookie')) });
    for (const value of rubbish) await refused(value);
    assert.deepEqual(await keeper.tables(), []);
  },

  'rubbish changes nothing'() {
    const engine = createEngine(module);
    const hex = 'ab'.repeat(32);
    const head = ['circuit usa', 'laps 1', 'substitute driver', 'clock 0'];
    const lines = [...head, `secret ${hex}`, `person 0 red - ${hex} Ada`];
    const settings = engine.settle(`${lines.join('\n')}\n`);
    const short = ['', '\0', '\n', 'x', 'act', 'act 1 plan 9', '{}', 'ÿ\ud800', 'hairpin race 1'];
    const texts = [...short, 'x'.repeat(300_000), settings];
    const numbers = [-(2 ** 31), -2, -1, 0, 1, 5, 6, 7, 254, 255, 256, 2 ** 31 - 1];
    const tryAll = (open) => {
      for (const text of texts) {
        for (const seat of numbers) {
          assert.notEqual(engine.say(seat, text, 5), null);
          assert.equal(typeof engine.foresee(seat, text), 'string');
          if (!open) assert.equal(engine.message(seat) + engine.state(seat) + engine.catchUp(seat, 0).join(''), '');
          engine.state(seat);
          engine.catchUp(seat, 2 ** 32 - 1);
          assert.equal(engine.think(seat), '');
          assert.equal(engine.step(seat, seat), null);
        }
        if (!open) assert.equal(engine.open('x'.repeat(22), text === settings ? '' : text, 1), false);
        assert.equal(engine.open(text, settings, 1), false);
        assert.equal(engine.seatOf(text), -1);
        assert.equal(engine.circuit(text), '');
        assert.equal(engine.rematch(text), '');
        assert.throws(() => engine.settle(text), { code: 'not_a_line' });
        assert.equal(engine.verify(text).ok, false);
        assert.equal(engine.replay(text).ok, false);
        assert.equal(engine.summary(text), null);
      }
      assert.equal(engine.raceFile() + engine.eventLog() + engine.rematch('ab'.repeat(32)), '');
    };
    tryAll(false);
    assert.ok(engine.open('a'.repeat(22), settings, 1));
    assert.equal(engine.say(-1, 'start', 2), null);
    engine.show();
    const before = [engine.state(0), engine.state(null), engine.notice()];
    tryAll(true);
    assert.equal(engine.open('b'.repeat(22), settings, 1), false);
    assert.deepEqual([engine.state(0), engine.state(null), engine.notice()], before);
    assert.throws(() => engine.verify('x'.repeat(17 * 1024 * 1024)), { code: 'too_large' });
    checkExports();
  },
};

/** Races at random until the end; the entries that this seat was told. */
function race(keeper, id, token, mayBeRefused = []) {
  const entries = [];
  return new Promise((resolve, reject) => {
    let following;
    const answer = (m) => {
      if (m.table.phase === 'over') resolve(entries);
      else if (m.acts && m.table.awaited.some(({ seat }) => seat === m.you)) say(`act ${m.n} ${pick(m.acts)}`);
    };
    const say = (line) => setTimeout(async () => (await following).say(line), 0);
    const tell = (text) => {
      const m = JSON.parse(text);
      if (m.m === 'entry') entries.push(text);
      if (m.m === 'state') answer(m);
      if (m.m === 'error' && !mayBeRefused.includes(m.code)) reject(new Error(text));
    };
    following = keeper.follow(id, token, 0, { tell, end: () => reject(new Error('gone')) });
    following.catch(reject);
  });
}

async function entriesOf(keeper, id, token) {
  const told = [];
  await (await keeper.follow(id, token, 0, { tell: (text) => told.push(text), end() {} })).close();
  return told.filter((text) => text.startsWith('{"m":"entry"'));
}

async function checkAfterwards(keeper, store, { id, token, told, file, log }) {
  const fresh = createKeeper({ module, store }); // as after a reload
  assert.equal(await fresh.afterwards(id, false), file);
  assert.equal(await fresh.afterwards(id, true), log);
  assert.deepEqual(await fresh.notice(id), await keeper.notice(id));
  assert.deepEqual(await entriesOf(fresh, id, token), told);
  const seen = told.flatMap((text) => JSON.parse(text).events ?? []);
  for (const { car, cards } of seen.filter(({ e }) => e === 'draw')) {
    assert.ok(cards.every((card) => (card === '?') === (car !== 0)));
  }
  await assert.rejects(fresh.follow(id, 'f'.repeat(32), 0, {}), { code: 'wrong_token' });
}

function checkFile(file, log, commitment) {
  const engine = createEngine(module);
  const found = engine.verify(file);
  assert.ok(found.ok && found.ended && found.mixed);
  assert.equal(found.commitment, commitment);
  checkForgeries(engine, file);

  assert.ok(engine.replay(file).ok);
  const truth = log.trimEnd().split('\n').slice(1);
  const forward = Array.from({ length: found.acts + 1 }, (_, i) => engine.step(i, null));
  assert.equal(forward.flatMap(({ events }) => events).length, truth.length);
  for (let seat = 0; seat < found.seats.length; seat++) {
    const own = truth.map((line) => JSON.parse(line)).filter(({ e, car }) => e === 'draw' && car === seat);
    const seen = Array.from({ length: found.acts + 1 }, (_, i) => engine.step(i, seat)).flatMap(({ events }) => events);
    assert.deepEqual(seen.filter(({ e, car }) => e === 'draw' && car === seat), own);
  }
  for (let i = found.acts; i >= 0; i -= 7) assert.deepEqual(engine.step(i, null), forward[i]); // backwards
  assert.equal(engine.step(found.acts + 1, null), null);
  assert.equal(engine.step(0, found.seats.length), null);
  assert.equal(engine.summary(file).rounds, found.rounds);
}

function checkForgeries(engine, file) {
  const lines = file.trimEnd().split('\n');
  const without = (i) => [...lines.slice(0, i), ...lines.slice(i + 1)].join('\n');
  const acts = lines.map((line, i) => (/^\d plan/.test(line) ? i : -1)).filter((i) => i >= 0); // others may not matter
  for (const i of acts) assert.equal(engine.verify(`${without(i)}\n`).ok, false, lines[i]);
  const digit = (text) => text.replace(/[0-9a-f]$/, (last) => (last === '0' ? '1' : '0'));
  for (const [i, line] of lines.entries()) {
    if (!/^(secret|seed|commitment|salt|round)/.test(line)) continue;
    const forged = engine.verify([...lines.slice(0, i), digit(line), ...lines.slice(i + 1)].join('\n'));
    assert.equal(forged.ok, false, line);
    assert.ok(forged.line > 0 && typeof forged.code === 'string');
  }
}

/** Lengths that are no length of any text, and everything else that JavaScript can hand over. */
function checkExports() {
  const { exports } = new WebAssembly.Instance(module, {});
  const values = [0, 1, -1, 255, 1 << 30, -(2 ** 31), NaN];
  const times = new Set(['open', 'say', 'late']);
  for (const [name, f] of Object.entries(exports)) {
    if (typeof f !== 'function') continue;
    for (const a of values) {
      for (const b of values) {
        const args = Array(f.length).fill(a).map((each, i) => (i === 1 ? b : each));
        if (times.has(name)) args[f.length - 1] = -1n;
        f(...args);
      }
    }
  }
  assert.equal(exports.phase(), -1);
}

for (const [name, test] of Object.entries(tests)) {
  const start = performance.now();
  await test();
  console.log(`${name}: ${Math.round(performance.now() - start)} ms`);
}
process.exit(0);
