// What this browser remembers. Everything has a default; a browser that keeps nothing loses nothing but comfort.

const PREFIX = 'hairpin.';
const memory = new Map(); // what storage refused

export function get(key, otherwise) {
  if (memory.has(key)) return memory.get(key);
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

export function set(key, value) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
    memory.delete(key);
  } catch {
    memory.set(key, value); // full or refused: it is kept until the page is closed
  }
}

/** Whether things may move: not for those who have told their system, or us, that they would rather not. */
function motion() {
  const wish = get('motion', 'system');
  return wish === 'system' ? !matchMedia('(prefers-reduced-motion: reduce)').matches : wish === 'on';
}

/** The factor by which animations are slowed or hurried; 0 is at once. */
export const pace = () => (motion() ? get('pace', 1) : 0);

/** The seats that this browser has at tables of the server: id to [{seat, token}]. */
export const seatsAt = (id) => get('seats', {})[id] ?? [];

export function keepSeats(id, tokens) {
  const all = get('seats', {});
  const kept = (all[id] ?? []).filter((each) => !tokens.some((other) => other.seat === each.seat));
  set('seats', { ...all, [id]: [...kept, ...tokens].sort((a, b) => a.seat - b.seat) });
}

export function forgetSeats(id, seat) {
  const all = get('seats', {});
  const left = (all[id] ?? []).filter((each) => seat !== undefined && each.seat !== seat);
  if (left.length > 0) all[id] = left;
  else delete all[id];
  set('seats', all);
}
