// The languages. Texts are English in the code; the others come from gettext catalogues (words/LANGUAGE.mo).

export const languages = [
  ['en', 'English'],
  ['da', 'Dansk'],
  ['nl', 'Nederlands'],
  ['de', 'Deutsch'],
  ['fr', 'Français'],
  ['el', 'Ελληνικά'],
];

let current = 'en';
let catalogue = new Map(); // English text (a plural's first form) to its forms
let plural = new Intl.PluralRules('en');

/** A .mo file: two tables of lengths and places, one of originals and one of translations. */
export function readCatalogue(buffer) {
  const view = new DataView(buffer);
  const little = view.getUint32(0, true) === 0x950412de;
  const word = (at) => view.getUint32(at, little);
  if (!little && word(0) !== 0x950412de) throw new Error('not a catalogue');
  const decoder = new TextDecoder();
  const text = (at) => decoder.decode(new Uint8Array(buffer, word(at + 4), word(at))).split('\0');
  const found = new Map();
  for (let i = 0; i < word(8); i++) {
    const original = text(word(12) + 8 * i)[0];
    if (original !== '') found.set(original, text(word(16) + 8 * i));
  }
  return found;
}

const put = (text, values) =>
  values ? text.replace(/\{(\w+)\}/g, (whole, key) => (key in values ? put_one(values[key]) : whole)) : text;
const put_one = (value) => (typeof value === 'number' ? number(value) : value);

export const _ = (text, values) => put(catalogue.get(text)?.[0] || text, values);

/** Plural forms: all our languages have two, and differ in where zero and one belong. */
export function n_(one, many, n, values) {
  const form = plural.select(n) === 'one' ? 0 : 1;
  return put(catalogue.get(one)?.[form] || [one, many][form], { n, ...values });
}

/** Marks a text that is translated later. */
export const N_ = (text) => text;

const writers = {}; // of numbers, for the language: to make one takes longer than to use it a thousand times
const writer = (kind, options) => (writers[kind] ??= new Intl.NumberFormat(current, options));

export const language = () => current;
export const number = (n) => writer('plain').format(n);
export const percent = (part) => writer('percent', { style: 'percent', maximumFractionDigits: 0 }).format(part);
export const time = (ms) => new Intl.DateTimeFormat(current, { dateStyle: 'medium', timeStyle: 'short' }).format(ms);

const english = new Intl.PluralRules('en', { type: 'ordinal' });
const ordinals = {
  en: (n) => n + { one: 'st', two: 'nd', few: 'rd', other: 'th' }[english.select(n)],
  nl: (n) => `${n}e`,
  fr: (n) => (n === 1 ? '1er' : `${n}e`),
  el: (n) => `${n}η`, // of θέση, which is what it counts
};
export const ordinal = (n) => (ordinals[current] ?? ((each) => `${each}.`))(n);

/** The language that the browser's owner likes best of ours. */
export function preferred() {
  for (const wish of navigator.languages ?? [navigator.language]) {
    const code = wish.slice(0, 2).toLowerCase();
    if (languages.some(([each]) => each === code)) return code;
  }
  return 'en';
}

/** Changes the language of all that is drawn from now on. English needs no catalogue. */
export async function speak(code) {
  const wanted = languages.some(([each]) => each === code) ? code : 'en';
  if (wanted === 'en') {
    catalogue = new Map();
  } else {
    const answer = await fetch(new URL(`words/${wanted}.mo`, import.meta.url));
    if (!answer.ok) throw new Error(`words/${wanted}.mo: ${answer.status}`);
    catalogue = readCatalogue(await answer.arrayBuffer());
  }
  current = wanted;
  plural = new Intl.PluralRules(wanted);
  delete writers.plain;
  delete writers.percent;
  document.documentElement.lang = wanted;
}
