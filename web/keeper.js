// Keeps tables as the server does: every entry is stored before anybody hears of it, bots drive, clocks run. It
// knows neither browser nor disk: worker.js gives it a store and carries what it says.
//
// A store has tables(), table(id), create(record), change(id, members), forget(id), entries(id), count(id) of them, and
// append(entry), all of them asynchronous; append keeps the order, and fails where there is an entry of that number or
// no such table.

import { createEngine, randomBytes, randomHex, refusal } from './engine.js';

const letters = '0123456789abcdefghjkmnpqrstvwxyz';
const longest = 2 ** 31 - 1; // of a timer
const absence = 5000; // milliseconds: who comes back sooner was not away
const idle = 8; // tables at hand that nobody follows: each has a memory of its own, and a browser about a hundred
const finished = 200; // races that are over are kept, the newest of them: some 30 KB each
const openingKeys = ['circuit', 'circuit_file', 'laps', 'seats', 'substitute', 'clock', 'listed'];
const seatKeys = {
  open: ['kind', 'handicap'],
  bot: ['kind', 'handicap', 'level'],
  person: ['kind', 'handicap', 'name', 'colour', 'salt'],
};

const randomId = () => [...randomBytes(22)].map((byte) => letters[byte % 32]).join('');

/** Words of a line that C reads: what would begin another one never gets there. */
function line(...words) {
  const text = words.join(' ');
  if (/[\n\r\0]/.test(text)) throw refusal('bad_request');
  return text;
}

const complaint = (code) => JSON.stringify({ m: 'error', code, text: '' });

const only = (object, keys) => {
  if (typeof object !== 'object' || object === null || Object.keys(object).some((key) => !keys?.includes(key))) {
    throw refusal('bad_request');
  }
};

function seatLine(engine, seat, token) {
  only(seat, seatKeys[seat?.kind]);
  const start = [seat.kind, seat.handicap ?? 0];
  if (seat.kind === 'bot') return line(...start, seat.level ?? 'driver');
  if (seat.kind === 'open') return line(...start);
  return line(...start, seat.colour ?? '', seat.salt ?? '-', engine.sha256(token), seat.name ?? '');
}

/** Settings out of an opening as POST /api/tables takes it; tokens are for its persons, by seat. */
function settle(engine, opening, tokens) {
  only(opening, openingKeys);
  const { circuit, circuit_file: file, laps = 0, substitute = 'driver', clock = 0, seats } = opening;
  if (!Array.isArray(seats) || (circuit === undefined) === (file === undefined)) throw refusal('bad_request');
  const lines = [
    file === undefined ? line('circuit', circuit) : 'file',
    line('laps', laps),
    line('substitute', substitute),
    line('clock', clock),
    line('secret', randomHex(32)),
    ...seats.map((seat, i) => seatLine(engine, seat, tokens[i])),
  ];
  return engine.settle(`${lines.join('\n')}\n${file === undefined ? '' : `\n${file}`}`);
}

/** For tests, and where a browser stores nothing: all is lost with the page. */
export function createMemory() {
  const records = new Map();
  const all = new Map(); // entries by table
  return {
    tables: async () => [...records.values()],
    table: async (id) => records.get(id),
    entries: async (id) => [...(all.get(id) ?? [])],
    create: async (record) => void records.set(record.id, record),
    append: async (entry) => {
      const entries = all.get(entry.id) ?? [];
      if (!records.has(entry.id)) throw new Error('no such table');
      if (entry.n !== entries.length + 1) throw Object.assign(new Error(), { name: 'ConstraintError' });
      all.set(entry.id, [...entries, entry]);
    },
    change: async (id, members) => void (records.has(id) && records.set(id, { ...records.get(id), ...members })),
    count: async (id) => all.get(id)?.length ?? 0,
    forget: async (id) => void (records.delete(id), all.delete(id)),
  };
}

/**
 * changed(id) is called when an entry is stored or the table forgotten; mayDrive(id) tells whether bots and clocks are
 * this keeper's; rest is how long bots wait, in milliseconds, where nothing could be stored.
 */
