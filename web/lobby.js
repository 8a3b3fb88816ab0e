// The gathering before a race over the net: who sits where, a seat for oneself, a link for the others.

import { h, clear } from './dom.js';
import { _, n_, number } from './words.js';
import { levels, seatName } from './journal.js';
import { carPicture } from './cars.js';
import { linkField, onlyHere, raceAddress, seatPanel } from './links.js';
import { qrCode } from './qr.js';
import {
  NAME_BYTES, circuitPicture, circuitTitle, clockText, colourChoice, freeColour, keepSalts, nameProblem, newSalt,
} from './seats.js';

/**
 * table: {host, id, notice, tokens: [{seat, token}], link, onSeat(tokens), onSitting(promise)}.
 * Returns {update(notice), close()}; an update leaves alone what somebody types.
 */
export function showLobby(main, app, table) {
  const lobby = new Lobby(main, app, table);
  return { update: (notice) => lobby.update(notice), close: () => lobby.close(), redraw: () => lobby.redraw() };
}

class Lobby {
  constructor(main, app, table) {
    Object.assign(this, { main, app, ...table });
    this.seated = new Set(); // own seats that a notice has shown as ours
    this.typed = app.settings.get('name', '');
    this.draw();
  }

  /** In another language. */
  redraw() {
    this.devicesFor = null;
    this.draw();
  }

  close() {
    this.closed = true;
  }

  get address() {
    return raceAddress(this.app, this.id);
  }

  get code() {
    return this.id.slice(0, 6).toUpperCase();
  }

  mine(seat) {
    return this.tokens.find((each) => each.seat === seat);
  }

  /* ---- Drawing -------------------------------------------------------------------------------------- */

  draw() {
    this.form = null;
    this.head = h('div', { class: 'lobby-title' });
    this.rows = this.notice.seats.map((each, seat) => this.row(seat));
    this.state = h('p', { class: 'lobby-state', role: 'status' });
    this.starting = h('div', { class: 'lobby-start' });
    this.devices = h('div', { class: 'lobby-devices' });
    clear(this.main, h('div', { class: 'lobby' },
      h('header', { class: 'lobby-head kerb' }, this.head,
        circuitPicture(this.notice.circuit, this.host.tableCircuit(this.id))),
      h('section', { class: 'lobby-seats', 'aria-labelledby': 'lobby-seats' },
        h('h2', { class: 'display', id: 'lobby-seats' }, _('The grid')),
        h('ol', { class: 'lobby-grid' }, this.rows.map((each) => each.element)),
        this.state, this.starting),
      h('div', { class: 'lobby-side' }, this.invitation(), this.devices, this.fairness())));
    this.update(this.notice);
  }

  row(seat) {
    const who = h('div', { class: 'lobby-who' });
    const acts = h('div', { class: 'lobby-acts' });
    const place = h('div', { class: 'lobby-form-place' });
    return { seat, who, acts, place, element: h('li', { class: 'lobby-seat' }, who, acts, place) };
  }

  update(notice) {
    if (this.closed) return;
    this.notice = notice;
    this.forgetLost();
    this.show();
  }

  show() {
    const { notice } = this;
    const laps = n_('{n} lap', '{n} laps', notice.laps);
    const level = _(levels[notice.substitute] ?? levels.driver);
    clear(this.head, h('p', { class: 'lobby-over' }, _('The grid is filling up')),
      h('h1', { class: 'display' }, circuitTitle(notice.circuit, notice.title)),
      h('p', { class: 'lobby-facts' }, h('span', null, laps), h('span', null, clockText(notice.clock)),
        h('span', null, _('Bot for absent people: {level}', { level }))));
    for (const row of this.rows) this.fillRow(row);
    this.placeForm();
    this.tell();
    this.offerStart();
    this.offerDevices();
  }

  /** Replaces the children of a box, and puts the focus back on the button that had it. */
  renew(box, ...children) {
    const key = box.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    clear(box, ...children);
    if (key) (box.querySelector(`[data-key="${key}"]:not(:disabled)`) ?? box.querySelector('button'))?.focus();
  }

  fillRow(row) {
    const seat = this.notice.seats[row.seat];
    const own = this.mine(row.seat) && seat.kind === 'person';
    row.element.dataset.kind = seat.kind;
    row.element.toggleAttribute('data-own', Boolean(own));
    clear(row.who, h('span', { class: 'lobby-number', 'aria-hidden': 'true' }, number(row.seat + 1)),
      seat.colour ? carPicture(seat.colour, row.seat + 1)
        : h('span', { class: `no-car no-car-${seat.kind}`, 'aria-hidden': 'true' }),
      h('span', { class: 'lobby-name' }, h('b', null, seatName(seat, row.seat)), this.note(seat, own)));
    this.renew(row.acts, this.actsOf(row.seat, seat, own));
  }

