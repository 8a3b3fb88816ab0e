// The C code of the table, its bots and race files (engine/), as plain functions. One engine keeps one table.

const SPECTATOR = 255;

/** Compiles engine.wasm: bytes, or where to fetch them. */
export async function loadEngine(source = new URL('engine.wasm', import.meta.url)) {
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const answer = await fetch(source).catch(() => null);
  const whole = answer?.ok ? await answer.arrayBuffer().catch(() => null) : null; // it may be cut off on its way
  if (whole === null) throw refusal('offline');
  return WebAssembly.compile(whole); // streaming would need a host that knows the type
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function createEngine(module) {
  const c = new WebAssembly.Instance(module, {}).exports;

  const bytes = (at, length) => new Uint8Array(c.memory.buffer, at, length);
  const put = (text) => {
    const encoded = encoder.encode(text);
    const room = c.room(encoded.length);
    if (room === 0) throw refusal('too_large');
    bytes(room, encoded.length).set(encoded);
    return encoded.length;
  };
  const got = (length) => (length > 0 ? decoder.decode(bytes(c.answer(), length)) : '');
  const viewerOf = (seat) => (seat === null || seat < 0 ? SPECTATOR : seat);
  const json = (text) => (text === '' ? null : JSON.parse(text));

  return {
    // Before a table is open: settings out of what was chosen (lines as in opening.c), as a text to keep.
    settle(lines) {
      const text = got(c.settle(put(lines)));
      if (text.startsWith('{')) throw refusal(...codeAndText(text));
      return text;
    },
    circuits: () => JSON.parse(got(c.circuits())),
    circuit: (name) => got(c.circuit(put(name))),
    sha256: (text) => got(c.sha256(put(text))),

    // A table. Times are milliseconds; seat -1 is the keeper, a viewer that is null or -1 a spectator.
    open: (id, settings, now) => c.open(put(`${id}\n${settings}`), BigInt(now)) === 1,
    /** Plays a line on the live table; null when it is fine, else the error message. */
    say: (seat, line, now) => got(c.say(seat, put(line), BigInt(now))) || null,
    saidAt: () => Number(c.said_at()),
    /** The next entry is stored and may be seen; its number, or 0 when there is none. */
    show: () => c.show(),
    shown: () => c.shown(),
    message: (seat) => got(c.message(viewerOf(seat))).trimEnd(),
    state: (seat) => got(c.state(viewerOf(seat))).trimEnd(),
    notice: () => got(c.notice()).trimEnd(),
    catchUp: (seat, since) => got(c.catch_up(viewerOf(seat), since)).split('\n').slice(0, -1),
    foresee: (seat, act) => got(c.foresee(seat, put(act))).trimEnd(),
    /** The seat of a token, or -1: among those shown, or as they are live. */
    seatOf: (token, live = false) => c.seat_of(put(token), live ? 1 : 0),
    forPeople: (line) => c.for_people(put(line)) === 1,
    phase: () => ['gathering', 'racing', 'over'][c.phase()] ?? null,
    due: () => [0, 1, 2, 3, 4, 5].filter((seat) => (c.due() >> seat) & 1),
    /** What the bot of a seat says that is due; '' when it is not. */
    think: (seat) => got(c.think(seat)),
    late: (now) => c.late(BigInt(now)),
    /** When the next clock runs out; 0: never. */
    deadline: () => Number(c.deadline()),
    rematch: (secret) => got(c.rematch(put(secret))),
    raceFile: () => got(c.record(0)),
    eventLog: () => got(c.record(1)),

    // Race files.
    verify: (file) => JSON.parse(got(c.verify(put(file)))),
    summary: (file) => json(got(c.summary(put(file)))),
    replay: (file) => JSON.parse(got(c.replay(put(file)))),
    step: (act, seat) => json(got(c.step(act, viewerOf(seat)))),
  };
}

/** For secrets, salts and tokens. */
export const randomBytes = (n) => crypto.getRandomValues(new Uint8Array(n));
export const randomHex = (n) => [...randomBytes(n)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** An error as the protocol has them. */
export const refusal = (code, text = '') => Object.assign(new Error(code), { code, text });

function codeAndText(message) {
  const { code, text } = JSON.parse(message);
  return [code, text];
}
