// A new race: circuit, laps, and who drives.

import { h, clear } from './dom.js';
import { _, n_, N_, number } from './words.js';
import { levels } from './journal.js';
import { readCircuit } from './circuit.js';
import {
  CLOCKS, COLOURS, NAME_BYTES, circuitPicture, circuitTitle, clockText, colourChoice, freeColour, keepSalts,
  nameProblem, newSalt, ownName,
} from './seats.js';

const CARS = 6;
const LAPS = 9;

const KINDS = {
  here: N_('Person here'), elsewhere: N_('Person elsewhere'),
  rookie: N_('Bot: Rookie'), driver: N_('Bot: Driver'), champion: N_('Bot: Champion'), none: N_('Nobody'),
};

const HANDICAPS = [N_('No handicap'), N_('1 Heat fewer'), N_('2 Heat fewer')];

const seatsOf = (...kinds) => Array.from({ length: CARS }, (each, i) => ({ kind: kinds[i] ?? 'none' }));

const PRESETS = [
  { title: N_('Me and five bots'), seats: ['here', 'rookie', 'rookie', 'driver', 'driver', 'champion'], clock: 0 },
  { title: N_('Two at this screen'), seats: ['here', 'here', 'rookie', 'driver'], clock: 0 },
  { title: N_('Friends by a link'), seats: ['here', 'elsewhere', 'elsewhere', 'elsewhere'], clock: 300, net: true },
  { title: N_('A move a day'), seats: ['here', 'elsewhere', 'elsewhere', 'elsewhere'], clock: 86400, net: true },
  { title: N_('Anybody may come'), seats: ['here', 'elsewhere', 'elsewhere', 'elsewhere', 'driver', 'driver'],
    clock: 60, listed: true, net: true },
];

/** What was chosen last, with everything that makes no sense (any more) left out. */
function remembered(app) {
  const old = app.settings.get('new', {}) ?? {};
  const seats = seatsOf(...PRESETS[0].seats).map((each, i) => {
    const was = old.seats?.[i] ?? each;
    const kind = was.kind in KINDS && (app.online || was.kind !== 'elsewhere') ? was.kind : 'none';
    const typed = typeof was.name === 'string' && was.name.trim() !== '';
    const wished = was.kind === 'elsewhere' && kind === 'none' ? was.kind : null; // for when there is a server again
    return { kind, wished, name: typed ? was.name : '', typed, colour: was.colour in COLOURS ? was.colour : null,
      handicap: [1, 2].includes(was.handicap) ? was.handicap : 0 };
  });
  return {
    circuit: old.circuit ?? 'usa', laps: old.laps >= 1 && old.laps <= LAPS ? old.laps : null, seats,
    clock: CLOCKS.includes(old.clock) ? old.clock : 0, listed: old.listed === true,
    substitute: old.substitute in levels ? old.substitute : 'driver',
  };
}

export function showNew(main, app) {
  const screen = new NewRace(main, app);
  screen.load();
  return () => (screen.closed = true);
}

class NewRace {
  constructor(main, app) {
    Object.assign(this, { main, app, choices: remembered(app), circuits: new Map() });
    this.settle();
    this.draw();
  }

  get seats() {
    return this.choices.seats;
  }

  get net() {
    return this.seats.some((each) => each.kind === 'elsewhere');
  }

  get laps() {
    return this.choices.laps ?? this.circuits.get(this.choices.circuit)?.laps ?? 1;
  }

  persons() {
    return this.seats.filter((each) => each.kind === 'here');
  }

  /** Everybody at this screen has a name and a colour of their own. */
  settle() {
    const taken = new Set();
    for (const [i, seat] of this.persons().entries()) {
      seat.colour = freeColour(taken, seat.colour ?? (i === 0 ? this.app.settings.get('colour', 'red') : null));
      taken.add(seat.colour);
      if (!seat.typed) seat.name = i === 0 ? ownName(this.app) : _('Guest {n}', { n: i });
    }
  }

  taken(but) {
    return new Set(this.persons().filter((each) => each !== but).map((each) => each.colour));
  }

  /* ---- Drawing -------------------------------------------------------------------------------------- */

