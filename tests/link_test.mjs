// link.js and a make-believe server: what it says, and when it comes again.
import assert from 'node:assert/strict';
import { mock } from 'node:test';

mock.timers.enable({ apis: ['setTimeout'] });
const sockets = [];
globalThis.location = { href: 'https://example.org/deep/page/' };
globalThis.WebSocket = class {
  constructor(url) {
    Object.assign(this, { url: String(url), sent: [], readyState: 0 });
    sockets.push(this);
  }
  open() {
    this.readyState = 1;
    this.onopen();
  }
  send(line) {
    this.sent.push(line);
  }
  tell(m) {
    this.onmessage({ data: JSON.stringify(m) });
  }
  fall() {
    this.readyState = 3;
    this.onclose?.();
  }
  close() {
    this.readyState = 3;
  }
};
let answers = {};
globalThis.fetch = async (url, { headers, method = 'GET', body, signal } = {}) => {
  const found = answers[`${method} ${url}`];
  if (found === 'silence') await new Promise((done, fail) => signal?.addEventListener('abort', () => fail(new Error())));
  if (found === undefined) throw new TypeError('network');
  const { status = 200, json, text = JSON.stringify(json), check } = found;
  check?.(headers, body);
  return new Response(text, { status });
};
const settle = () => new Promise((resolve) => setImmediate(resolve));
const workers = [];
globalThis.Worker = class {
  posted = [];
  constructor() {
    workers.push(this);
  }
  postMessage(m) {
    this.posted.push(m);
  }
  tell(number, m) {
    this.onmessage({ data: { number, text: JSON.stringify(m) } });
  }
  terminate() {
    this.terminated = true;
  }
};
const { here, net, pauseBefore } = await import('../web/link.js');
const base = 'https://example.org/deep/page/';

{
  // The answer to taking a seat is lost: it is asked for again, by the same token.
  const seen = [];
  answers = { [`POST ${base}api/tables/x/seats/1`]: undefined };
  const real = globalThis.fetch;
  globalThis.fetch = (url, options) => {
    seen.push(options.headers.Authorization);
    return real(url, options);
  };
  const taking = net.take('x', 1, { name: 'Ada' });
  await settle();
  answers[`POST ${base}api/tables/x/seats/1`] = { status: 201, json: { seat: 1, token: 'ours' } };
  mock.timers.tick(500);
  assert.deepEqual(await taking, { seat: 1, token: 'ours' });
  assert.match(seen[0], /^Bearer [0-9a-f]{32}$/);
  assert.deepEqual(seen, [seen[0], seen[0]]);
  // After three times it is the player's to try again; a refusal is final at once.
  delete answers[`POST ${base}api/tables/x/seats/1`];
  seen.length = 0;
  const failing = assert.rejects(net.take('x', 1, {}), { code: 'offline' });
  for (let i = 0; i < 3; i++) {
    await settle();
    mock.timers.tick(2000);
  }
  await failing;
  assert.equal(seen.length, 3);
  answers[`POST ${base}api/tables/x/seats/1`] = { status: 409, json: { code: 'seat_taken', text: '' } };
  seen.length = 0;
  await assert.rejects(net.take('x', 1, {}), { code: 'seat_taken' });
  assert.equal(seen.length, 1);
  // Nor is silence waited for without end.
  answers[`POST ${base}api/tables/x/seats/1`] = 'silence';
  seen.length = 0;
  const unheard = net.take('x', 1, { name: 'Ada' });
  await settle();
  mock.timers.tick(10_000);
  await settle();
  answers[`POST ${base}api/tables/x/seats/1`] = { status: 201, json: { seat: 1, token: 'ours' } };
  mock.timers.tick(500);
  assert.deepEqual(await unheard, { seat: 1, token: 'ours' });
  assert.deepEqual(seen, [seen[0], seen[0]]);
  globalThis.fetch = real;
}

function follow(since = 0) {
  const heard = { messages: [], statuses: [] };
  const listener = { message: (m) => heard.messages.push(m), status: (...word) => heard.statuses.push(word.join(' ')) };
  const link = net.follow('abc', 'token', since, listener);
  return { ...heard, link, socket: () => sockets.at(-1) };
}

// A network that swallows everything is not waited for, and what it did not say is asked again.
answers = { [`GET ${base}api/server`]: 'silence' };
{
  const there = net.there();
  await settle();
  mock.timers.tick(3000);
  assert.equal(await there, false);
  answers = { [`GET ${base}api/server`]: { json: { addresses: [] } } };
  assert.equal(await net.there(), true);
  answers = {};
  assert.equal(await net.there(), true);
}

// Answers and refusals.
await assert.rejects(net.notice('abc'), { code: 'offline' });
answers = {
  [`GET ${base}api/tables/abc`]: { status: 404, json: { m: 'error', code: 'no_such_table', text: 'no' } },
  [`GET ${base}api/tables`]: { status: 404, text: '<html>' },
  [`GET ${base}api/circuits`]: { json: { circuits: [{ name: 'usa' }] } },
  [`GET ${base}api/codes/K7`]: { json: { id: 'abc' } },
  [`POST ${base}api/tables/abc/seats/1`]: {
    status: 201,
    json: { seat: 1, token: 't' },
    check(headers, body) {
      assert.equal(headers.Authorization, 'Bearer old');
      assert.equal(body, '{"name":"Bo"}');
    },
  },
};
await assert.rejects(net.notice('abc'), { code: 'no_such_table', text: 'no' });
await assert.rejects(net.list(), { code: 'offline' });
assert.deepEqual(await net.circuits(), [{ name: 'usa' }]);
assert.deepEqual(await net.find('K7'), { id: 'abc' });
assert.deepEqual(await net.take('abc', 1, { name: 'Bo' }, 'old'), { seat: 1, token: 't' });

