// Tables to talk to: net, on the server that the page came from, and here, in this browser. docs/PAGE.md has what
// both can do; docs/PROTOCOL.md has the lines and messages.

import { createEngine, loadEngine, randomHex, refusal } from './engine.js';

// ---- The server

const address = (path) => new URL(path, globalThis.document?.baseURI ?? globalThis.location?.href);

/** Like fetch; throws what the server refuses, and offline where no server answers. */
async function ask(path, { body, token, signal } = {}) {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  let answer;
  try {
    answer = await fetch(address(path), { ...post, headers, signal });
  } catch {
    throw refusal('offline');
  }
  if (answer.ok) return answer;
  const error = await answer.json().catch(() => null);
  throw error?.code ? refusal(error.code, error.text) : refusal('offline');
}

const askJson = async (path, options) => {
  const answer = await ask(path, options);
  return answer.json().catch(() => Promise.reject(refusal('offline'))); // some host's own page
};
const askText = async (path, options) => {
  const answer = await ask(path, options);
  return answer.text().catch(() => Promise.reject(refusal('offline'))); // cut off
};
const of = (id, rest = '') => `api/tables/${encodeURIComponent(id)}${rest}`;

const times = { firstPause: 500, longestPause: 10_000, silence: 20_000, answer: 10_000, server: 3000 };