  draw() {
    this.tiles = h('div', { class: 'new-tiles' });
    this.lapBox = h('div', { class: 'new-laps' });
    this.cards = this.seats.map((each, i) => this.card(i));
    this.options = h('div', { class: 'new-options' });
    this.summary = h('p', { class: 'new-summary' });
    this.problem = h('p', { class: 'problem', role: 'status', id: 'new-problem' });
    this.button = h('button', { class: 'primary', 'aria-describedby': 'new-problem', onclick: () => this.start() });
    clear(this.main, h('div', { class: 'new' },
      h('h1', { class: 'display kerb' }, _('New race')),
      this.chips(),
      h('fieldset', { class: 'new-circuit' }, h('legend', { class: 'display' }, _('Circuit')), this.tiles),
      h('fieldset', { class: 'new-lap' }, h('legend', { class: 'display' }, _('Laps')), this.lapBox),
      h('section', { class: 'new-grid', 'aria-labelledby': 'new-grid' },
        h('h2', { class: 'display', id: 'new-grid' }, _('The grid')),
        h('p', { class: 'new-hint' },
          _('Up to six cars. A handicap makes it harder: the car starts with fewer Heat cards in its engine.')),
        h('div', { class: 'new-cars' }, this.cards.map((each) => each.element))),
      this.options,
      h('div', { class: 'new-go' }, h('div', null, this.summary, this.problem), this.button)));
    this.drawTiles();
    this.refresh();
  }

  chips() {
    this.presets = PRESETS.filter((each) => this.app.online || !each.net).map((preset) =>
      ({ preset, button: h('button', { class: 'chip', onclick: () => this.preset(preset) }, _(preset.title)) }));
    return h('div', { class: 'chips', role: 'group', 'aria-label': _('Ready-made races') },
      this.presets.map((each) => each.button));
  }

  isSet({ seats, clock, listed = false }) {
    return this.seats.every((each, i) => each.kind === (seats[i] ?? 'none')) && this.choices.clock === clock &&
      (!this.net || this.choices.listed === listed);
  }

  preset(preset) {
    const had = this.persons();
    this.choices.seats = seatsOf(...preset.seats).map((each) => {
      const was = each.kind === 'here' ? had.shift() : null;
      return { name: '', typed: false, colour: null, handicap: 0, ...was, kind: each.kind };
    });
    this.choices.clock = preset.clock;
    this.choices.listed = preset.listed === true;
    this.settle();
    for (const card of this.cards) card.fill();
    this.refresh();
    this.app.say(_('The grid is set: {title}', { title: _(preset.title) }));
  }

  /* ---- Circuit and laps ------------------------------------------------------------------------------- */

  async load() {
    try {
      const list = await this.app.here.circuits();
      const texts = await Promise.all(list.map((each) => this.app.here.circuit(each.name)));
      if (this.closed) return;
      this.texts = new Map(list.map((each, i) => [each.name, texts[i]]));
      this.circuits = new Map(list.map((each, i) => [each.name, readCircuit(texts[i])]));
      if (!this.circuits.has(this.choices.circuit)) this.choices.circuit = list[0]?.name;
      this.drawTiles();
      this.refresh();
    } catch (error) {
      if (!this.closed) this.app.fail(error);
    }
  }

  drawTiles() {
    if (this.circuits.size === 0) clear(this.tiles, h('p', { class: 'new-hint' }, _('One moment …')));
    else clear(this.tiles, [...this.circuits].map(([name, circuit]) => this.tile(name, circuit)));
    clear(this.lapBox, Array.from({ length: LAPS }, (each, i) => this.lap(i + 1)));
  }

  tile(name, circuit) {
    const input = h('input', { type: 'radio', name: 'circuit', value: name, onchange: () => {
      this.choices.circuit = name;
      this.choices.laps = null;
      this.refresh();
    } });
    return h('label', { class: 'tile' }, input, circuitPicture(name, this.texts.get(name)),
      h('span', { class: 'tile-words' }, h('b', { class: 'display' }, circuitTitle(name, circuit.title)),
        h('span', null, h('span', null, n_('{n} space', '{n} spaces', circuit.spaces)), ' ',
          h('span', null, n_('{n} corner', '{n} corners', circuit.corners.length)), ' ',
          h('span', null, n_('{n} lap', '{n} laps', circuit.laps)))));
  }