// Entries come once, in order, and the next connection goes on behind them.
answers[`GET ${base}api/tables/abc`] = { json: {} };
{
  const { messages, statuses, link, socket } = follow();
  assert.equal(socket().url, 'wss://example.org/deep/page/api/tables/abc/live');
  assert.equal(link.say('back'), false);
  socket().open();
  assert.deepEqual(socket().sent, ['seat token 0']);
  socket().tell({ m: 'entry', n: 1 });
  socket().tell({ m: 'entry', n: 2 });
  socket().tell({ m: 'state', n: 2 });
  assert.equal(link.say('back'), true);
  const before = sockets.length;
  socket().fall();
  assert.deepEqual(statuses, ['open', 'lost']);
  mock.timers.tick(500);
  assert.equal(sockets.length, before + 1);
  socket().open();
  assert.deepEqual(socket().sent, ['seat token 2']);
  socket().tell({ m: 'entry', n: 2 });
  assert.equal(messages.length, 3);

  // Silence is asked about, and then taken for a loss.
  mock.timers.tick(20_000);
  assert.equal(socket().sent.at(-1), 'ping');
  socket().tell({ m: 'pong' });
  mock.timers.tick(19_999);
  assert.equal(statuses.at(-1), 'open');
  mock.timers.tick(1);
  mock.timers.tick(10_000);
  assert.equal(statuses.at(-1), 'lost');

  // Pauses grow to ten seconds and no further.
  const tries = sockets.length;
  for (let i = 0; i < 12; i++) {
    mock.timers.tick(10_000);
    socket().fall();
    await settle();
  }
  assert.equal(sockets.length, tries + 12);
  link.close();
  mock.timers.tick(60_000);
  assert.equal(sockets.length, tries + 12);
}

// Gone: a wrong token, or no such table.
{
  const { statuses, socket } = follow();
  socket().open();
  socket().tell({ m: 'error', code: 'wrong_token' });
  socket().fall();
  assert.deepEqual(statuses, ['open', 'gone wrong_token']);
}
answers[`GET ${base}api/tables/abc`] = { status: 404, json: { code: 'no_such_table', text: '' } };
{
  const { statuses, socket } = follow();
  const before = sockets.length;
  socket().fall();
  for (let i = 0; i < 100 && statuses.at(-1) === 'lost'; i++) await settle();
  assert.equal(statuses.at(-1), 'gone no_such_table');
  mock.timers.tick(60_000);
  assert.equal(sockets.length, before);
}

// Pauses before further tries grow, and end when the network is back or nobody waits any more.
{
  const events = new EventTarget();
  globalThis.addEventListener = (...what) => events.addEventListener(...what);
  const leaving = new AbortController();
  const over = async (pause) => (await Promise.race([pause.then(() => 'over'), settle()])) === 'over';
  for (const [tries, shortest, longest] of [[1, 249, 500], [2, 499, 1000], [9, 4999, 10_000]]) {
    const pause = pauseBefore(tries, leaving.signal);
    mock.timers.tick(shortest);
    assert.equal(await over(pause), false);
    mock.timers.tick(longest - shortest);
    assert.equal(await over(pause), true);
  }
  const offline = pauseBefore(9, leaving.signal);
  events.dispatchEvent(new Event('online'));
  assert.equal(await over(offline), true);
  const left = pauseBefore(9, leaving.signal);
  leaving.abort();
  assert.equal(await over(left), true);
  delete globalThis.addEventListener;
}

// A worker that breaks is ended, and another one goes on behind what was told.
{
  const [messages, statuses] = [[], []];
  const link = here.follow('abc', 'token', 0, { message: (m) => messages.push(m), status: (word) => statuses.push(word) });
  const [{ number }] = workers[0].posted;
  workers[0].tell(number, { m: 'entry', n: 1 });
  workers[0].tell(number, { m: 'state', n: 1 });
  const call = here.notice('abc');
  workers[0].onerror();
  await assert.rejects(call, { code: 'offline' });
  assert.equal(workers[0].terminated, true);
  assert.equal(link.say('back'), false);
  mock.timers.tick(500);
  assert.deepEqual(workers[1].posted, [{ what: 'follow', number, id: 'abc', token: 'token', since: 1 }]);
  workers[1].tell(number, { m: 'state', n: 1 });
  assert.deepEqual(statuses, ['open', 'lost', 'open']);
  assert.equal(link.say('back'), true);

  // One that has no engine yet is asked again, after longer and longer.
  workers[1].onmessage({ data: { number, status: 'lost' } });
  mock.timers.tick(500);
  workers[1].onmessage({ data: { number, status: 'lost' } });
  mock.timers.tick(999);
  assert.equal(workers[1].posted.filter(({ what }) => what === 'follow').length, 2);
  mock.timers.tick(1);
  assert.equal(workers[1].posted.filter(({ what }) => what === 'follow').length, 3);
  workers[1].onerror();
  link.close();
  mock.timers.tick(60_000);
  assert.equal(workers.length, 2);
}
console.log('link.js: fine');
