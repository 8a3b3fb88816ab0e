// The race screen: takes the table's messages, plays what happened one after the other, and asks for decisions.

import { h, button, clear } from './dom.js';
import { _, n_ } from './words.js';
import { explain } from './codes.js';
import { readCircuit } from './circuit.js';
import { createBoard } from './board.js';
import { createTower } from './tower.js';
import { createCockpit } from './cockpit.js';
import { createJournal, entrySentence, phrases, seatNames, sentences } from './journal.js';
import { showLobby } from './lobby.js';
import { showAfter } from './after.js';
import { circuitTitle, keepPromise, keepSalts, newSalt, promised } from './seats.js';
import { pauseBefore } from './link.js';
import { onlyHere, seatPanel } from './links.js';
import { sound } from './sound.js';
import * as settings from './settings.js';

const SPACE_MS = 90; // a car takes for a space,
const MOVE_MS = 350; // and for getting under way
const PAUSE_MS = 450; // for something to be read
const HURRY_AT = 30; // messages behind: what happened while we were away is not played, only told
const PATIENCE = 20000; // before others may ask for a bot
const COARSE = 2 * 3600000; // milliseconds left that a wrong clock does not make much of a difference to
const RETRY_MS = 3000; // before the race file is asked for again
const PASSING = ['offline', 'too_fast', 'too_many', 'full', 'stopping']; // what says nothing about the race itself

const units = [
  [2 * 86400, 86400, (n) => n_('{n} day left', '{n} days left', n)],
  [2 * 3600, 3600, (n) => n_('{n} hour left', '{n} hours left', n)],
  [120, 60, (n) => n_('{n} minute left', '{n} minutes left', n)],
  [0, 1, (n) => n_('{n} second left', '{n} seconds left', n)],
];

function timeLeft(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [, length, text] = units.find(([least]) => seconds >= least);
  return text(Math.floor(seconds / length));
}

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** table: {host, id, tokens: [{seat, token}]} */
export function showRace(main, app, table) {
  const screen = new Screen(main, app, table);
  screen.open();
  return { close: () => screen.close(), redraw: () => screen.redraw() };
}

class Screen {
  constructor(main, app, table) {
    Object.assign(this, { main, app, ...table });
    this.queue = [];
    this.asides = new Set(); // connections for a line of another seat of ours
    this.told = []; // entries whose sentences are in the journal
    this.seen = 0; // number of the newest entry
    this.state = null; // the newest that is shown
    this.sitAt(this.tokens);
    this.curtain = null; // who is to take the screen over
    this.held = null; // a promise, while messages wait
    this.behind = true; // until the first state
    this.fresh = false; // entries come as they happen: what was missed has been told
    // How far the table's clock is ahead of ours: as it was the last time, until something happens; null: who knows.
    this.skew = this.host === app.here ? 0 : settings.get('skew', null);
    this.leaving = new AbortController();
    this.keydown = (event) => this.key(event);
    this.visible = () => this.title();
  }

  async open() {
    document.addEventListener('keydown', this.keydown);
    document.addEventListener('visibilitychange', this.visible);
    this.arrived = Date.now();
    this.ticking = setInterval(() => this.tick(), 1000);
    this.opening = h('div', { role: 'status' });
    clear(this.main, this.opening);
    this.drawOpening();
    try {
      await this.fetchTable();
      if (!this.closed) this.connect();
    } catch (error) {
      if (!this.closed) this.gone(error);
    }
  }

  /** Until it is there, or is known not to be. */
  async fetchTable() {
    for (let tries = 1; !this.closed; tries++) {
      try {
        this.circuit = readCircuit(await this.host.tableCircuit(this.id));
        if (this.tokens.length === 0 && this.host === this.app.here) await this.sitDown();
        return;
      } catch (error) {
        if (this.closed || !PASSING.includes(error.code) || (await this.host.never?.())) throw error;
        if (error.code !== this.delay) this.drawOpening(error.code); // else it is said already
        await pauseBefore(tries, this.leaving.signal);
      }
    }
  }

  /** delay is the code of what is in the way, if anything. */
  drawOpening(delay = null) {
    this.delay = delay;
    clear(this.opening, delay === null
      ? h('p', { class: 'loading' }, _('One moment …'))
      : h('div', { class: 'panel narrow' }, h('h1', { class: 'display' }, _('Trying again …')),
        h('p', null, explain(delay), ' ', _('The race is shown as soon as it can be reached.')),
        button('plain', _('Back to the start page'), () => this.app.go(''))));
  }

