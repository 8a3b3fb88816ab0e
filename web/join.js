// Joining a race: by a link, by a code, or one of those that anybody may join.

import { h, clear } from './dom.js';
import { _, n_ } from './words.js';
import { carPicture } from './cars.js';
import { circuitPicture, clockText, noServer, titleOf } from './seats.js';

const LIST_MS = 4000; // between two looks at the listed races

const LINK = /#race\/([0-9A-Za-z_-]{22})(?:\/([0-9a-f]{32}))?$/;

/** What somebody typed: {go} to an address, a {code} to look for, an address {elsewhere}, or a {problem}. */
function readJoin(text, home) {
  const bare = text.trim();
  const link = LINK.exec(bare);
  if (link) {
    const [before, own] = [bare.slice(0, link.index), home].map((each) => each.replace(/index\.html$/, ''));
    if (/^https?:/i.test(before) && before !== own) return { elsewhere: bare };
    return { go: `race/${link[1]}${link[2] ? `/${link[2]}` : ''}` };
  }
  if (/^[0-9A-Za-z_-]{22}$/.test(bare)) return { go: `race/${bare}` };
  const code = bare.replace(/\s/g, '');
  if (/^[0-9A-Za-z_-]{6}$/.test(code)) return { code: code.toUpperCase() };
  return { problem: bare === ''
    ? _('Enter a link or a code first.') : _('That is neither a link to a race nor a code of six signs.') };
}

export function showJoin(main, app) {
  const list = h('div', { class: 'join-list', 'aria-live': 'off' });
  clear(main, h('div', { class: 'join' },
    h('h1', { class: 'display kerb' }, _('Join a race')),
    app.online
      ? [joinForm(app), h('section', { 'aria-labelledby': 'join-open' },
        h('h2', { class: 'display', id: 'join-open' }, _('Races that wait for you')), list)]
      : h('p', { class: 'panel' }, noServer(), ' ', h('a', { href: '#new' }, _('New race')))));
  return app.online ? watchList(app, list) : () => {};
}

function joinForm(app) {
  const field = h('input', { type: 'text', id: 'join-code', autocomplete: 'off', autocapitalize: 'off',
    spellcheck: 'false', 'aria-describedby': 'join-problem',
    onpaste: () => setTimeout(() => LINK.test(field.value.trim()) && submit()) });
  const problem = h('p', { class: 'problem', id: 'join-problem', role: 'alert' });
  const button = h('button', { class: 'primary' }, _('Join'));
  async function submit() {
    const read = readJoin(field.value, location.href.split('#')[0]);
    clear(problem, read.problem);
    if (read.go) app.go(read.go);
    else if (read.elsewhere) {
      clear(problem, _('This link leads to another server.'), ' ', h('a', { href: read.elsewhere }, _('Go there')));
    } else if (read.code) await find(read.code);
    else field.focus();
  }
  async function find(code) {
    button.disabled = true;
    try {
      app.go(`race/${(await app.net.find(code)).id}`);
    } catch (error) {
      if (error.code === 'no_such_table') clear(problem, _('There is no race with the code {code}.', { code }));
      else app.fail(error);
      field.focus();
    }
    button.disabled = false;
  }
  return h('form', { class: 'panel join-form', onsubmit: (event) => {
    event.preventDefault();
    submit();
  } }, h('label', { for: 'join-code' }, _('A link, or a code of six signs')),
    h('div', { class: 'join-field' }, field, button), problem);
}

/**
 * The circuit files of races. Most are in the page itself; the others are asked for once, as the list is drawn anew
 * whenever anything in it changes, and a server answers only so often.
 */
function circuitsOf(app) {
  const asked = new Map(); // promises by id
  return ({ id, circuit }) => {
    if (!asked.has(id)) asked.set(id, app.here.circuit(circuit).catch(() => app.net.tableCircuit(id)));
    return asked.get(id);
  };
}

/** The races that anybody may join, looked up again and again. */
function watchList(app, box) {
  const circuitOf = circuitsOf(app);
  let timer = 0;
  let closed = false;
  let shown = null;
  async function look() {
    try {
      const races = await app.net.list();
      if (closed) return;
      const now = JSON.stringify(races);
      if (now !== shown) drawList(box, races, circuitOf);
      shown = now;
    } catch (error) {
      if (!closed && shown === null) app.fail(error);
    }
    if (!closed) timer = setTimeout(look, document.hidden ? 5 * LIST_MS : LIST_MS);
  }
  clear(box, h('p', null, _('One moment …')));
  look();
  return () => {
    closed = true;
    clearTimeout(timer);
  };
}

function drawList(box, races, circuitOf) {
  const focused = box.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
  if (races.length === 0) {
    clear(box, h('p', null, _('Nobody waits for others just now.'), ' ',
      h('a', { href: '#new' }, _('Open a race yourself'))));
    return;
  }
  clear(box, h('ul', null, races.map((race) => h('li', null, listed(race, circuitOf(race))))));
  if (focused) box.querySelector(`a[href="${focused}"]`)?.focus();
}

function listed(race, circuit) {
  const free = race.seats.filter((each) => each.kind === 'open' && !each.kept).length;
  const names = race.seats.filter((each) => each.kind === 'person').map((each) => each.name);
  return h('a', { class: 'join-race', href: `#race/${race.id}` },
    circuitPicture(race.circuit, circuit),
    h('span', { class: 'join-cars', 'aria-hidden': 'true' }, race.seats.map((each, i) =>
      (each.colour ? carPicture(each.colour, i + 1) : h('span', { class: `no-car no-car-${each.kind}` })))),
    h('b', { class: 'display' }, titleOf(race)),
    h('span', { class: 'join-facts' },
      h('span', { class: 'join-free' }, n_('{n} seat free', '{n} seats free', free)),
      h('span', null, n_('{n} lap', '{n} laps', race.laps)),
      h('span', null, clockText(race.clock)),
      names.length > 0 && h('span', null, names.join(', '))));
}