  lap(n) {
    return h('label', { class: 'pill' }, h('input', { type: 'radio', name: 'laps', value: n, onchange: () => {
      this.choices.laps = n;
      this.refresh();
    } }), h('span', null, number(n)));
  }

  /* ---- The cars --------------------------------------------------------------------------------------- */

  card(i) {
    const id = `car-${i}`;
    const kinds = Object.keys(KINDS).filter((each) => this.app.online || each !== 'elsewhere');
    const kind = h('select', { id, onchange: () => this.setKind(i, kinds[kind.selectedIndex]) },
      kinds.map((each) => h('option', { value: each }, _(KINDS[each]))));
    const handicap = h('select', { 'aria-label': _('Handicap of car {n}', { n: i + 1 }), onchange: () => {
      this.seats[i].handicap = handicap.selectedIndex;
      this.refresh();
    } }, HANDICAPS.map((each) => h('option', null, _(each))));
    const more = h('div', { class: 'seat-more' });
    const card = { more, colour: null, element: h('fieldset', { class: 'seat' },
      h('legend', null, _('Car {n}', { n: i + 1 })),
      h('div', { class: 'seat-who' },
        h('label', { for: id, class: 'unseen' }, _('Who drives car {n}', { n: i + 1 })), kind, handicap),
      more) };
    card.fill = () => {
      const seat = this.seats[i];
      kind.selectedIndex = kinds.indexOf(seat.kind);
      handicap.selectedIndex = seat.handicap;
      handicap.hidden = seat.kind === 'none';
      card.element.dataset.kind = seat.kind;
      card.colour = null;
      clear(more);
      if (seat.kind === 'here') this.person(i, card);
    };
    card.fill();
    return card;
  }

  person(i, card) {
    const seat = this.seats[i];
    const name = h('input', { type: 'text', id: `name-${i}`, maxlength: NAME_BYTES,
      autocomplete: i === 0 ? 'nickname' : 'off', spellcheck: 'false', oninput: () => {
        seat.name = name.value;
        seat.typed = true;
        this.refresh();
      } });
    name.value = seat.name;
    card.colour = colourChoice({ value: seat.colour, car: i + 1, taken: () => this.taken(seat), onchange: (colour) => {
      seat.colour = colour;
      this.refresh();
    } });
    clear(card.more,
      h('div', { class: 'seat-name' }, h('label', { for: `name-${i}` }, _('Name')), name), card.colour.element);
  }

  setKind(i, kind) {
    Object.assign(this.seats[i], { kind, wished: null });
    this.settle();
    this.cards[i].fill();
    this.refresh();
  }

  /* ---- The rest --------------------------------------------------------------------------------------- */

  /** Clock, substitute and list are asked for only where they mean something. */
  drawOptions() {
    const several = this.net || this.choices.clock > 0;
    const key = [this.net, several].join();
    if (this.optionsFor === key) {
      this.fillOptions();
      return;
    }
    this.optionsFor = key;
    const clock = h('select', { 'data-option': 'clock', onchange: () => {
      this.choices.clock = CLOCKS[clock.selectedIndex];
      this.refresh();
    } }, CLOCKS.map((each) => h('option', null, clockText(each))));
    const names = Object.keys(levels);
    const substitute = h('select', { 'data-option': 'substitute', onchange: () => {
      this.choices.substitute = names[substitute.selectedIndex];
      this.refresh();
    } }, names.map((each) => h('option', null, _(KINDS[each]))));
    const listed = [true, false].map((value) => h('label', { class: 'new-radio' }, h('input', {
      type: 'radio', name: 'listed', value: String(value), onchange: () => {
        this.choices.listed = value;
        this.refresh();
      },
    }), ' ', value ? _('Anybody: the race is in the list') : _('Only people with the link')));
    const focused = this.options.contains(document.activeElement) ? document.activeElement.dataset.option : null;
    clear(this.options,
      h('label', { class: 'new-option' }, h('b', null, _('Time limit')), clock,
        h('small', null, _('When the time is over, a bot drives on until you are back.'))),
      several && h('label', { class: 'new-option' }, h('b', null, _('Who drives for absent people')), substitute,
        h('small', null, _('It also takes the seats that are still free at the start.'))),
      this.net && h('fieldset', { class: 'new-option' }, h('legend', null, _('Who may join')), listed));
    this.fillOptions();
    if (focused) this.options.querySelector(`[data-option="${focused}"]`)?.focus();
  }