  /** A race in this browser has its own seats with it. */
  async sitDown() {
    const kept = (await this.host.tables()).find((each) => each.id === this.id);
    this.sitAt([...(kept?.tokens ?? [])].sort((a, b) => a.seat - b.seat));
  }

  sitAt(tokens) {
    this.tokens = tokens;
    this.at = tokens.length > 0 ? 0 : -1; // whose eyes: an index of tokens, -1 for a spectator
    this.eyes = tokens.length === 1 ? 0 : -1; // who has the screen, where several share it
  }

  close() {
    this.closed = true;
    this.leaving.abort();
    clearInterval(this.ticking);
    document.removeEventListener('keydown', this.keydown);
    document.removeEventListener('visibilitychange', this.visible);
    document.title = 'hairpin';
    this.link?.close();
    for (const link of this.asides) link.close();
    this.lobby?.close();
    this.board?.finish();
  }

  /** For good: nothing of the race is drawn any more. */
  gone(error) {
    this.close();
    this.missing = error;
    this.drawGone();
  }

  drawGone() {
    clear(this.main, h('div', { class: 'panel narrow' }, h('h1', { class: 'display' }, _('This race is not here')),
      h('p', null, explain(this.missing.code ?? 'no_such_table')),
      button('primary', _('Back to the start page'), () => this.app.go(''))));
  }

  /* ---- Talking ------------------------------------------------------------------------------------- */

  get token() {
    return this.tokens[this.at]?.token ?? null;
  }

  connect() {
    const old = this.link;
    this.queue.length = 0; // what was not played yet comes again
    // What is said in the lobby before the connection is there; null from then on. Another seat does not say it.
    this.unsaid = this.token === this.unsaidBy ? this.unsaid ?? [] : [];
    this.unsaidBy = this.token;
    const link = this.host.follow(this.id, this.token, this.seen, {
      message: (m) => link === this.link && this.hear(m),
      status: (word, code) => link === this.link && this.status(word, code),
    });
    this.link = link;
    old?.close(); // not before: somebody looks at the table all the time
  }

  status(word, code) {
    if (word === 'gone') {
      // A race that is not there may come back, when the host finds the right folder: then its seats are of use again.
      const lost = code === 'wrong_token' && this.at >= 0 && this.host === this.app.net;
      if (lost) settings.forgetSeats(this.id, this.tokens[this.at].seat);
      this.gone({ code });
      return;
    }
    this.fresh = false;
    document.documentElement.toggleAttribute('data-lost', word === 'lost');
    if (word === 'lost' && !this.lost) this.app.say(_('The connection is lost; trying again …'));
    if (word === 'open' && this.lost) this.app.say(_('Connected again.'));
    this.lost = word === 'lost';
    const unsaid = this.unsaid ?? [];
    this.unsaid = null;
    if (!this.lost) for (const line of unsaid) this.say(line);
    if (this.lost) this.cockpit?.refused();
    else this.cockpit?.askAgain();
  }

  /** Whether it was sent, or will be with the connection. What was not is the player's to say again: by then it may not fit any more. */
  say(line) {
    if (this.link.say(line)) return true;
    if (this.lobby && this.unsaid && !this.lost) { // who has just sat down or got up
      if (!this.unsaid.includes(line)) this.unsaid.push(line);
      return true;
    }
    this.app.say(_('The connection is lost; trying again …'));
    this.cockpit?.refused();
    return false;
  }

  /** Says a line for a seat of ours that we do not look through, by a connection of its own. */
  sayAs(token, line) {
    let said = false;
    const link = this.host.follow(this.id, token, this.seen, {
      message: (m) => {
        if (m.m === 'error') this.app.fail(m);
        if (m.m === 'error' || (m.m === 'state' && said)) {
          link.close();
          this.asides.delete(link);
        } else if (m.m === 'state') {
          said = link.say(line);
        }
      },
      status: () => {},
    });
    this.asides.add(link);
  }

  act(text) {
    if (this.say(`act ${this.state.n} ${text}`)) this.revisits = false;
  }

