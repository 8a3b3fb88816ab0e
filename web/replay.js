// A race file again, step by step: a step is an act and all that followed from it.

import { h, svg, clear } from './dom.js';
import { _, N_ } from './words.js';
import { createBoard } from './board.js';
import { cardPicture } from './cards.js';
import { readCircuit } from './circuit.js';
import { explain, faultSentence } from './codes.js';
import { cardName, levels, seatName, sentences } from './journal.js';
import { here } from './link.js';
import { createTower } from './tower.js';
import * as settings from './settings.js';

const LONGEST = 1024 * 1024; // bytes; a race of nine laps and six cars has about 60 KB
const STEP_MS = 650; // to read what a step says
const COLOURS = ['red', 'blue', 'yellow', 'green', 'black', 'white']; // a race file has none

/* ---- What a file says by itself --------------------------------------------------------------------------- */

const value = (file, key) => new RegExp(`^${key} (.*)$`, 'm').exec(file)?.[1] ?? '';

/** The seats as far as a race file knows them: a bot has its level for a name. */
const seatsOf = (file) => [...file.matchAll(/^seat \d handicap \d ?(.*)$/gm)].map(([, name], i) =>
  (name in levels ? { kind: 'bot', level: name, colour: COLOURS[i] }
    : { kind: 'person', name: name || _('Car {number}', { number: i + 1 }), colour: COLOURS[i] }));

/** The step after which each round begins. */
function roundsOf(file) {
  const rounds = [];
  let acts = 0;
  for (const line of file.split('\n')) {
    if (/^\s*\d /.test(line)) acts++;
    else if (line.startsWith('round ')) rounds.push(acts);
  }
  return rounds;
}

/** A circuit that nobody has drawn becomes an oval with the figures of the file. */
function plainCircuit(file) {
  const [spaces, heat, stress, ...corners] = value(file, 'track').split(',');
  const name = value(file, 'circuit');
  const corner = (text) => `corner ${text.replace('/', ' limit ')} race-line right`;
  return ['hairpin circuit 1', `name ${name}`, `title ${name}`, `spaces ${spaces}`, `laps ${value(file, 'laps')}`,
    `heat ${heat}`, `stress ${stress}`, 'race-line right', ...corners.map(corner), 'end', ''].join('\n');
}

async function circuitOf(file, known) {
  try {
    return readCircuit(known ?? (await here.circuit(value(file, 'circuit'))));
  } catch {
    return readCircuit(plainCircuit(file));
  }
}

/* ---- What a step says ------------------------------------------------------------------------------------- */

const quiet = {
  unplan: N_('{name} takes the plan back'),
  retire: N_('{name} wants to retire'),
  done: N_('{name} leaves it at that'),
  stay: N_('{name} does not use the slipstream'),
  keep: N_('{name} keeps all cards'),
};

/** Acts that nothing is seen of; a plan is only told to those who look into that hand. */
function actSentence({ act = '', seat }, names, viewer) {
  const [kind, gear, ...cards] = act.split(' ');
  const name = names[seat];
  if (kind in quiet) return _(quiet[kind], { name });
  if (kind !== 'plan') return null;
  if (seat !== viewer) return _('{name} has planned', { name });
  const list = cards.map(cardName).join(' · ');
  return _('{name} plans gear {gear}: {cards}', { name, gear: Number(gear), cards: list });
}

function told(step, names, viewer) {
  const said = step.events.flatMap((event) => sentences(event, names));
  const own = actSentence(step, names, viewer);
  return own ? [own, ...said] : said;
}

/** Cars as they stand: those that finished by their places, then those on the circuit, then those that retired. */
function standings(view) {
  const group = { finished: 0, racing: 1, retired: 2 };
  return view.cars.map((car, seat) => seat).sort((a, b) => {
    const [one, other] = [view.cars[a], view.cars[b]];
    if (one.status !== other.status) return group[one.status] - group[other.status];
    return one.status === 'racing' ? other.at - one.at || one.spot - other.spot : one.place - other.place;
  });
}

/* ---- The screen ------------------------------------------------------------------------------------------- */

const signs = {
  first: 'M5 5V19M19 5L9 12L19 19Z', last: 'M19 5V19M5 5L15 12L5 19Z',
  back: 'M12 5L4 12L12 19ZM20 5L12 12L20 19Z', on: 'M4 5L12 12L4 19ZM12 5L20 12L12 19Z',
  previous: 'M17 5L7 12L17 19Z', next: 'M7 5L17 12L7 19Z', play: 'M7 4L19 12L7 20Z', pause: 'M8 5V19M16 5V19',
};
const sign = (kind) =>
  svg('svg', { class: 'replay-sign', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d: signs[kind] }));

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