export function createKeeper({ module, store, now = Date.now, changed = () => {}, mayDrive = () => true, rest = 5000 }) {
  const tables = new Map(); // promises, by id
  const loaded = new Map(); // those that are there, the one that was asked for last at the end
  const tools = createEngine(module);

  // ---- Entries

  /** Null when the line is fine, else the error message. table.tail tells when it is stored and told, or was lost.
   * Only one is on its way to the store: what was judged after it goes with it. */
  function say(table, seat, text) {
    if (table.gone) return complaint('not_stored');
    const error = table.engine.say(seat, text, now());
    if (error !== null) return error.trimEnd();
    const entry = { id: table.id, n: ++table.said, time: table.engine.saidAt(), seat, line: text };
    table.tail = table.tail.then(() => keep(table, entry));
    return null;
  }

  async function keep(table, entry) {
    if (table.gone) return false;
    try {
      await store.append(entry);
    } catch (why) {
      await lose(table, why);
      return false;
    }
    show(table);
    look(table);
    return true;
  }

  function show(table) {
    const { engine } = table;
    engine.show();
    const written = new Map();
    for (const follower of table.followers) {
      if (follower.seat >= 0 && engine.seatOf(follower.token) !== follower.seat) follower.seat = -1;
      const { seat } = follower;
      if (!written.has(seat)) written.set(seat, [engine.message(seat), engine.state(seat)]);
      follower.since = engine.shown();
      written.get(seat).forEach((text) => follower.tell(text));
    }
    changed(table.id);
  }

  /** What was said could not be stored: another tab was quicker, or the disk is full. Back to what is there. */
  async function lose(table, why) {
    if (table.gone) return;
    const full = why?.name !== 'ConstraintError';
    table.full = full;
    if (full) for (const follower of table.followers) follower.tell(complaint('not_stored'));
    await reload(table, full ? rest : 0);
  }

  function retire(table) {
    table.gone = true;
    clearTimeout(table.thinking);
    clearTimeout(table.clock);
  }

  /** The table as the store has it; its followers are told what they do not have. */
  async function reload(table, pause = 0) {
    retire(table);
    try {
      const fresh = await bring(table.id);
      for (const follower of table.followers) greet(fresh, follower);
      if (pause > 0) setTimeout(() => look(fresh), pause);
      else look(fresh);
    } catch (error) {
      for (const follower of table.followers) follower.end(error.code ?? 'failed');
    }
  }

  // ---- Bots and clocks

  /** One decision at a time: in between, others get their turn. Nothing moves where nobody looks. */
  function look(table) {
    if (table.gone || table.followers.size === 0 || !mayDrive(table.id)) return;
    const { engine } = table;
    if (table.thinking === null && engine.due().length > 0) {
      table.thinking = setTimeout(() => think(table), 0);
    }
    clearTimeout(table.clock);
    const deadline = engine.deadline();
    if (deadline > 0) {
      table.clock = setTimeout(() => checkClock(table), Math.min(Math.max(0, deadline - now()), longest));
    }
  }

  function think(table) {
    table.thinking = null;
    const [seat] = table.engine.due();
    if (table.gone || table.followers.size === 0 || seat === undefined) return;
    say(table, seat, table.engine.think(seat));
  }

  function checkClock(table) {
    if (table.gone || table.followers.size === 0) return;
    for (let seat; (seat = table.engine.late(now())) >= 0;) {
      if (say(table, -1, `late ${seat}`) !== null) break;
    }
    look(table);
  }

  // ---- Tables

  async function load(id) {
    const record = await store.table(id);
    if (!record) throw refusal('no_such_table');
    const engine = createEngine(module);
    const table = {
      id, engine, said: 0, followers: new Set(), tail: Promise.resolve(true), thinking: null, clock: null,
    };
    Object.assign(table, { record, gone: false, full: false });
    if (!engine.open(id, record.settings, record.opened)) throw refusal('no_such_table');
    for (const entry of await store.entries(id)) {
      if (entry.n !== ++table.said || engine.say(entry.seat, entry.line, entry.time) !== null) {
        throw refusal('no_such_table');
      }
      engine.show();
    }
    if (engine.phase() === 'gathering' && engine.say(-1, 'start', now()) === null) { // else somebody is missing
      try {
        await store.append({ id, n: ++table.said, time: engine.saidAt(), seat: -1, line: 'start' });
      } catch (why) {
        if (why?.name === 'ConstraintError') return load(id); // another tab has started it
        throw refusal('not_stored');
      }
      engine.show();
    }
    return table;
  }

  function bring(id) {
    const loading = load(id);
    tables.set(id, loading);
    loading.then((table) => {
      loaded.delete(id);
      loaded.set(id, table);
      makeRoom();
    }, () => tables.get(id) === loading && drop(id));
    return loading;
  }

  function find(id) {
    const table = loaded.get(id);
    if (table && loaded.delete(id)) loaded.set(id, table);
    return tables.get(id) ?? bring(id);
  }

  function drop(id) {
    tables.delete(id);
    loaded.delete(id);
  }

  /** Whoever is not needed goes, the longest unasked first; what it says is stored, and can be loaded again. */
  function makeRoom() {
    const busy = ({ followers, said, engine, rematching }) => followers.size > 0 || said > engine.shown() || rematching;
    const unneeded = [...loaded.values()].filter((table) => !busy(table));
    for (const table of unneeded.slice(0, Math.max(0, unneeded.length - idle))) {
      retire(table);
      drop(table.id);
    }
  }

  async function create(settings, circuit, tokens) {
    const id = randomId();
    await store.create({ id, settings, circuit, opened: now(), tokens });
    try {
      const table = await find(id);
      await note(table);
      return table;
    } catch (error) {
      await store.forget(id).catch(() => {}); // nobody will ever know of it
      throw error;
    }
  }

  const summarize = ({ engine }) =>
    ({ entries: engine.shown(), notice: JSON.parse(engine.notice()), changed: engine.saidAt() });

  /** Keeps what the list of races needs, so that they need not be played again for it. */
  async function note(table) {
    const summary = summarize(table);
    await store.change(table.id, { summary }).catch(() => {}); // it can be made again
    return summary;
  }

  async function summaryOf({ id, summary }) {
    if (loaded.has(id)) return summarize(loaded.get(id));
    if (summary && summary.entries === (await store.count(id))) return summary;
    return note(await find(id));
  }

  async function forget(id) {
    const table = await tables.get(id)?.catch(() => null);
    drop(id);
    await store.forget(id);
    changed(id); // another keeper may race on
    if (!table) return;
    retire(table);
    for (const follower of table.followers) follower.end();
  }

  async function rememberToken(table, seat, token) {
    const others = table.record.tokens.filter((each) => each.token !== token && each.seat !== seat);
    table.record.tokens = [...others, { seat, token }];
    await store.change(table.id, { tokens: table.record.tokens });
  }

  /** The table where it goes on, opened if there is none, or none any more; false when it is not over. */
  async function rematch(table) {
    if (table.engine.phase() !== 'over') return false;
    if (table.rematching) return true;
    table.rematching = true;
    try {
      const last = JSON.parse(table.engine.notice()).rematch;
      if (last && (await find(last).catch(() => null))) return true;
      const settings = table.engine.rematch(randomHex(32));
      const again = await create(settings, table.record.circuit, table.record.tokens);
      say(table, -1, `rematch ${again.id}`);
      await table.tail;
    } finally {
      table.rematching = false;
    }
    return true;
  }

  // ---- Followers

  /** What it has missed, and how things stand. */
  function greet(table, follower) {
    const { engine } = table;
    if (follower.token !== null && follower.seat >= 0) follower.seat = engine.seatOf(follower.token);
    table.followers.add(follower);
    if (follower.since > engine.shown()) follower.tell(complaint('ahead'));
    const missed = follower.since < engine.shown() ? engine.catchUp(follower.seat, follower.since) : [];
    missed.forEach((text) => follower.tell(text));
    follower.since = engine.shown();
    follower.tell(engine.state(follower.seat));
  }

  async function hear(follower, text) {
    const complain = (code) => follower.tell(complaint(code));
    if (text === 'ping') return follower.tell('{"m":"pong"}');
    const table = await find(follower.id);
    const { engine } = table;
    const { seat } = follower;
    if (seat < 0 || engine.seatOf(follower.token, true) !== seat) return complain('not_seated');
    if (text.startsWith('foresee ')) return follower.tell(engine.foresee(seat, text.slice(8)));
    if (text === 'rematch') return (await rematch(table)) ? undefined : complain('not_now');
    if (!engine.forPeople(text)) return complain('not_a_line');
    const error = say(table, seat, text);
    if (error !== null) return follower.tell(error);
    // Where another tab was quicker it is judged anew; else a page would wait for its answer for ever.
    return (await table.tail) || table.full ? undefined : hear(follower, text);
  }

  /** tell gets the protocol's messages as text; end when the table is no more, or cannot be read, with a code. */
  async function follow(id, token, since, { tell, end }) {
    const table = await find(id);
    const seat = token === null ? -1 : table.engine.seatOf(token);
    if (token !== null && seat < 0) throw refusal('wrong_token');
    const follower = { id, token, since, seat, tell, end };
    const away = now() - (table.left ?? table.engine.saidAt()) > absence;
    if (away && table.followers.size === 0 && table.engine.phase() === 'racing' && table.engine.deadline() > 0) {
      say(table, -1, 'resume'); // nobody's time ran while nobody was here
      await table.tail;
    }
    const here = await find(id);
    greet(here, follower);
    look(here);
    return {
      say: (text) => hear(follower, text).catch((error) => tell(complaint(error.code ?? 'failed'))),
      close: async () => {
        const left = await find(id).catch(() => null);
        if (!left?.followers.delete(follower)) return;
        left.left = now();
        if (left.followers.size === 0) await note(left);
      },
    };
  }

  return {
    follow,

    async open(opening) {
      const tokens = Array.from({ length: 6 }, () => randomHex(16));
      const settings = settle(tools, opening, tokens);
      const isPerson = ({ seat }) => opening.seats[seat]?.kind === 'person';
      const mine = tokens.map((token, seat) => ({ seat, token })).filter(isPerson);
      const table = await create(settings, opening.circuit_file ?? '', mine);
      return { id: table.id, tokens: mine, table: JSON.parse(table.engine.notice()) };
    },

    async notice(id) {
      return JSON.parse((await find(id)).engine.notice());
    },

    async tableCircuit(id) {
      const table = await find(id);
      return table.record.circuit || table.engine.circuit(JSON.parse(table.engine.notice()).circuit);
    },

    async take(id, number, { name, colour, salt } = {}, token = null) {
      const table = await find(id);
      const seat = JSON.parse(table.engine.notice()).seats[number];
      if (!seat) throw refusal('no_such_seat');
      const kept = seat.kept === true;
      const mine = kept && token ? token : randomHex(16);
      const words = ['take', colour ?? seat.colour ?? '', salt ?? '-', tools.sha256(mine), name ?? seat.name ?? ''];
      const error = say(table, number, line(...words));
      if (error !== null) throw refusal(JSON.parse(error).code, JSON.parse(error).text);
      if (!(await table.tail)) throw refusal('not_stored');
      await rememberToken(await find(id), number, mine);
      return { seat: number, token: mine };
    },

    async afterwards(id, events) {
      const { engine } = await find(id);
      const text = events ? engine.eventLog() : engine.raceFile();
      if (text === '') throw refusal('not_now');
      return text;
    },

    /** All that can be played on, the newest first; of those that are over the oldest are forgotten. */
    async tables() {
      const found = [];
      for (const record of await store.tables()) {
        const { notice, changed: at } = (await summaryOf(record).catch(() => null)) ?? {};
        if (notice) found.push({ id: record.id, notice, tokens: record.tokens, changed: at });
      }
      found.sort((a, b) => b.changed - a.changed);
      const old = found.filter(({ notice }) => notice.phase === 'over').slice(finished);
      for (const { id } of old) if (!(loaded.get(id)?.followers.size > 0)) await forget(id);
      return found.filter((each) => !old.includes(each));
    },

    forget,

    /** Another keeper of the same store has added to this table, or forgotten it. */
    async refresh(id) {
      const table = await tables.get(id)?.catch(() => null);
      await table?.tail; // what is on its way is stored, or lost, first
      if (table && !table.gone) await reload(table);
    },

    /** Bots and clocks of this table are this keeper's from now on. */
    async drive(id) {
      const table = await tables.get(id)?.catch(() => null);
      if (table) look(table);
    },
  };
}