  hear(m) {
    if (m.m === 'foresee') this.cockpit?.foresight(m);
    else if (m.m === 'error') this.error(m);
    else if (m.m === 'entry' || m.m === 'state') {
      this.setClock(m);
      this.queue.push(m);
      this.play();
    }
  }

  /** Times are the table's (docs/PROTOCOL.md), and our clock may be minutes off: what happens now tells by how much. */
  setClock(m) {
    if (m.m === 'entry' && this.fresh) {
      this.skew = m.t - Date.now();
      const known = Math.abs(this.skew - settings.get('skew', NaN)) < 1000;
      if (!known && this.host === this.app.net) settings.set('skew', this.skew);
    }
    if (m.m === 'state') this.fresh = true;
  }

  /** Milliseconds, on the table's clock. */
  now() {
    return Date.now() + (this.skew ?? 0);
  }

  error(m) {
    if (m.code !== 'old') this.app.say(explain(m.code));
    this.cockpit?.refused();
  }

  /* ---- Playing what happened ------------------------------------------------------------------------- */

  async play() {
    if (this.playing) return;
    this.playing = true;
    while (this.queue.length > 0 && !this.closed) {
      if (this.held) {
        await this.held;
        continue; // those from before may be gone
      }
      const m = this.queue.shift();
      try {
        if (m.m === 'state') await this.take(m);
        else if (m.n > this.seen) await this.tellEntry(m);
      } catch (error) {
        console.error(error); // a fault in showing one message must not stop the race
      }
    }
    this.playing = false;
    this.hurry = false;
  }

  /** What happened while we were away, or is skipped, is told and no more. */
  catchingUp() {
    return this.behind || this.hurry || document.hidden || this.queue.length > HURRY_AT;
  }

  /** How long things take now. */
  pace() {
    return this.catchingUp() ? 0 : settings.pace();
  }

  async pause(ms) {
    const pace = this.pace();
    if (pace > 0) await Promise.race([wait(ms * pace), new Promise((done) => (this.skip = done))]);
  }

  async tellEntry(m) {
    this.seen = m.n;
    this.told.push(m);
    this.write(m);
    for (const event of m.events ?? []) {
      if (this.closed) return;
      await this.animate(event);
    }
  }

  /** The journal's lines for an entry. */
  write(m) {
    if (!this.journal) return;
    const names = this.names;
    const own = entrySentence(m, names);
    if (own) this.journal.add(own, { kind: m.what, colour: this.colour(m.seat) });
    for (const event of m.events ?? [])
      for (const text of sentences(event, names))
        this.journal.add(text, { kind: event.e, colour: this.colour(event.car) });
  }

  colour(seat) {
    return this.state?.table.seats[seat]?.colour ?? '';
  }

  get names() {
    return this.state ? seatNames(this.state.table.seats) : [];
  }

  /** At pace 0 it is heard and read all the same: the state that follows puts the cars where they are. */
  async animate(e) {
    const pace = this.pace();
    const board = this.board;
    if (!board || this.catchingUp()) return;
    if (e.e === 'reveal') {
      board.turn(e.car);
      this.show(e.car, e.cards);
      await this.pause(PAUSE_MS);
    } else if (e.e === 'move') {
      const ms = (MOVE_MS + SPACE_MS * Math.abs(e.to.at - e.from.at)) * pace;
      sound.move(e.speed, ms);
      if (pace > 0) await board.move(e.car, e.from, e.to, { ms, why: e.why });
    } else if (e.e === 'spin') {
      sound.spin();
      this.banner(_('{name} spins out!', { name: this.names[e.car] }));
      if (pace > 0) await board.spin(e.car, e.to, { ms: 1100 * pace });
    } else if (e.e === 'boost') {
      sound.boost();
      await this.pause(PAUSE_MS / 2);
    } else if (e.e === 'flip') {
      this.show(e.car, [e.card]);
      await this.pause(PAUSE_MS / 2);
    } else if (e.e === 'corner' && e.paid > 0) {
      this.banner(n_('{name} pays {n} Heat in the corner', '{name} pays {n} Heat in the corner', e.paid,
        { name: this.names[e.car] }));
      await this.pause(PAUSE_MS);
    } else if (e.e === 'shift' && e.car === this.you) {
      sound.shift();
    } else if (e.e === 'finish') {
      sound.finish();
    } else if (e.e === 'round') {
      this.banner(_('Round {n}', { n: e.n }));
    }
  }