class Replay {
  constructor(container, { file = null, seat = -1, seats = null, circuit = null, app = null }) {
    Object.assign(this, { container, viewer: seat ?? -1, given: { file, seats, circuit }, app });
    this.at = 0;
    this.asked = 0; // counts what was asked for, so that late answers are left aside
    this.playing = false;
    this.keydown = (event) => this.key(event);
    document.addEventListener('keydown', this.keydown);
    this.dropping = [['dragover', (event) => this.drag(event)], ['dragleave', () => this.over(false)],
      ['drop', (event) => this.drop(event)]];
    for (const [name, listener] of this.dropping) container.addEventListener(name, listener);
    if (file) this.open(file, this.given);
    else this.choose();
  }

  close() {
    this.closed = true;
    this.stop();
    document.removeEventListener('keydown', this.keydown);
    for (const [name, listener] of this.dropping) this.container.removeEventListener(name, listener);
    this.over(false);
    this.board?.finish();
  }

  redraw() {
    this.stop();
    if (this.race) {
      this.build();
      this.show(this.at);
    } else this.choose();
  }

  /* ---- Files -------------------------------------------------------------------------------------------- */

  choose(problem = null) {
    const input = h('input', { type: 'file', id: 'replay-file', class: 'replay-file', accept: '.race,.txt,text/plain',
      onchange: () => input.files[0] && this.read(input.files[0]) });
    clear(this.container, h('div', { class: 'replay-choose' },
      h('div', { class: 'replay-drop' },
        h('h1', { class: 'display' }, _('Replay a race')),
        h('p', null, _('Open a race file, or drop one here. It stays on this device.')),
        h('label', { class: 'replay-open', for: 'replay-file' }, _('Open a race file')), input,
        h('p', { class: 'replay-problem', role: 'alert' }, problem))));
  }

  async read(file) {
    const text = file.size > LONGEST ? null : await file.text().catch(() => null); // a folder has none
    if (this.closed) return;
    if (text === null) this.leave(_('This is no race file.'));
    else await this.open(text.replaceAll('\r\n', '\n'));
  }

  /** What is known besides the file, colours and circuit, belongs to the file that came with it. */
  async open(file, { seats = null, circuit = null } = {}) {
    const asked = ++this.asked;
    this.stop();
    this.board?.finish();
    this.race = null;
    clear(this.container, h('p', { class: 'loading', role: 'status' }, _('One moment …')));
    try {
      const result = await here.verify(file);
      if (!result.ok) {
        if (asked === this.asked) this.choose(faultSentence(result));
        return;
      }
      const race = await here.replay(file);
      const drawn = await circuitOf(file, circuit);
      if (this.closed || asked !== this.asked) return;
      this.seats = seats ?? seatsOf(file);
      this.laps = Number(value(file, 'laps'));
      Object.assign(this, { race, circuit: drawn, rounds: roundsOf(file), last: race.acts ?? race.length - 1, at: 0 });
      if (this.viewer >= this.seats.length) this.viewer = -1;
      this.build();
      await this.show(0);
    } catch (error) {
      if (!this.closed && asked === this.asked) this.choose(explain(error.code));
      if (!error.code) console.error(error);
    }
  }

  over(on) {
    this.container.classList.toggle('replay-over', on);
  }

  drag(event) {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    this.over(true);
  }

  drop(event) {
    this.over(false);
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    this.read(file);
  }

  /* ---- Drawing ------------------------------------------------------------------------------------------ */

  build() {
    this.names = this.seats.map(seatName);
    this.board = createBoard(this.circuit, this.laps);
    this.board.setCars(this.seats.map((seat, i) => ({
      seat: i, colour: seat.colour, number: i + 1, name: this.names[i], you: i === this.viewer,
    })));
    this.tower = createTower();
    this.log = h('ol', { class: 'replay-log', 'aria-live': 'polite', 'aria-label': _('What happened') });
    this.hand = h('div', { class: 'replay-hand' });
    this.where = h('p', { class: 'replay-where display' });
    this.slider = h('input', { type: 'range', min: 0, max: this.last, value: 0, 'aria-label': _('Step'),
      oninput: () => this.go(Number(this.slider.value)) });
    clear(this.container, h('div', { class: 'replay' },
      h('h1', { class: 'replay-title' }, _('Replay')),
      h('div', { class: 'replay-board' }, this.board.element),
      h('div', { class: 'replay-side' }, this.tower.element, this.log),
      h('div', { class: 'replay-controls' }, this.where, this.slider, this.buttons()),
      h('section', { class: 'replay-cards', 'aria-label': _('Cards') }, this.eyes(), this.hand,
        h('button', { type: 'button', class: 'quiet', onclick: () => this.leave() }, _('Open another file')))));
  }

  leave(problem = null) {
    this.asked++;
    this.stop();
    this.board?.finish();
    this.race = null;
    this.choose(problem);
  }

