// A circuit file as data, and the places on its road.
// Drawings have their own scale: neighbouring spaces are about 41 apart, whatever the file says.

const STEP = 41;
const SAMPLES = 8; // of the middle line, a space

function check(right, what) {
  if (!right) throw new Error(`circuit: ${what}`);
}

const whole = (word, least, most) => {
  check(/^\d+$/.test(word ?? '') && word >= least && word <= most, `${word} is not a number from ${least} to ${most}`);
  return Number(word);
};

const side = (word) => {
  check(word === 'left' || word === 'right', `${word} is no side`);
  return word;
};

function readCorner([, after, limit, most, line, beyond]) {
  check(limit === 'limit' && line === 'race-line', 'not a corner');
  return { after: whole(after, 0, 127), limit: whole(most, 1, 20), raceLine: side(beyond) };
}

const readPoint = (word) => word.split(',').map((each) => whole(each, 0, 9999));

/** Reads a circuit file (docs/CIRCUITS.md); nonsense throws. */
export function readCircuit(text) {
  const lines = text.split('\n').map((line) => line.trim());
  check(lines.shift() === 'hairpin circuit 1', 'not a circuit file');
  const circuit = { name: '', title: '', spaces: 0, laps: 1, heat: 6, stress: 3, raceLine: 'right', corners: [],
    width: 1000, height: 667, points: [] };
  let ended = false;
  for (const line of lines) {
    const words = line.split(/\s+/);
    const [key, value] = words;
    if (line === '' || line[0] === '#') continue;
    else if (key === 'end') ended = true;
    else if (key === 'name') circuit.name = value;
    else if (key === 'title') circuit.title = line.slice(5).trim();
    else if (key === 'race-line') circuit.raceLine = side(value);
    else if (key === 'corner') circuit.corners.push(readCorner(words));
    else if (key === 'points') circuit.points.push(...words.slice(1).map(readPoint));
    else if (key === 'canvas') [circuit.width, circuit.height] = [whole(value, 1, 10000), whole(words[2], 1, 10000)];
    else {
      check(['spaces', 'laps', 'heat', 'stress'].includes(key), `what is ${key}?`);
      circuit[key] = whole(value, 0, 128);
    }
  }
  check(ended && circuit.name && circuit.spaces >= 25 && circuit.corners.length > 0, 'incomplete');
  if (circuit.points.length === 0) layOut(circuit);
  check(circuit.points.length === circuit.spaces, 'points and spaces differ');
  return circuit;
}

/** A circuit without points gets a circle. */
function layOut(circuit) {
  const radius = (circuit.spaces * STEP) / (2 * Math.PI);
  circuit.width = circuit.height = 2 * (radius + 90);
  for (let i = 0; i < circuit.spaces; i++) {
    const turn = (2 * Math.PI * i) / circuit.spaces;
    circuit.points.push([radius + 90 + radius * Math.sin(turn), radius + 90 - radius * Math.cos(turn)]);
  }
}

export const smooth = (t) => (t <= 0 ? 0 : t >= 1 ? 1 : t * t * (3 - 2 * t));
export const mod = (a, n) => ((a % n) + n) % n;

const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
const degrees = (turn) => (turn * 180) / Math.PI;

/** Half of the road's width: room for two cars, and neighbouring stretches do not touch. */
function halfWidth(points) {
  const n = points.length;
  let nearest = Infinity;
  for (let i = 0; i < n; i++)
    for (let j = i + 5; j < n && n - j + i >= 5; j++) nearest = Math.min(nearest, distance(points[i], points[j]));
  return Math.max(18, Math.min(26, nearest / 2 - 10));
}

const roads = new WeakMap();

/** The road of a circuit: where a progress lies (also before the start, also between two spaces), and its direction. */
export function roadOf(circuit) {
  if (!roads.has(circuit)) roads.set(circuit, makeRoad(circuit));
  return roads.get(circuit);
}

