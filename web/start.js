// The first screen: the poster, one button to race, and races to go on with.

import { h, clear } from './dom.js';
import { _, n_, ordinal, time } from './words.js';
import { seatName } from './journal.js';
import { carPicture } from './cars.js';
import { poster } from './poster.js';
import { ownName, noServer, titleOf } from './seats.js';

const OVER_MS = 7 * 86400000; // a race of the server that was seen to be over is kept in the list for so long
const MISSING_MS = 30 * 86400000; // and the seats of one that it does not know: the host may have mixed up folders

let arrived = false; // the cars drive onto the poster once, for those who like things to move

export function showStart(main, app) {
  const running = { closed: false };
  const again = h('section', { class: 'start-again', hidden: true, 'aria-labelledby': 'start-again' });
  clear(main, h('div', { class: 'start' },
    h('figure', { class: 'poster', 'data-moves': !arrived && app.settings.pace() > 0 },
      h('h1', { class: 'poster-title' }, poster()),
      h('figcaption', { class: 'poster-words' }, _('Car racing with cards'))),
    h('div', { class: 'start-side' },
      raceNow(app),
      again,
      h('nav', { class: 'start-menu', 'aria-label': _('Races') },
        row('#new', _('New race'), _('Choose the circuit, the laps and who drives.')),
        app.online
          ? row('#join', _('Join a race'), _('By a link, by a code, or one that anybody may join.'))
          : deadRow(_('Join a race'), noServer()),
        row('#rules', _('The rules in short'), _('All you need for the first lap, in five minutes.')),
        row('#replay', _('Replay a race file'), _('See a race again, step by step.'))),
      about())));
  arrived = true;
  listRaces(app, again, running);
  return () => (running.closed = true);
}

function raceNow(app) {
  const button = h('button', { class: 'primary start-now', onclick: () => open() }, _('Race now'));
  async function open() {
    button.disabled = true;
    try {
      const bots = ['rookie', 'rookie', 'driver', 'driver', 'champion'];
      const { id } = await app.here.open({ circuit: 'usa', laps: 1, seats: [
        { kind: 'person', name: ownName(app), colour: app.settings.get('colour', 'red') },
        ...bots.map((level) => ({ kind: 'bot', level })),
      ] });
      app.go(`here/${id}`);
    } catch (error) {
      button.disabled = false;
      app.fail(error);
    }
  }
  return h('div', { class: 'start-go' }, button, h('p', null, _('You against five bots, one lap of the USA circuit.')));
}

const row = (href, title, text) =>
  h('a', { class: 'start-row', href }, h('b', { class: 'display' }, title), h('span', null, text));

const deadRow = (title, text) =>
  h('p', { class: 'start-row start-dead' }, h('b', { class: 'display' }, title), h('span', null, text));

const about = () =>
  h('section', { class: 'start-about', 'aria-labelledby': 'start-about' },
    h('h2', { class: 'display', id: 'start-about' }, _('New here?')),
    h('p', null, _('hairpin plays the board game HEAT in your browser: choose a gear, play as many cards as the gear ' +
      'says, and be as fast as you dare. Every corner has its speed limit, and what is too fast is paid in Heat. ' +
      'When the engine has none left, you spin out. Race against bots, friends at the same screen, or people far ' +
      'away: no account, nothing to install.')),
    h('p', { class: 'start-small' }, _('hairpin is unofficial: it is not made or endorsed by the publisher of HEAT.')));

/* ---- Races to go on with ------------------------------------------------------------------------------ */

const latest = (notice) => Math.max(notice.opened ?? 0, ...(notice.awaited ?? []).map((each) => each.since ?? 0));

async function localRaces(app) {
  try {
    const list = await app.here.tables();
    return list.map(({ id, notice, tokens, changed }) =>
      ({ id, notice, seats: tokens.map((each) => each.seat), changed: changed ?? latest(notice), local: true }));
  } catch (error) {
    console.error(error); // nobody has asked for anything yet: no reason to alarm them
    return [];
  }
}

/** Races of the server that are long gone, or long over, are forgotten; where it does not answer nothing is. */
async function netRaces(app, seats, local) {
  if (!app.online) return [];
  const kept = Object.entries(seats).filter(([id]) => !local.has(id));
  const found = await Promise.all(kept.map(async ([id, tokens]) => {
    try {
      const notice = await app.net.notice(id);
      unsee(app, 'missing', id);
      const changed = notice.phase === 'over' ? firstSeen(app, 'over', id) : latest(notice);
      if (notice.phase === 'over' && changed < Date.now() - OVER_MS) return forget(app, id);
      return { id, notice, seats: tokens.map((each) => each.seat), changed, local: false };
    } catch (error) {
      if (error.code !== 'no_such_table') return null;
      return firstSeen(app, 'missing', id) < Date.now() - MISSING_MS ? forget(app, id) : null;
    }
  }));
  return found.filter(Boolean);
}