  buttons() {
    const button = (kind, name, action) => h('button',
      { type: 'button', class: `replay-${kind}`, 'aria-label': name, title: name, onclick: action }, sign(kind));
    this.player = button('play', _('Play'), () => this.toggle());
    this.player.classList.add('primary');
    return h('div', { class: 'replay-buttons', role: 'group', 'aria-label': _('Steps') },
      button('first', _('First step'), () => this.go(0)),
      button('back', _('Previous round'), () => this.round(-1)),
      button('previous', _('Previous step'), () => this.go(this.at - 1)),
      this.player,
      button('next', _('Next step'), () => this.go(this.at + 1)),
      button('on', _('Next round'), () => this.round(1)),
      button('last', _('Last step'), () => this.go(this.last)));
  }

  eyes() {
    const select = h('select', { onchange: () => {
      this.viewer = Number(select.value);
      this.show(this.at);
    } }, h('option', { value: -1, selected: this.viewer < 0 }, _('A spectator')),
    this.names.map((name, i) => h('option', { value: i, selected: i === this.viewer }, name)));
    return h('label', { class: 'replay-eyes' }, h('span', null, _('View of')), select);
  }

  drawHand(view) {
    if (this.viewer < 0) {
      clear(this.hand, h('p', { class: 'soft' }, _('Choose a car to see its cards.')));
      return;
    }
    const cards = view.hand ?? [];
    clear(this.hand, cards.length > 0 ? cards.map(cardPicture) : h('p', { class: 'soft' }, _('No cards in hand.')));
  }

  drawWhere(view) {
    const values = { step: this.at, steps: this.last, round: view.round };
    const text = _('Round {round} · step {step} of {steps}', values);
    clear(this.where, text);
    this.slider.value = this.at;
    this.slider.setAttribute('aria-valuetext', text);
  }

  /** Goes to a step; one step ahead is played, everything else is there at once. */
  async show(step, { moving = false } = {}) {
    const asked = ++this.asked;
    this.at = Math.max(0, Math.min(this.last, step));
    const found = await this.race.step(this.at, this.viewer);
    if (this.closed || asked !== this.asked) return;
    const { view } = found.state;
    this.drawWhere(view);
    clear(this.log, told(found, this.names, this.viewer).map((text) => h('li', null, text)));
    this.drawHand(view);
    if (moving) await this.animate(found.events, asked);
    if (this.closed || asked !== this.asked) return;
    this.board.place(view.cars);
    this.board.turn(view.turn?.car ?? -1);
    const table = { seats: this.seats, awaited: [] };
    this.tower.update({ view, table, standings: standings(view) }, this.names, this.viewer);
  }

  async animate(events, asked) {
    const pace = settings.pace();
    for (const event of events) {
      if (pace === 0 || asked !== this.asked) return;
      if (event.e === 'reveal') this.board.turn(event.car);
      if (event.e === 'move') {
        const ms = (250 + 60 * (event.to.at - event.from.at)) * pace;
        await this.board.move(event.car, event.from, event.to, { ms, why: event.why });
      } else if (event.e === 'spin') await this.board.spin(event.car, event.to, { ms: 900 * pace });
    }
  }

  /* ---- Going -------------------------------------------------------------------------------------------- */

  go(step) {
    this.stop();
    this.board.finish();
    return this.show(step, { moving: step === this.at + 1 });
  }

  round(way) {
    const next = this.rounds.find((step) => step > this.at) ?? this.last;
    const before = this.rounds.findLast((step) => step < this.at) ?? 0;
    this.go(way > 0 ? next : before);
  }

  toggle() {
    if (this.playing) this.stop();
    else this.play();
  }

  stop() {
    if (!this.playing) return;
    this.playing = false;
    this.drawPlayer();
  }

  drawPlayer() {
    const name = this.playing ? _('Pause') : _('Play');
    this.player.setAttribute('aria-label', name);
    this.player.title = name;
    clear(this.player, sign(this.playing ? 'pause' : 'play'));
  }

  async play() {
    if (this.at >= this.last) this.at = -1; // once more from the start
    this.playing = true;
    this.drawPlayer();
    const run = (this.run = {});
    while (this.playing && this.run === run && this.at < this.last) {
      await this.show(this.at + 1, { moving: true });
      await wait(this.log.childElementCount > 0 ? STEP_MS * (settings.pace() || 1) : 0);
    }
    if (this.run === run) this.stop();
  }

  key(event) {
    if (!this.race || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const { target } = event;
    const busy = target.closest?.('select, input, textarea, button, a, summary');
    const keys = {
      ArrowLeft: () => this.go(this.at - 1), ArrowRight: () => this.go(this.at + 1), ' ': () => this.toggle(),
      Home: () => this.go(0), End: () => this.go(this.last),
      PageUp: () => this.round(-1), PageDown: () => this.round(1),
    };
    if (!(event.key in keys)) return;
    if (target === this.slider ? event.key !== ' ' : busy && (event.key === ' ' || !target.closest('button'))) return;
    event.preventDefault();
    keys[event.key]();
  }
}

/** {file, seat, seats, circuit}: without a file it asks for one; seats as in a notice, the circuit's text if known. */
export function showReplay(container, options = {}) {
  const replay = new Replay(container, options);
  return { close: () => replay.close(), redraw: () => replay.redraw() };
}