function makeRoad(circuit) {
  const n = circuit.spaces;
  const written = circuit.points.map(([x, y]) => ({ x, y }));
  const scale = (STEP * n) / written.reduce((sum, point, i) => sum + distance(point, written[(i + 1) % n]), 0);
  const points = written.map(({ x, y }) => ({ x: x * scale, y: y * scale }));
  const half = halfWidth(points);
  const lane = half * 0.48;

  /** The middle of the road: a closed Catmull-Rom curve through all points. */
  function middle(at) {
    const i = Math.floor(at);
    const u = at - i;
    const [a, b, c, d] = [-1, 0, 1, 2].map((k) => points[mod(i + k, n)]);
    const mix = (p, q, r, s) =>
      q + 0.5 * u * (r - p + u * (2 * p - 5 * q + 4 * r - s + u * (3 * (q - r) + s - p)));
    return { x: mix(a.x, b.x, c.x, d.x), y: mix(a.y, b.y, c.y, d.y) };
  }

  /** Direction of the road, in radians; 0 is to the right, clockwise. */
  function heading(at) {
    const a = middle(at - 0.02);
    const b = middle(at + 0.02);
    return Math.atan2(b.y - a.y, b.x - a.x);
  }

  /** A point beside the middle; positive is to the right of somebody who drives. */
  function beside(at, aside) {
    const { x, y } = middle(at);
    const turn = heading(at);
    return { x: x - Math.sin(turn) * aside, y: y + Math.cos(turn) * aside };
  }

  /** The race line's side of a space: 1 is right. */
  function sideOf(space) {
    let line = circuit.raceLine;
    for (const corner of circuit.corners) if (mod(space, n) > corner.after) line = corner.raceLine;
    return line === 'right' ? 1 : -1;
  }

  // In a hairpin both spots lie further out: cars behind each other need room on the inside.
  const outward = points.map((_, i) => {
    const turn = Math.sin(heading(i + 0.5) - heading(i - 0.5));
    return -Math.sign(turn) * half * 0.22 * smooth((Math.abs(turn) - 0.4) / 0.5);
  });

  const aside = (at, spot) => sideOf(at) * lane * (spot === 0 ? 1 : -1) + outward[mod(at, n)];

  /** How far beside the middle the race line is, also between two spaces, where it may change side. */
  function raceLine(at) {
    const i = Math.floor(at);
    const from = aside(i, 0);
    return from + (aside(i + 1, 0) - from) * smooth(at - i);
  }

  function place(at, spot) {
    return { ...beside(at, aside(Math.round(at), spot)), angle: degrees(heading(at)) };
  }

  /**
   * The way of a car from one place to another: a function from 0..1 to where it is. In between it keeps to the race
   * line, and passes on the free side of those who stand there.
   */
  function way(from, to, taken = () => false) {
    const length = Math.abs(to.at - from.at);
    const sign = to.at < from.at ? -1 : 1;
    const asides = [aside(from.at, from.spot)];
    for (let k = 1; k < length; k++) {
      const space = from.at + sign * k;
      asides.push(taken(space, 0) ? (taken(space, 1) ? 0 : aside(space, 1)) : aside(space, 0));
    }
    asides.push(aside(to.at, to.spot));
    const point = (k) => {
      const i = Math.max(0, Math.min(asides.length - 2, Math.floor(k)));
      const offset = asides[i] + (asides[i + 1] - asides[i]) * smooth(k - i);
      return beside(from.at + sign * (length && k), offset);
    };
    const steps = Math.max(1, length);
    return (part) => {
      const k = part * steps;
      if (length === 0 || part <= 0 || part >= 1) {
        return { ...point(k), angle: degrees(heading(from.at + sign * (length && k))) };
      }
      const [a, b] = [point(Math.max(0, k - 0.05)), point(Math.min(steps, k + 0.05))];
      return { ...point(k), angle: degrees(Math.atan2(sign * (b.y - a.y), sign * (b.x - a.x))) };
    };
  }

  /** Spaces that a car may still drive before the next corner line. */
  function toCorner(space) {
    return Math.min(...circuit.corners.map((corner) => mod(corner.after - space, n)));
  }

  const samples = Array.from({ length: n * SAMPLES }, (_, k) => middle(k / SAMPLES - 0.5));
  const [xs, ys] = [samples.map((each) => each.x), samples.map((each) => each.y)];
  const bounds = { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };

  /** How far a point is from the middle of the road. */
  const clearance = (x, y) => {
    let least = Infinity;
    for (const each of samples) least = Math.min(least, (each.x - x) ** 2 + (each.y - y) ** 2);
    return Math.sqrt(least);
  };

  return { n, half, middle, heading, beside, aside, raceLine, place, way, toCorner, samples, bounds,
    clearance, width: circuit.width * scale, height: circuit.height * scale };
}