/** When this browser first saw that the race is over, or missing: a notice tells when it was opened, weeks ago perhaps. */
function firstSeen(app, key, id) {
  const all = app.settings.get(key, {});
  if (!(id in all)) app.settings.set(key, { ...all, [id]: Date.now() });
  return all[id] ?? Date.now();
}

function unsee(app, key, id) {
  const { [id]: gone, ...rest } = app.settings.get(key, {});
  if (gone) app.settings.set(key, rest);
}

function forget(app, id) {
  for (const key of ['seats', 'salts', 'promises', 'over', 'missing']) unsee(app, key, id);
  return null;
}

/**
 * Those of this browser are there at once, those of the server come when it has answered. As much room as the list took
 * last time is kept for it until then, so that what stands below does not move away under a finger.
 */
async function listRaces(app, box, running) {
  const seats = app.settings.get('seats', {}); // before the list: a race that is opened meanwhile is in neither
  const height = app.settings.get('listHeight', 0);
  box.style.minHeight = `${height}px`;
  box.hidden = height === 0;
  const here = await localRaces(app);
  for (const { id } of here) unsee(app, 'seats', id); // from earlier pages: it has them itself
  if (!running.closed && here.length > 0) drawRaces(app, box, running, here);
  const there = await netRaces(app, seats, new Set(here.map((each) => each.id)));
  if (running.closed) return;
  box.style.minHeight = '';
  if (there.length > 0 || here.length === 0) drawRaces(app, box, running, [...here, ...there]);
  if (app.online) app.settings.set('listHeight', box.getBoundingClientRect().height);
}

const SHOWN = 4;

function drawRaces(app, box, running, races) {
  races.sort((a, b) => b.changed - a.changed);
  box.hidden = races.length === 0;
  const items = races.map((race, i) => h('li', { hidden: i >= SHOWN }, raceLink(race),
    race.local && h('button', {
      class: 'quiet start-remove', title: _('Remove'),
      'aria-label': _('Remove the race on {circuit}', { circuit: titleOf(race.notice) }),
      onclick: () => removeRace(app, box, running, race),
    }, '×')));
  const more = races.length > SHOWN && h('button', { class: 'quiet', onclick: () => {
    for (const each of items) each.hidden = false;
    more.remove();
    items[SHOWN].querySelector('a').focus();
  } }, _('Show all'));
  clear(box, h('h2', { class: 'display', id: 'start-again' }, _('Continue')), h('ul', null, items), more);
}

async function removeRace(app, box, running, race) {
  try {
    await app.here.forget(race.id);
    forget(app, race.id);
    app.say(_('The race is removed.'));
    await listRaces(app, box, running);
    (box.hidden ? document.querySelector('.start-now') : box.querySelector('a'))?.focus();
  } catch (error) {
    app.fail(error);
  }
}

function raceLink({ id, notice, seats, changed, local }) {
  const own = notice.seats[seats[0]];
  const yours = notice.phase === 'racing' && notice.awaited.some((each) => seats.includes(each.seat));
  const when = { time: time(changed) };
  return h('a', { href: `#${local ? 'here' : 'race'}/${id}`, 'data-yours': yours },
    own?.colour ? carPicture(own.colour, seats[0] + 1) : h('span', { class: 'start-nocar' }),
    h('span', { class: 'start-what' },
      h('b', null, titleOf(notice)),
      h('span', { class: 'start-turn' }, raceState(notice, seats)),
      h('small', null, local ? _('in this browser, {time}', when) : _('over the net, {time}', when))));
}

function raceState(notice, seats) {
  if (notice.phase === 'gathering') {
    const free = notice.seats.filter((each) => each.kind === 'open').length;
    return n_('Waiting for people: {n} seat is free', 'Waiting for people: {n} seats are free', free);
  }
  if (notice.phase === 'over') {
    const place = notice.places?.indexOf(seats[0]) ?? -1;
    if (seats.length !== 1 || place < 0) return _('The race is over');
    return _('The race is over: you came {place}', { place: ordinal(place + 1) });
  }
  const awaited = notice.awaited.map((each) => each.seat);
  const ours = awaited.filter((seat) => seats.includes(seat));
  if (ours.length > 0) return seats.length === 1 ? _('It is your turn') : turnOf(notice, ours[0]);
  return awaited.length > 0 ? turnOf(notice, awaited[0]) : _('The bots are driving');
}

const turnOf = (notice, seat) => _('It is the turn of {name}', { name: seatName(notice.seats[seat], seat) });