  show(seat, cards) {
    this.banner(_('{name}: {cards}', { name: this.names[seat], cards: cards.join(' ') }));
  }

  banner(text) {
    if (this.strip) clear(this.strip, text);
  }

  /* ---- How things stand ------------------------------------------------------------------------------ */

  get you() {
    return this.state?.you ?? -1;
  }

  async take(m) {
    const first = !this.state;
    this.checkSeat(m.you);
    const phase = this.state?.table.phase;
    this.state = m;
    if (this.host === this.app.net && this.tokens.length > 0) keepPromise(settings, this.id, m);
    if (m.table.phase === 'gathering') {
      this.gathering(m);
    } else {
      if (!this.board || phase === 'gathering') this.build();
      this.update();
      if (m.table.phase === 'over' && !this.afterShown) await this.over(first);
      if (m.table.rematch && this.afterShown) this.offerRematch(m.table.rematch);
    }
    if (this.queue.length === 0) this.behind = false;
  }

  /** Which seat a token from another device is of, only the table knows. */
  checkSeat(you) {
    const mine = this.tokens[this.at];
    if (!mine || mine.seat >= 0 || you < 0) return;
    settings.forgetSeats(this.id, mine.seat);
    mine.seat = you;
    settings.keepSeats(this.id, [mine]);
  }

  gathering(m) {
    if (this.lobby) {
      this.lobby.update(m.table);
      return;
    }
    this.lobby = showLobby(this.main, this.app, {
      host: this.host, id: this.id, notice: m.table, tokens: this.tokens,
      link: { say: (line) => this.say(line), sayAs: (token, line) => this.sayAs(token, line) },
      onSeat: (tokens) => this.seated(tokens), onSitting: (sitting) => this.hold(sitting),
    });
  }

  /**
   * While somebody sits down here, what the table says has to wait: the last seat starts the race, often before we
   * know that the seat is ours, and then it would be shown to the wrong eyes.
   */
  hold(sitting) {
    const held = Promise.allSettled([this.held, sitting]).then(() => {
      if (this.held === held) this.held = null;
    });
    this.held = held;
  }

  /** A seat was taken or left on this page. */
  seated(tokens) {
    this.sitAt(tokens);
    this.connect();
  }

  build() {
    this.lobby?.close();
    this.lobby = null;
    this.board = createBoard(this.circuit, this.state.view.laps);
    this.tower = createTower();
    this.journal = createJournal();
    this.cockpit = createCockpit({
      act: (text) => this.act(text),
      foresee: (text) => this.link.say(`foresee ${text}`), // asked again when the connection is back
      say: (line) => this.say(line),
      preview: (foresight) => this.board.preview(foresight, this.you),
      tell: (text) => this.app.say(text),
      canHandOn: () => Boolean(this.revisits),
      handOn: () => this.handOn(),
    });
    this.noted = null;
    this.strip = h('p', { class: 'strip', 'aria-hidden': 'true' });
    this.clock = h('p', { class: 'note', hidden: true });
    this.notes = h('div', { class: 'notes' });
    this.board.setCars(this.state.table.seats.map((seat, i) => ({
      seat: i, colour: seat.colour, number: i + 1, name: this.names[i],
      you: this.tokens.some((each) => each.seat === i),
    })));
    this.board.follow(settings.get('follow', true));
    const title = circuitTitle(this.circuit.name, this.circuit.title);
    clear(this.main,
      h('div', { class: 'race' },
        h('h1', { class: 'unseen' }, _('Race: {circuit}', { circuit: title })),
        this.tower.element,
        h('div', { class: 'race-board', onclick: () => this.playing && this.skipAll() },
          this.board.element, this.strip),
        h('aside', { class: 'race-side' }, this.journal.element, this.talk()),
        h('div', { class: 'race-cockpit' }, this.clock, this.notes, this.cockpit.element)));
    for (const m of this.told) this.write(m);
  }

  update() {
    const { state } = this;
    const { view } = state;
    this.board.place(view.cars);
    this.board.turn(view.turn?.car ?? -1);
    this.tower.update(state, this.names, this.you);
    this.drawNotes();
    if (this.wheelFor === this.you && this.you >= 0) {
      this.wheelFor = null;
      if (state.table.seats[this.you].away) this.say('back');
    }
    this.title();
    this.notify();
    if (this.handOver()) return;
    if (this.passes()) this.say(`act ${state.n} ${state.acts[0]}`);
    else this.cockpit.update(state, this.names);
  }