  fillOptions() {
    const find = (selector) => this.options.querySelector(selector);
    find('[data-option=clock]').selectedIndex = CLOCKS.indexOf(this.choices.clock);
    const substitute = find('[data-option=substitute]');
    if (substitute) substitute.selectedIndex = Object.keys(levels).indexOf(this.choices.substitute);
    const listed = find(`[name=listed][value=${this.choices.listed}]`);
    if (listed) listed.checked = true;
  }

  /** Why the race cannot start, or null. */
  why() {
    if (this.circuits.size === 0) return _('The circuits are being fetched.');
    if (this.seats.every((each) => each.kind === 'none')) return _('There is no car on the grid yet.');
    if (this.persons().length === 0) return _('Nobody sits at this screen: make one of the cars yours.');
    const names = this.persons().map((each) => each.name.trim());
    const bad = names.map(nameProblem).find(Boolean);
    if (bad) return bad;
    const twice = names.find((each, i) => names.indexOf(each) !== i);
    return twice ? _('Two people are called {name}. Give one of them another name.', { name: twice }) : null;
  }

  /** Names that nobody typed are not kept: they are made anew, in the language of the day. */
  keep() {
    const seats = this.seats.map(({ kind, wished, name, typed, colour, handicap }) =>
      ({ kind: wished ?? kind, name: typed ? name : '', colour, handicap }));
    this.app.settings.set('new', { ...this.choices, seats });
  }

  refresh() {
    this.keep();
    for (const card of this.cards) card.colour?.refresh();
    for (const each of this.tiles.querySelectorAll('input')) each.checked = each.value === this.choices.circuit;
    for (const each of this.lapBox.querySelectorAll('input')) each.checked = Number(each.value) === this.laps;
    this.drawOptions();
    for (const { preset, button } of this.presets) button.setAttribute('aria-pressed', String(this.isSet(preset)));
    const cars = this.seats.filter((each) => each.kind !== 'none').length;
    const circuit = circuitTitle(this.choices.circuit, this.circuits.get(this.choices.circuit)?.title);
    clear(this.summary, h('b', null, n_('{circuit}, {n} lap', '{circuit}, {n} laps', this.laps, { circuit })), ' ',
      h('b', null, n_('{n} car', '{n} cars', cars)), ' ',
      h('small', null, this.net
        ? _('Over the net: you get a link for the others.') : _('In this browser: it needs no network.')));
    const why = this.why();
    clear(this.problem, why);
    clear(this.button, this.net ? _('Open the race') : _('To the start line'));
    this.button.disabled = why !== null || this.busy === true;
  }

  makeOpening() {
    const salts = {};
    const used = this.seats.filter((each) => each.kind !== 'none');
    const seats = used.map((each, i) => {
      const handicap = each.handicap > 0 ? { handicap: each.handicap } : {};
      if (each.kind === 'elsewhere') return { kind: 'open', ...handicap };
      if (each.kind !== 'here') return { kind: 'bot', level: each.kind, ...handicap };
      const person = { kind: 'person', name: each.name.trim(), colour: each.colour, ...handicap };
      if (!this.net) return person;
      salts[i] = newSalt();
      return { ...person, salt: salts[i] };
    });
    const { circuit, clock, substitute, listed } = this.choices;
    return { salts, opening: { circuit, laps: this.laps, seats, clock, substitute, ...(this.net ? { listed } : {}) } };
  }

  async start() {
    if (this.why() !== null) return;
    const host = this.net ? this.app.net : this.app.here;
    const { opening, salts } = this.makeOpening();
    this.busy = true;
    this.refresh();
    try {
      const { id, tokens } = await host.open(opening);
      this.app.keepSeats(host, id, tokens);
      if (this.net) keepSalts(this.app.settings, id, salts);
      const first = this.persons()[0];
      if (first.typed) this.app.settings.set('name', first.name.trim());
      this.app.settings.set('colour', first.colour);
      if (!this.closed) this.app.go(`${this.net ? 'race' : 'here'}/${id}`);
    } catch (error) {
      this.app.fail(error);
    }
    this.busy = false;
    if (!this.closed) this.refresh();
  }
}