/** A network may be there and still swallow everything: asks with a signal that gives up after so many milliseconds. */
async function within(ms, asking) {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), ms);
  try {
    return await asking(giveUp.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits before a further try: longer each time, but not once network or player are back, or the signal says so. */
export function pauseBefore(tries, signal) {
  const over = new AbortController();
  const longest = Math.min(times.firstPause * 2 ** (tries - 1), times.longestPause);
  return new Promise((done) => {
    const timer = setTimeout(done, longest * (0.5 + Math.random() / 2));
    const back = () => globalThis.document?.hidden || done();
    for (const [target, name, listener] of [[globalThis, 'online', back],
      [globalThis.document, 'visibilitychange', back], [signal, 'abort', done]])
      target?.addEventListener?.(name, listener, { signal: over.signal });
    over.signal.addEventListener('abort', () => clearTimeout(timer));
  }).finally(() => over.abort());
}

// ---- Taking a seat

/** When only the answer is lost the seat is ours already: by a token that we know we may ask again. */
async function takeSeat(id, seat, person, token) {
  for (let tries = 1; ; tries++) {
    try {
      return await within(times.answer, (signal) => askJson(of(id, `/seats/${seat}`), { body: person, token, signal }));
    } catch (error) {
      if (error.code !== 'offline' || tries === 3) throw error;
      await new Promise((done) => setTimeout(done, tries * times.firstPause));
    }
  }
}

// ---- Following a table on the server

function followNet(id, token, since, { message, status }) {
  let socket = null;
  let timer; // of the next try, or of listening
  let pause = times.firstPause;
  let ended = false;

  const set = (ms, then) => {
    clearTimeout(timer);
    timer = setTimeout(then, ms);
  };

  const listen = () =>
    set(times.silence, () => {
      send('ping');
      set(times.answer, lose);
    });

  const send = (line) => {
    if (socket?.readyState !== 1) return false;
    socket.send(line);
    return true;
  };

  const drop = () => {
    const old = socket;
    socket = null;
    if (old === null) return;
    old.onopen = old.onmessage = old.onclose = null;
    old.close();
  };

  const end = () => {
    ended = true;
    clearTimeout(timer);
    drop();
    for (const [target, name, listener] of outside) target?.removeEventListener?.(name, listener);
  };

  const goneFor = (code) => {
    end();
    status('gone', code);
  };

  const lose = () => {
    drop();
    status('lost');
    set(pause * (0.5 + Math.random() / 2), connect);
    pause = Math.min(2 * pause, times.longestPause);
  };

  /** A handshake that fails does not say why: perhaps there is no such table. */
  const refused = async () => {
    lose();
    try {
      await ask(of(id));
    } catch (error) {
      if (error.code === 'no_such_table' && !ended) goneFor(error.code);
    }
  };

  const hear = (m) => {
    listen();
    if (m.m === 'pong') return;
    if (m.m === 'error' && m.code === 'wrong_token') {
      goneFor(m.code);
      return;
    }
    if (m.m === 'entry' && m.n <= since) return;
    if (m.m === 'entry') since = m.n;
    message(m);
  };

  const connect = () => {
    drop();
    const url = address(of(id, '/live'));
    url.protocol = url.protocol.replace('http', 'ws');
    let opened = false;
    socket = new WebSocket(url);
    set(times.silence, lose);
    socket.onopen = () => {
      opened = true;
      pause = times.firstPause;
      send(token ? `seat ${token} ${since}` : `watch ${since}`);
      listen();
      status('open');
    };
    socket.onmessage = ({ data }) => {
      let m;
      try {
        m = JSON.parse(data);
      } catch {
        return;
      }
      hear(m);
    };
    socket.onclose = () => (opened ? lose() : refused());
  };

  const comeBack = () => {
    if (ended || globalThis.document?.hidden) return;
    if (!send('ping')) connect();
    else set(times.answer, lose);
  };
  const outside = [
    [globalThis, 'online', comeBack],
    [globalThis, 'offline', () => socket !== null && lose()],
    [globalThis.document, 'visibilitychange', comeBack],
  ];
  for (const [target, name, listener] of outside) target?.addEventListener?.(name, listener);
  connect();
  return { say: send, close: end };
}

/** Who asks whether there is a server will not wait for long. */
const askServer = () => within(times.server, (signal) => askJson('api/server', { signal }));

let asked = null; // a promise, while it is asked and once it has answered: silence is not remembered
const server = () =>
  (asked ??= askServer().catch(() => {
    asked = null;
    return {};
  }));

export const net = {
  /** Whether there is a server; on a host of files alone there is a file that says no. */
  there: async () => Array.isArray((await server()).addresses),
  /** Whether that file was found: no server will ever answer. */
  never: async () => (await server()).addresses === false,
  /** Whether the page came from this machine: then the address bar is of no use to others. */
  local: () => /^(localhost$|127\.|\[::1\]$)/.test(location.hostname),
  /** Where others find this page; null if only this machine does. */
  address: async () => {
    if (!net.local()) return location.href.split('#')[0];
    const { addresses } = await server();
    return addresses?.length > 0 ? new URL('.', addresses[0]).href : null;
  },
  circuits: async () => (await askJson('api/circuits')).circuits,
  circuit: (name) => askText(`circuits/${encodeURIComponent(name)}.circuit`),
  open: (opening) => askJson('api/tables', { body: opening }),
  list: async () => (await askJson('api/tables')).tables,
  find: (code) => askJson(`api/codes/${encodeURIComponent(code)}`),
  notice: (id) => askJson(of(id)),
  tableCircuit: (id) => within(times.answer, (signal) => askText(of(id, '/circuit'), { signal })),
  take: (id, seat, person, token) => takeSeat(id, seat, person ?? {}, token ?? randomHex(16)),
  raceFile: (id) => askText(of(id, '/race')),
  eventLog: (id) => askText(of(id, '/events')),
  follow: followNet,
};

// ---- This browser

let worker = null;
let numbers = 0;
const waiting = new Map(); // calls by number
const following = new Map(); // what follow was given, by number

function hearWorker({ data: { number, text, status, code, value, error } }) {
  if (text !== undefined) {
    following.get(number)?.message(JSON.parse(text));
  } else if (status === 'lost') {
    following.get(number)?.lose();
  } else if (status !== undefined) {
    const listener = following.get(number);
    following.delete(number);
    listener?.status(status, code);
  } else {
    const { resolve, reject } = waiting.get(number) ?? {};
    waiting.delete(number);
    if (error) reject?.(refusal(error.code, error.text));
    else resolve?.(value);
  }
}

/** It could not be loaded (offline, and not kept), or it broke. The next call tries again; who follows comes again. */
function loseWorker() {
  const calls = [...waiting.values()];
  worker.onmessage = worker.onerror = null;
  worker.terminate(); // else it would go on holding its locks
  worker = null;
  waiting.clear();
  for (const { reject } of calls) reject(refusal('offline'));
  for (const follower of [...following.values()]) follower.lose();
}

function post(what) {
  if (worker === null) {
    worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = hearWorker;
    worker.onerror = loseWorker;
  }
  worker.postMessage(what);
}

const call = (name, ...args) =>
  new Promise((resolve, reject) => {
    const number = ++numbers;
    waiting.set(number, { resolve, reject });
    post({ what: 'call', number, name, args });
  });

function followHere(id, token, since, { message, status }) {
  const number = ++numbers;
  let timer; // of the next try
  let pause = times.firstPause;
  let open = false;
  let lost = false;
  const begin = () => {
    lost = false;
    post({ what: 'follow', number, id, token: token ?? null, since });
  };
  following.set(number, {
    status,
    message: (m) => {
      if (!open) status('open');
      open = true;
      pause = times.firstPause;
      if (m.m === 'entry') since = m.n;
      message(m);
    },
    lose: () => {
      open = false;
      lost = true;
      timer = setTimeout(begin, pause);
      pause = Math.min(2 * pause, times.longestPause);
      status('lost');
    },
  });
  begin();
  return {
    say: (line) => !lost && following.has(number) && (post({ what: 'say', number, line }), true),
    close: () => {
      clearTimeout(timer);
      if (following.delete(number) && !lost) post({ what: 'close', number });
    },
  };
}

let loaded = null; // race files need no worker: one of them is played in a millisecond or two
let tools = null; // one engine for all that leaves nothing behind: a browser has memories for about a hundred

const engine = async () => {
  loaded ??= loadEngine();
  try {
    return createEngine(await loaded);
  } catch (error) {
    loaded = null;
    throw error;
  }
};

const tool = () =>
  (tools ??= engine().catch((error) => {
    tools = null;
    throw error;
  }));

export const here = {
  circuits: async () => (await tool()).circuits(),
  circuit: async (name) => (await tool()).circuit(name) || Promise.reject(refusal('no_such_page')),
  open: (opening) => call('open', opening),
  list: async () => [],
  find: () => Promise.reject(refusal('no_such_table')),
  notice: (id) => call('notice', id),
  tableCircuit: (id) => call('tableCircuit', id),
  take: (id, seat, person, token) => call('take', id, seat, person ?? {}, token ?? null),
  raceFile: (id) => call('afterwards', id, false),
  eventLog: (id) => call('afterwards', id, true),
  follow: followHere,

  tables: () => call('tables'),
  forget: (id) => call('forget', id),

  /** committed tells whether the file's commitment is the given one. */
  async verify(file, commitment) {
    const found = (await tool()).verify(file);
    return commitment ? { ...found, committed: found.commitment === commitment } : found;
  },
  summary: async (file) => (await tool()).summary(file),
  /** Steps are 0, the start, to length - 1; what a seat saw, or null for a spectator. A bad file is { ok: false }. */
  async replay(file) {
    const own = await engine();
    const head = own.replay(file);
    return { ...head, length: head.ok ? head.acts + 1 : 0, step: (i, seat = null) => own.step(i, seat) };
  },
};