  note(seat, own) {
    const notes = [];
    if (own) notes.push(_('You'));
    if (seat.kind === 'open' && seat.kept) notes.push(_('Kept for somebody of the last race'));
    if (seat.kind === 'bot') notes.push(_('Bot'));
    if (seat.handicap) notes.push(n_('{n} Heat card fewer', '{n} Heat cards fewer', seat.handicap));
    return notes.map((text) => h('small', null, text));
  }

  actsOf(at, seat, own) {
    if (own) {
      return h('button', { class: 'quiet', 'data-key': `leave${at}`, onclick: () => this.leave(at) },
        _('Leave the seat'));
    }
    if (seat.kind !== 'open') return null;
    if (seat.kept) {
      return this.mine(at) && h('button', { class: 'primary', 'data-key': `again${at}`,
        onclick: (event) => this.sitAgain(at, event.target) }, _('Sit down again'));
    }
    if (this.form?.seat === at) return null;
    return h('button', { class: 'plain', 'data-key': `take${at}`, onclick: () => this.ask(at) }, _('Take this seat'));
  }

  tell() {
    const { seats } = this.notice;
    const free = seats.filter((each) => each.kind === 'open').length;
    clear(this.state, n_('{n} seat is free. When the last one is taken, the race starts by itself.',
      '{n} seats are free. When the last one is taken, the race starts by itself.', free));
  }

  /* ---- Sitting down and getting up -------------------------------------------------------------------- */

  taken() {
    return new Set(this.notice.seats.map((each) => each.colour).filter(Boolean));
  }

  /** Those who have no seat yet find the form open at the first free one. */
  placeForm() {
    if (this.form?.busy) return; // the notice may know of our seat before we have its token
    const free = (seat) => this.notice.seats[seat]?.kind === 'open' && !this.notice.seats[seat].kept;
    if (this.form && free(this.form.seat)) {
      this.form.refresh();
      return;
    }
    const had = this.form;
    const busy = had?.element.contains(document.activeElement) ?? false;
    const next = this.notice.seats.findIndex((each, seat) => free(seat));
    had?.element.remove();
    this.form = null;
    const sits = this.tokens.length > 0;
    if (had && next >= 0) {
      this.ask(next, had, busy);
      this.app.say(_('Somebody was quicker: that seat is taken. Here is the next one.'));
    } else if (!sits && next >= 0) this.ask(next, null, false);
  }

  ask(seat, had, focus = true) {
    this.form?.element.remove();
    this.form = this.makeForm(seat, had ?? this.form);
    this.rows[seat].place.append(this.form.element);
    for (const row of this.rows) this.renew(row.acts, this.actsOf(row.seat, this.notice.seats[row.seat],
      this.mine(row.seat) && this.notice.seats[row.seat].kind === 'person'));
    if (focus) this.form.name.focus();
  }

  makeForm(seat, had) {
    const name = h('input', { type: 'text', id: 'lobby-name', autocomplete: 'nickname', maxlength: NAME_BYTES,
      required: true, spellcheck: 'false', oninput: () => (this.typed = name.value) });
    name.value = had?.name.value ?? (this.tokens.length === 0 ? this.typed : '');
    const colour = colourChoice({ car: seat + 1, taken: () => this.taken(),
      value: freeColour(this.taken(), had?.colour.value ?? this.app.settings.get('colour', 'red')) });
    const problem = h('p', { class: 'problem', role: 'alert' });
    const button = h('button', { class: 'primary' }, _('Take this seat'));
    const form = { seat, name, colour, problem, button };
    form.element = h('form', { class: 'lobby-form', 'aria-label': _('Take this seat'), onsubmit: (event) => {
      event.preventDefault();
      this.take(form);
    } }, h('label', { for: 'lobby-name' }, _('Your name')), name, colour.element, problem, button);
    form.element.noValidate = true;
    form.refresh = () => {
      if (this.taken().has(colour.value)) colour.value = freeColour(this.taken(), colour.value);
      else colour.refresh();
    };
    return form;
  }

  async take(form) {
    const name = form.name.value.trim();
    const problem = nameProblem(name);
    clear(form.problem, problem);
    if (problem) {
      form.name.focus();
      return;
    }
    form.busy = form.button.disabled = true;
    try {
      await this.sit(form.seat, { name, colour: form.colour.value });
      if (this.tokens.length === 1) { // further ones are those of guests
        this.app.settings.set('name', name);
        this.app.settings.set('colour', form.colour.value);
      }
      form.element.remove();
      this.form = null;
    } catch (error) {
      this.app.fail(error);
    }
    form.busy = form.button.disabled = false;
    if (this.closed) return;
    this.show();
    if (!this.form) this.starting.querySelector('button')?.focus();
  }