  /** Nothing to decide: a single act of a turn is played for its player (a plan never is). */
  passes() {
    const { acts = [], view } = this.state;
    return acts.length === 1 && view.may?.step !== 'plan';
  }

  /* ---- Several people at one screen ------------------------------------------------------------------ */

  /**
   * Nobody sees a hand before its owner says that the screen is theirs. True while no hand may be seen. The page
   * looks through the seat that is due behind the curtain, so that a turn with nothing to decide needs nobody.
   */
  handOver() {
    if (this.tokens.length < 2) return false;
    const { seats, awaited } = this.state.table;
    const due = (each) => awaited.some((one) => one.seat === each.seat) && !seats[each.seat].away;
    const stays = due(this.tokens[this.at]) || (this.revisits && this.state.view.step === 'plan');
    const next = stays ? this.at : this.tokens.findIndex(due);
    if (next === this.at && this.tokens[next].seat === this.you) {
      if (this.eyes === next || this.passes()) {
        this.curtain = null;
        return false;
      }
      if (this.curtain !== next) this.drawCurtain(next);
      return true;
    }
    this.curtain = null;
    this.cockpit.hide();
    this.board.preview(null);
    if (next >= 0 && next !== this.at) {
      this.at = next;
      this.connect();
    }
    return true;
  }

  drawCurtain(next) {
    const nameOf = (index) => this.names[this.tokens[index].seat];
    const before = this.eyes;
    const canGoBack = before >= 0 && this.state.view.step === 'plan';
    const show = button('primary', _('I am {name}: show my hand', { name: nameOf(next) }), () => this.lookAs(next));
    const back = canGoBack
      ? button('quiet', _('Back to {name}', { name: nameOf(before) }), () => this.lookAs(before)) : null;
    this.curtain = next;
    this.cockpit.hide();
    this.board.preview(null);
    const curtain = h('div', { class: 'curtain', role: 'group', 'aria-labelledby': 'curtain', tabindex: '-1' },
      h('h2', { class: 'display', id: 'curtain' }, _('{name} is next', { name: nameOf(next) })),
      h('p', null, _('Hand the screen over. Nobody else should look.')),
      h('div', { class: 'buttons' }, show, back));
    clear(this.cockpit.element, curtain);
    curtain.focus({ preventScroll: true }); // not its button: Enter may still be meant for what was there before
  }

  /** Somebody has the screen now; who goes back to change a plan keeps it until that is done. */
  lookAs(index) {
    this.eyes = index;
    this.curtain = null;
    this.revisits = index !== this.at;
    if (index === this.at) {
      this.update();
    } else {
      this.at = index;
      this.connect();
    }
  }

  /** Who came back to a plan leaves it as it is. */
  handOn() {
    this.revisits = false;
    this.update();
  }

  /* ---- Around the race --------------------------------------------------------------------------------- */

  /** Who is awaited and for how long, a bot for those who do not come, a rematch. */
  drawNotes() {
    const { table } = this.state;
    const mine = this.tokens.map((each) => each.seat);
    this.drawClock(table.awaited.find((each) => mine.includes(each.seat) && each.until));
    const late = this.you < 0 ? [] : table.awaited.filter((each) =>
      !mine.includes(each.seat) && table.seats[each.seat].driver === 'person' && this.waitedFor(each) > PATIENCE);
    const rematch = table.rematch && table.rematch !== this.id ? table.rematch : null;
    // One seat alone finds its wheel in the cockpit.
    const away = this.tokens.length > 1 ? mine.filter((seat) => table.seats[seat]?.away) : [];
    const now = JSON.stringify([late.map((each) => each.seat), rematch, away]);
    if (now === this.noted) return; // so that nobody loses a button while pressing it
    this.noted = now;
    clear(this.notes,
      late.map((each) => h('p', { class: 'note' },
        _('{name} has not decided for a while.', { name: this.names[each.seat] }), ' ',
        button('quiet', _('Let a bot drive'), () => this.agree(each.seat)))),
      away.map((seat) => h('p', { class: 'note' },
        button('plain', _('{name}: {phrase}', { name: this.names[seat], phrase: _('Take the wheel') }),
          () => this.takeWheel(seat)))),
      rematch ? h('p', { class: 'note' }, button('primary', _('Go to the rematch'), () => this.goOn(rematch))) : null);
  }

