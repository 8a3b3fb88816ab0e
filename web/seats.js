// What is asked for before a race, whoever asks: names, colours, clocks, circuits.

import { h, clear } from './dom.js';
import { _, n_, N_ } from './words.js';
import { readCircuit } from './circuit.js';
import { thumbnail } from './board.js';
import { carPicture } from './cars.js';
import { randomHex } from './engine.js';

export const COLOURS = {
  red: N_('Red'), orange: N_('Orange'), yellow: N_('Yellow'), green: N_('Green'),
  blue: N_('Blue'), purple: N_('Purple'), black: N_('Black'), white: N_('White'),
};

export const NAME_BYTES = 31;

const titles = { usa: N_('USA'), 'great-britain': N_('Great Britain'), italy: N_('Italy'), france: N_('France') };
export const circuitTitle = (name, title) => (name in titles ? _(titles[name]) : title || name);

/** A circuit on its own ground, a small poster. The text of its file may come later, or not at all. */
export function circuitPicture(name, text) {
  const box = h('span', { class: 'ground', 'data-circuit': name, 'aria-hidden': 'true' });
  Promise.resolve(text).then((file) => box.append(thumbnail(readCircuit(file)))).catch(() => {}); // the ground remains
  return box;
}

export const CLOCKS = [0, 30, 60, 120, 300, 86400, 259200, 604800];

const units = [
  [86400, (n) => n_('{n} day for each decision', '{n} days for each decision', n)],
  [3600, (n) => n_('{n} hour for each decision', '{n} hours for each decision', n)],
  [60, (n) => n_('{n} minute for each decision', '{n} minutes for each decision', n)],
  [1, (n) => n_('{n} second for each decision', '{n} seconds for each decision', n)],
];

export function clockText(seconds) {
  if (!seconds) return _('No time limit');
  const [length, text] = units.find(([each]) => seconds >= each && seconds % each === 0);
  return text(seconds / length);
}

/** What everybody brings to the shuffling: 64 hexadecimal digits. */
export const newSalt = () => randomHex(32);

/** Salts are kept, to be compared with the race file's after the race. */
export function keepSalts(settings, id, salts) {
  const all = settings.get('salts', {});
  settings.set('salts', { ...all, [id]: { ...all[id], ...salts } });
}

/**
 * What a table promises is kept from before the first car moves: a host that exchanges it later is found out. Who has
 * which salt is settled when the race starts.
 */
export function keepPromise(settings, id, { table, view }) {
  const begins = table.phase === 'racing' && view.round === 1 && view.step === 'plan';
  if (table.phase !== 'gathering' && !begins) return;
  const all = settings.get('promises', {});
  const { [id]: kept = { commitment: table.commitment } } = all;
  if (id in all && (kept.salts || !begins)) return; // what was seen first counts
  const salts = begins ? table.seats.map((each) => each.salt ?? '') : undefined;
  settings.set('promises', { ...all, [id]: { ...kept, salts } });
}

/** What this browser has seen of that, and the salts that it has sent itself for its seats: {commitment, salts}. */
export function promised(settings, id, seats) {
  const { commitment, salts } = settings.get('promises', {})[id] ?? {};
  const own = Object.entries(settings.get('salts', {})[id] ?? {}).filter(([seat]) => seats.includes(Number(seat)));
  return { commitment, salts: { ...salts, ...Object.fromEntries(own) } };
}

/** What would hide, break or turn the text around it; half a character, too. No table takes it (table/words.c). */
const UNSEEMLY = /[\p{Cc}\p{Cs}\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff\u{e0000}-\u{10ffff}]/u;

/** Why a name will not do, or null. */
export function nameProblem(name) {
  const bare = name.trim();
  if (bare === '') return _('Every person needs a name.');
  if (UNSEEMLY.test(bare)) return _('A name is made of letters, digits and signs that can be seen.');
  if (new TextEncoder().encode(bare).length > NAME_BYTES) return _('The name {name} is too long.', { name: bare });
  return null;
}

let groups = 0;

/**
 * Eight cars to choose from. taken() tells which are not to be had; refresh() asks it again.
 * Returns {element, refresh, value}.
 */
export function colourChoice({ value, car, taken, onchange }) {
  const group = `colour-${++groups}`;
  let chosen = value;
  const choose = (colour) => {
    chosen = colour;
    onchange?.(colour);
  };
  const options = Object.entries(COLOURS).map(([colour, name]) => {
    const input = h('input', { type: 'radio', name: group, value: colour, onchange: () => choose(colour) });
    const state = h('span', { class: 'colour-name' });
    return { colour, name, input, state,
      element: h('label', { class: 'colour' }, input, carPicture(colour, car), state) };
  });
  function refresh() {
    const gone = taken();
    for (const { colour, name, input, state } of options) {
      input.disabled = gone.has(colour);
      input.checked = colour === chosen;
      clear(state, input.disabled ? _('{colour}, taken', { colour: _(name) }) : _(name));
    }
  }
  refresh();
  return {
    element: h('fieldset', { class: 'colours' }, h('legend', null, _('Colour')),
      h('div', { class: 'colours-cars' }, options.map((each) => each.element))),
    refresh,
    get value() {
      return chosen;
    },
    set value(colour) {
      chosen = colour;
      refresh();
    },
  };
}

export const freeColour = (taken, wished) =>
  [wished, ...Object.keys(COLOURS)].find((each) => each in COLOURS && !taken.has(each));

export const ownName = (app) => app.settings.get('name', '') || _('Player');

export const noServer = () =>
  _('No server answers, so there is nobody to join. Races in this browser work all the same.');

export const titleOf = (notice) => circuitTitle(notice.circuit, notice.title);
