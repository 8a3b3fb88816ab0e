// Engine sounds, made on the spot: no files. Nothing is created before somebody has asked for sound by a click or a
// key, which is what browsers demand anyway.

const LOUDNESS = 0.16;

let context = null;
let output = null; // everything goes through it: off is this, turned down
let hiss = null; // a second of noise
let wanted = false;

function create() {
  const Context = globalThis.AudioContext ?? globalThis.webkitAudioContext;
  if (!Context) return false;
  context = new Context();
  const limiter = context.createDynamicsCompressor();
  output = context.createGain();
  output.gain.value = 0;
  output.connect(limiter).connect(context.destination);
  hiss = context.createBuffer(1, context.sampleRate, context.sampleRate);
  const samples = hiss.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  return true;
}

const ready = () => wanted && context?.state === 'running';

/** A volume that rises, stays and falls: [seconds from now, loudness] each. */
function envelope(points) {
  const node = context.createGain();
  const now = context.currentTime;
  node.gain.setValueAtTime(0.0001, now);
  for (const [at, loudness] of points) node.gain.linearRampToValueAtTime(Math.max(loudness, 0.0001), now + at);
  node.connect(output);
  return node;
}

function tone(type, pitches, seconds, into) {
  const oscillator = context.createOscillator();
  const now = context.currentTime;
  oscillator.type = type;
  pitches.forEach(([at, pitch], i) => {
    if (i === 0) oscillator.frequency.setValueAtTime(pitch, now);
    else oscillator.frequency.exponentialRampToValueAtTime(pitch, now + at);
  });
  oscillator.connect(into);
  oscillator.start(now);
  oscillator.stop(now + seconds);
  return oscillator;
}

function noise(seconds, into, { type = 'bandpass', from, to = from, q = 1 }) {
  const source = context.createBufferSource();
  const filter = context.createBiquadFilter();
  const now = context.currentTime;
  source.buffer = hiss;
  source.loop = true;
  filter.type = type;
  filter.Q.value = q;
  filter.frequency.setValueAtTime(from, now);
  filter.frequency.exponentialRampToValueAtTime(to, now + seconds);
  source.connect(filter).connect(into);
  source.start(now);
  source.stop(now + seconds);
}

/** An engine: a saw and a square an octave below it, a little out of tune, muffled; pitch follows the speed. */
function engine(speed, ms) {
  const seconds = Math.max(0.25, ms / 1000);
  const high = 70 + 13 * Math.min(speed, 24);
  const pitches = [[0, 60], [seconds * 0.45, high], [seconds * 0.8, high * 0.96], [seconds, 55]];
  const volume = envelope([[0.06, 0.4], [seconds * 0.8, 0.35], [seconds, 0]]);
  const muffler = context.createBiquadFilter();
  muffler.type = 'lowpass';
  muffler.frequency.value = 500 + 60 * speed;
  muffler.connect(volume);
  tone('sawtooth', pitches, seconds, muffler);
  tone('square', pitches.map(([at, pitch]) => [at, pitch * 0.503]), seconds, muffler);
}

function shift() {
  noise(0.07, envelope([[0.005, 2], [0.07, 0]]), { from: 1800, to: 700, q: 2 });
  tone('square', [[0, 140], [0.09, 90]], 0.1, envelope([[0.01, 0.9], [0.1, 0]]));
}

function spin() {
  noise(0.9, envelope([[0.04, 2.4], [0.6, 1.6], [0.9, 0]]), { from: 2300, to: 900, q: 9 });
  tone('sawtooth', [[0, 900], [0.25, 1250], [0.9, 420]], 0.9, envelope([[0.03, 0.3], [0.9, 0]]));
}

function boost() {
  noise(0.5, envelope([[0.15, 0.9], [0.5, 0]]), { from: 400, to: 3200, q: 1.2 });
  tone('sawtooth', [[0, 110], [0.45, 330]], 0.5, envelope([[0.1, 0.3], [0.5, 0]]));
}

/** Three steps up and a long one: a small fanfare. */
function finish() {
  [[0, 392, 0.14], [0.15, 523, 0.14], [0.3, 659, 0.14], [0.45, 784, 0.6]].forEach(([at, pitch, seconds]) => {
    const end = at + seconds;
    tone('triangle', [[0, pitch]], end, envelope([[at, 0], [at + 0.02, 0.5], [end - 0.05, 0.35], [end, 0]]));
  });
}

const when = (make) => (...values) => {
  if (ready()) make(...values);
};

export const sound = {
  /** Call on(true) from a click or a key. */
  on(on) {
    wanted = Boolean(on);
    if (wanted && !context && !create()) return;
    if (!context) return;
    if (wanted) context.resume().catch(() => {});
    output.gain.setTargetAtTime(wanted ? LOUDNESS : 0, context.currentTime, 0.03);
  },
  move: when(engine),
  shift: when(shift),
  spin: when(spin),
  boost: when(boost),
  finish: when(finish),
};