  /** It counts seconds, and so has a place of its own: none while we do not know the table's clock. */
  drawClock(awaited) {
    const ms = awaited ? awaited.until - this.now() : 0;
    const left = awaited && (this.skew !== null || ms > COARSE) ? timeLeft(ms) : '';
    if (this.clock.textContent !== left) clear(this.clock, left);
    this.clock.hidden = left === '';
  }

  /** While we do not know the table's clock, nobody has been awaited for longer than we have been here. */
  waitedFor({ since }) {
    return this.skew === null ? Date.now() - Math.max(since, this.arrived) : this.now() - since;
  }

  /** All who share this screen and drive themselves agree: a table waits for each of them. */
  agree(whom) {
    const { seats } = this.state.table;
    const agreed = seats[whom].agreed ?? [];
    this.tokens.forEach(({ seat, token }, index) => {
      if (seats[seat]?.driver !== 'person' || agreed.includes(seat)) return;
      if (index === this.at) this.say(`agree ${whom}`);
      else this.sayAs(token, `agree ${whom}`);
    });
  }

  /** For a seat of this screen that a bot drives: looks through it, and says so. */
  takeWheel(seat) {
    const index = this.tokens.findIndex((each) => each.seat === seat);
    if (index === this.at) {
      this.say('back');
    } else {
      this.wheelFor = seat;
      this.at = index;
      this.connect();
    }
  }

  /** Buttons with something to unfold, one at a time: filled when it is opened, so that a key does not lie about. */
  talk() {
    const folds = [];
    const open = (wanted) => {
      for (const { opener, menu, content } of folds) {
        opener.setAttribute('aria-expanded', String(menu === wanted));
        menu.hidden = menu !== wanted;
        clear(menu, menu === wanted ? content() : null);
      }
    };
    const fold = (kind, text, content) => {
      const menu = h('div', { class: `fold ${kind}`, hidden: true });
      const opener = button('quiet', text, () => open(menu.hidden ? menu : null), { 'aria-expanded': 'false' });
      folds.push({ opener, menu, content });
    };
    const speak = (number) => {
      this.say(`phrase ${number}`);
      open(null);
    };
    if (this.tokens.length > 0) fold('phrases', _('Say something'), () =>
      phrases.map((text, i) => button('quiet', _(text), () => speak(i + 1))));
    const keys = () => [onlyHere(this.app),
      this.tokens.map(({ seat, token }) => seatPanel(this.app, this.id, token, this.names[seat]))];
    if (this.tokens.length > 0 && this.host === this.app.net) fold('keys', _('Move to another device'), keys);
    return h('div', { class: 'talk' }, folds.map(({ opener }) => opener),
      button('quiet', _('Leave for now'), () => this.app.go('')), folds.map(({ menu }) => menu));
  }

  /** Whether the race waits for somebody at this screen. */
  ourTurn() {
    const { awaited = [], seats } = this.state?.table ?? {};
    return awaited.some((each) => this.tokens.some((one) => one.seat === each.seat) && !seats[each.seat].away);
  }

  title() {
    document.title = this.ourTurn() ? _('● Your turn – hairpin') : 'hairpin';
  }

  notify() {
    const turn = this.ourTurn();
    const allowed = settings.get('notify', false) && globalThis.Notification?.permission === 'granted';
    if (turn && !this.wasTurn && document.hidden && allowed) this.ring();
    this.wasTurn = turn;
  }

  /** Phones have notifications by the service worker only, which finds the way back by the address. */
  async ring() {
    const note = [_('It is your turn'), { tag: this.id, icon: 'icon.svg', data: location.hash }];
    try {
      new Notification(...note);
    } catch {
      (await navigator.serviceWorker?.getRegistration())?.showNotification(...note);
    }
  }

  tick() {
    if (this.state && this.board && this.state.table.phase === 'racing') this.drawNotes();
  }

