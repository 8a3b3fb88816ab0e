// Starts the page, and shows the screen that the address names.

import { h, svg, clear } from './dom.js';
import { _, languages, language, preferred, speak } from './words.js';
import { explain } from './codes.js';
import { here, net } from './link.js';
import { sound } from './sound.js';
import { showRace } from './race.js';
import { showRules } from './rules.js';
import { showReplay } from './replay.js';
import { showJoin } from './join.js';
import { showNew } from './new.js';
import { showStart } from './start.js';
import * as settings from './settings.js';

const HEAD_START = 400; // milliseconds that a server has to say that it is there, before the page is drawn

const main = document.getElementById('main');
const said = document.getElementById('said');
const top = document.getElementById('top');
let screen = null; // {close, redraw} of what is shown
let quiet = 0;

const app = {
  settings, here, net,
  online: true, // whether there is a server: as if, until it is known,
  address: null, // and where others find it
  go(address) {
    if (location.hash.replace(/^#/, '') === address) show();
    else location.hash = address;
  },
  goToRace: (host, id) => app.go(`${host === net ? 'race' : 'here'}/${id}`),
  /** A race in this browser has its own seats with it, for as long as it is kept. */
  keepSeats(host, id, tokens) {
    if (host === net) settings.keepSeats(id, tokens);
  },
  say(text) {
    clear(said, text);
    said.toggleAttribute('data-shown', true);
    clearTimeout(quiet);
    quiet = setTimeout(() => said.toggleAttribute('data-shown', false), 6000);
  },
  fail(error) {
    app.say(explain(error.code));
    if (!error.code) console.error(error);
  },
  /** The file, and who sat where, stay with this step of the history: back and reload find them, a new step does not. */
  replay(file, seats) {
    history.pushState({ file, seats }, '', '#replay');
    show();
  },
};

/* ---- Screens ---------------------------------------------------------------------------------------- */

function race(host, id, token) {
  if (token) bring(id, token);
  return showRace(main, app, { host, id, tokens: host === net ? settings.seatsAt(id) : [] });
}

/** A seat from another device: which one it is, the table will tell; until then it has a number of its own. */
function bring(id, token) {
  const known = settings.seatsAt(id);
  if (!known.some((each) => each.token === token)) settings.keepSeats(id, [{ seat: -1 - known.length, token }]);
  history.replaceState(null, '', `#race/${id}`);
}

const screens = [
  [/^$/, () => showStart(main, app)],
  [/^new$/, () => showNew(main, app)],
  [/^join$/, () => showJoin(main, app)],
  [/^rules$/, () => showRules(main, app)],
  [/^replay$/, () => showReplay(main, { ...history.state, seat: -1, app })],
  [/^race\/([0-9A-Za-z_-]{22})(?:\/([0-9a-f]{32}))?$/, (id, token) => race(net, id, token)],
  [/^here\/([0-9A-Za-z_-]+)$/, (id) => race(here, id)],
];

function show() {
  const address = location.hash.replace(/^#/, '');
  (screen?.close ?? screen)?.();
  screen = null;
  if (!app.online) lookForServer();
  for (const [pattern, open] of screens) {
    const match = pattern.exec(address);
    if (match) {
      main.dataset.screen = address.split('/')[0] || 'start';
      screen = open(...match.slice(1)) ?? null;
      main.focus({ preventScroll: true });
      scrollTo(0, 0);
      return;
    }
  }
  app.say(explain('no_such_table')); // most likely a link to a race that was cut off or torn apart
  location.replace('#');
}

/* ---- The line at the top ------------------------------------------------------------------------------ */

const choice = (label, key, otherwise, options, then) =>
  h('label', null, label, ' ', h('select', {
    onchange: (event) => {
      const value = options[event.target.selectedIndex][0];
      settings.set(key, value);
      then?.(value);
    },
  }, options.map(([value, text]) => h('option', { selected: settings.get(key, otherwise) === value }, text))));

const toggle = (label, key, then) =>
  h('label', { class: 'check' }, h('input', {
    type: 'checkbox', checked: settings.get(key, false),
    onchange: (event) => {
      settings.set(key, event.target.checked);
      then?.(event.target.checked, event.target);
    },
  }), ' ', label);

/** Some browsers have no notifications at all: that is a no, too. */
async function allowNotes(on, box) {
  if (on && (await globalThis.Notification?.requestPermission()) !== 'granted') {
    settings.set('notify', false);
    box.checked = false; // the menu stays open, and the box where the player is
    app.say(_('The browser does not allow notifications for this page.'));
  }
}

function theme(value) {
  if (value === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = value;
}

/** For looks and movements: the settings where there are some, else the system's wish. */
const setMotion = () => (document.documentElement.dataset.motion = settings.pace() > 0 ? 'on' : 'off');

const cog = () =>
  svg('svg', { viewBox: '0 0 24 24', class: 'cog', 'aria-hidden': 'true' },
    svg('path', { d: 'M4 6h9m5 0h2M4 12h2m5 0h9M4 18h7m5 0h4' }),
    [[15.5, 6], [8.5, 12], [13.5, 18]].map(([cx, cy]) => svg('circle', { cx, cy, r: 2.5 })));

function drawTop() {
  const menu = h('div', { class: 'menu panel', id: 'menu', hidden: true },
    choice(_('Animation speed'), 'pace', 1,
      [[2, _('slow')], [1, _('normal')], [0.5, _('fast')], [0, _('none')]], setMotion),
    choice(_('Motion'), 'motion', 'system',
      [['system', _('as the system says')], ['on', _('on')], ['off', _('off')]], setMotion),
    choice(_('Colours'), 'theme', 'system',
      [['system', _('as the system says')], ['light', _('day')], ['dark', _('night')]], theme),
    toggle(_('Engine sounds'), 'sound', (on) => sound.on(on)),
    toggle(_('Tell me when it is my turn'), 'notify', allowNotes));
  const gear = h('button', {
    class: 'quiet', 'aria-label': _('Settings'), 'aria-expanded': 'false', 'aria-controls': 'menu',
    onclick: () => {
      menu.hidden = !menu.hidden;
      gear.setAttribute('aria-expanded', String(!menu.hidden));
    },
  }, cog(), h('span', { class: 'menu-name' }, _('Settings')));
  const words = h('select', {
    'aria-label': _('Language'), class: 'language',
    onchange: (event) => change(languages[event.target.selectedIndex][0]),
  }, languages.map(([code, name]) => h('option', { lang: code, selected: code === language() }, name)));
  clear(top, h('a', { href: '#', class: 'home display' }, 'hairpin'),
    h('nav', { 'aria-label': _('Page') }, h('a', { href: '#rules', class: 'quiet' }, _('Rules')), words, gear), menu);
}

/** Another language: everything is drawn anew, a race goes on where it is. */
async function change(code) {
  try {
    await speak(code);
    settings.set('language', code);
  } catch (error) {
    app.fail({ code: 'offline' });
  }
  drawTop();
  top.querySelector('.language').focus();
  if (screen?.redraw) screen.redraw();
  else show();
}

/** Sound that was on comes back with the first click or key: browsers demand one. */
function awaitSound() {
  const begin = () => {
    for (const name of ['pointerdown', 'keydown']) removeEventListener(name, begin);
    if (settings.get('sound', false)) sound.on(true);
  };
  for (const name of ['pointerdown', 'keydown']) addEventListener(name, begin);
}

/* ---- The service worker ------------------------------------------------------------------------------- */

function serve() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  serviceWorker.addEventListener('message', ({ data }) => (location.hash = data.go)); // a notification was tapped
  serviceWorker.register('service.js').catch(() => {});
}

/* ---- Starting ----------------------------------------------------------------------------------------- */

/** Screens that are about other people are drawn anew when they were wrong, but not under anybody's hands. */
async function lookForServer() {
  const there = await net.there();
  if (there) app.address = await net.address();
  if (there === app.online) return;
  app.online = there;
  if (screen && !screen.redraw && !main.querySelector(':focus')) show();
}

async function start() {
  theme(settings.get('theme', 'system'));
  setMotion();
  matchMedia('(prefers-reduced-motion: reduce)').addEventListener('change', setMotion);
  await speak(settings.get('language', preferred())).catch(() => speak('en'));
  drawTop();
  const looking = lookForServer();
  const wait = new Promise((done) => setTimeout(done, HEAD_START));
  // A race on the server is not there without it.
  await (location.hash.startsWith('#race/') ? looking : Promise.race([looking, wait]));
  addEventListener('hashchange', show);
  addEventListener('online', async () => {
    await lookForServer();
    if (!app.online) lookForServer(); // what was awaited may have been asked of the network that was not there
  });
  if (settings.get('sound', false)) awaitSound();
  show();
  serve();
}

start();