  sit(seat, who, token) {
    const sitting = this.sitDown(seat, who, token);
    this.onSitting?.(sitting);
    return sitting;
  }

  async sitDown(seat, who, token) {
    const salt = newSalt();
    const got = await this.host.take(this.id, seat, { ...who, salt }, token);
    keepSalts(this.app.settings, this.id, { [seat]: salt });
    this.app.keepSeats(this.host, this.id, [got]);
    this.tokens = [...this.tokens.filter((each) => each.seat !== seat), got];
    const seats = this.notice.seats.map((each, i) => (i === seat ? { ...each, ...who, kind: 'person' } : each));
    if (who.name) this.notice = { ...this.notice, seats }; // until the table says so itself
    this.app.say(_('You have a seat. Ask the others to come!'));
    this.onSeat?.(this.tokens);
  }

  async sitAgain(seat, button) {
    button.disabled = true;
    try {
      await this.sit(seat, {}, this.mine(seat).token);
    } catch (error) {
      this.app.fail(error);
    }
    button.disabled = false;
  }

  /** The race's own connection speaks for the first seat. */
  leave(seat) {
    if (this.tokens[0].seat === seat) this.link.say('leave');
    else this.link.sayAs(this.mine(seat).token, 'leave');
  }

  /** A seat that was ours and is free again was left, here or on another device. */
  forgetLost() {
    for (const { seat } of this.tokens) if (this.notice.seats[seat]?.kind === 'person') this.seated.add(seat);
    const lost = this.tokens.filter(({ seat }) => this.seated.has(seat) && this.notice.seats[seat]?.kind === 'open');
    if (lost.length === 0) return;
    for (const { seat } of lost) {
      this.seated.delete(seat);
      this.app.settings.forgetSeats?.(this.id, seat);
      keepSalts(this.app.settings, this.id, { [seat]: undefined }); // whoever takes it next has another
    }
    this.tokens = this.tokens.filter((each) => !lost.includes(each));
    this.onSeat?.(this.tokens);
  }

  offerStart() {
    const sits = this.tokens.some((each) => this.notice.seats[each.seat]?.kind === 'person');
    const open = this.notice.seats.some((each) => each.kind === 'open');
    if (!sits || !open) {
      clear(this.starting);
      return;
    }
    this.renew(this.starting,
      h('button', { class: 'primary', 'data-key': 'start', onclick: () => this.link.say('start') }, _('Start now')),
      h('p', null, _('Bots take the free seats.')));
  }

  /* ---- Links -------------------------------------------------------------------------------------------- */

  invitation() {
    const share = navigator.share && h('button', { class: 'plain', onclick: () => this.share() }, _('Share …'));
    return h('section', { class: 'panel lobby-invite', 'aria-labelledby': 'lobby-invite' },
      h('h2', { class: 'display', id: 'lobby-invite' }, _('Bring the others')),
      h('p', null, _('Whoever has this link may sit down or watch.')),
      onlyHere(this.app),
      linkField(this.app, _('Link to this race'), this.address, share),
      h('div', { class: 'lobby-codes' },
        h('div', { class: 'lobby-qr', role: 'img', 'aria-label': _('The link as a QR code') }, qrCode(this.address)),
        h('p', { class: 'lobby-code' }, h('span', null, _('Or by this code')), h('b', { class: 'display' }, this.code),
          h('small', null, _('Choose “Join a race” and enter it.')))));
  }

  async share() {
    try {
      await navigator.share({ title: 'hairpin', text: _('Come and race with me!'), url: this.address });
    } catch (error) {
      if (error.name !== 'AbortError') this.app.say(_('The link could not be shared. Copy it instead.'));
    }
  }

  offerDevices() {
    const own = this.tokens.filter((each) => this.notice.seats[each.seat]?.kind === 'person');
    const key = own.map((each) => each.token).join();
    if (key === this.devicesFor) return; // what is open stays open
    this.devicesFor = key;
    clear(this.devices, own.map(({ seat, token }) =>
      seatPanel(this.app, this.id, token, this.notice.seats[seat].name)));
  }

  fairness() {
    return h('details', { class: 'lobby-fair' }, h('summary', null, _('How the shuffle is kept honest')),
      h('p', null, _('Before anybody sat down the server drew a secret for the shuffling, and this is its ' +
        'fingerprint. Everybody who sits down adds a random number. After the race the secret is shown, and anybody ' +
        'can check that nobody chose the cards.')),
      h('code', { class: 'lobby-print' }, this.notice.commitment));
  }
}