  key(event) {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.ctrlKey || event.altKey || event.metaKey || typing) return;
    const busy = this.playing && this.queue.length + (this.board ? 1 : 0) > 0;
    if (event.key === 'Enter' && event.repeat) event.preventDefault(); // held: it was for what was there before
    else if ((event.key === 'Escape' || event.key === 's') && busy) this.skipAll();
    else if (event.target.closest?.('.board')) return;
    else if (event.target.closest?.('.journal') && event.key.startsWith('Arrow')) return; // they scroll it
    else if (event.key === '?') this.cockpit?.element.querySelector('[data-key="?"]')?.click();
    else if (event.key === 'Enter' && this.confirm(event.target)) event.stopPropagation();
    else if (!this.cockpit?.key(event)) return;
    event.preventDefault();
  }

  /** Enter confirms, unless it is a button's own and the decision is not complete. */
  confirm(target) {
    const ready = this.cockpit?.element.querySelector('[data-key="Enter"]:not(:disabled)');
    const own = target.closest?.('a, button, summary, input, select, [tabindex="0"]');
    const planning = this.cockpit?.element.querySelector('[data-step="plan"]');
    if (!ready || (own && !(planning && own.matches('.card, .gear')))) return false;
    ready.click();
    return true;
  }

  /** One key, or a tap on the board, and what is still to be played is over. */
  skipAll() {
    this.hurry = true;
    this.skip?.();
    this.board?.finish();
  }

  redraw() {
    if (this.missing) {
      this.drawGone();
    } else if (!this.state) {
      this.drawOpening(this.delay);
    } else if (this.lobby) {
      this.lobby.redraw();
    } else if (this.state.table.phase === 'over' && this.afterShown) {
      this.over(true);
    } else if (this.board) {
      this.curtain = null;
      this.build();
      this.update();
    }
  }

  /* ---- The end ------------------------------------------------------------------------------------------ */

  async over(at_once) {
    if (!at_once) await this.pause(4 * PAUSE_MS);
    if (this.closed) return;
    try {
      const file = await this.host.raceFile(this.id);
      if (this.closed) return;
      const { table } = this.state;
      const seats = this.tokens.map((each) => each.seat);
      // A race in this browser has nobody else to keep its word.
      const shown = this.host === this.app.net ? promised(settings, this.id, seats) : table;
      const first = !this.afterShown;
      this.afterShown = true;
      showAfter(this.main, {
        notice: table, file, seats, host: this.host, id: this.id,
        commitmentShown: shown.commitment, saltsShown: shown.salts,
        onRematch: this.tokens.length > 0 ? () => this.rematch() : null,
        onReplay: () => this.app.replay(file, table.seats),
        onStart: () => this.app.go(''),
      });
      if (first) {
        this.main.focus({ preventScroll: true }); // what had it is gone with the race
        scrollTo(0, 0);
      }
    } catch (error) {
      if (this.closed) return;
      this.app.fail(error);
      setTimeout(() => this.closed || this.over(true), RETRY_MS);
    }
  }

  rematch() {
    this.wantsRematch = true;
    if (this.state.table.rematch) this.goOn(this.state.table.rematch);
    else this.say('rematch');
  }

  /** Who asked for it goes there; the others are told, and have their button. */
  offerRematch(id) {
    if (this.wantsRematch) this.goOn(id);
    else if (!this.rematchTold) this.app.say(_('A rematch is open'));
    this.rematchTold = true;
  }

  /**
   * Takes a seat that is kept for us, with the same token. A person who sits there already is us, on this device or
   * another, and has brought a salt; where it went on without us there is a bot, and no seat for us: null.
   */
  async takeAgain(id, seat, token) {
    const look = async () => (await this.host.notice(id)).seats[seat];
    let found = await look();
    if (found.kept) {
      const salt = newSalt();
      try {
        const taken = await this.host.take(id, seat, { salt }, token);
        if (this.host === this.app.net) keepSalts(settings, id, { [seat]: salt });
        return taken;
      } catch (error) {
        found = await look();
        if (found.kept) throw error; // it may work the next time
      }
    }
    return found.kind === 'person' ? { seat, token } : null;
  }

  /**
   * Takes the seats that are kept for us at the next table, and goes there; who has come too late may watch. Where it
   * was closed meanwhile another one is opened.
   */
  async goOn(id) {
    try {
      for (const { seat, token } of this.tokens) {
        const again = await this.takeAgain(id, seat, token);
        if (again) this.app.keepSeats(this.host, id, [again]);
        else this.app.say(explain('old'));
      }
      this.app.goToRace(this.host, id);
    } catch (error) {
      if (error.code !== 'no_such_table') return this.app.fail(error);
      this.wantsRematch = true;
      this.say('rematch');
    }
  }
}
