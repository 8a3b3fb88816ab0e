// Every language from the start into a race, and none that knows a text of the page in English only.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BINARY_DIR, LANGUAGES, scenario, serve, until, wordsOf, writeCatalogue } from './helpers.mjs';
import { TOURIST, tour } from './tour.mjs';

const server = serve();

for (const [i, language] of LANGUAGES.entries()) {
  const other = LANGUAGES[(i + 1) % LANGUAGES.length];
  scenario(`${language}: a round, and on in ${other}`, async (visit) => {
    const ada = await visit(server.origin, { locale: language });
    const lang = () => ada.page.evaluate(() => document.documentElement.lang);
    await ada.go();
    await ada.button(wordsOf(language)('Race now')).click();
    await ada.turn();
    assert.equal(await lang(), language);
    const round = async (n, speaks) => (await ada.text('.tower-head')) === wordsOf(speaks)('Round {n}').replace('{n}', n);
    assert.ok(await round(1, language));
    await ada.round(2);
    await ada.turn();
    assert.ok(await round(2, language));
    const stand = () => ada.page.locator('.tower-figures').allTextContents();
    const before = await stand();
    const choice = ada.page.getByRole('combobox', { name: wordsOf(language)('Language') });
    await choice.selectOption({ index: LANGUAGES.indexOf(other) });
    await until('the other language', async () => (await lang()) === other && round(2, other));
    assert.deepEqual(await stand(), before);
    await ada.turn();
    await ada.drive(3);
    await ada.page.reload();
    await ada.turn();
    assert.equal(await lang(), other, 'the choice is kept');
    await ada.button(wordsOf(other)('Leave for now')).click();
    await ada.button(wordsOf(other)('Race now')).waitFor();
  });
}

/** The page's texts, from what xgettext found when the site was made: [original, number of forms]. */
function pageTexts() {
  const text = readFileSync(join(BINARY_DIR, 'site.work', 'words.pot'), 'utf8').replace(/"\n"/g, '');
  const found = [];
  for (const [, one, many] of text.matchAll(/^msgid "(.*)"\n(?:msgid_plural "(.*)"\n)?/gm))
    if (one) found.push([one, many].filter((each) => each !== undefined).map((each) => JSON.parse(`"${each}"`)));
  return found;
}

/** In brackets, all but what is put in: that must bring its own, or be no words. */
const bracketed = (text) => `⟦${text.replace(/\{\w+\}/g, '⟧$&⟦')}⟧`;

/** Runs in the page: what can be read or heard, and has letters outside of all brackets. */
function untranslated(allowed) {
  const bare = (text) => {
    let rest = text;
    for (let before = ''; before !== rest;) {
      before = rest;
      rest = rest.replace(/⟦[^⟦⟧]*⟧/g, ' ');
    }
    for (const each of allowed) rest = rest.replaceAll(each, ' ');
    return /\p{L}/u.test(rest) ? rest.trim() : null;
  };
  const found = new Set();
  const note = (where, text) => bare(text) !== null && found.add(`${where}: ${bare(text)} (in: ${text.trim().slice(0, 120)})`);
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: parent, data } = walker.currentNode;
    if (!parent.closest('script, style, noscript, code, select.language, .home')) note(parent.getAttribute('class'), data);
  }
  for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description', 'aria-valuetext'])
    for (const element of document.querySelectorAll(`[${name}]`)) note(`${element.tagName} ${name}`, element.getAttribute(name));
  return [...found];
}

scenario('no text of any screen is left in English', async (visit) => {
  const texts = pageTexts();
  assert.ok(texts.length > 150, `${texts.length} texts`);
  const catalogue = writeCatalogue(texts.map((forms) => [forms.join('\0'), forms.map(bracketed)]));
  const ada = await visit(server.origin, { locale: 'de', settings: TOURIST });
  await ada.context.route('**/words/de.mo', (route) => route.fulfill({ body: catalogue, contentType: 'application/octet-stream' }));
  const found = [];
  await tour(ada, server, async (name) => {
    const code = await ada.page.locator('.lobby-code b').allInnerTexts();
    for (const each of await ada.page.evaluate(untranslated, ['Ada', 'Bo', 'hairpin', ...code])) found.push(`${name}: ${each}`);
  });
  assert.deepEqual(found, []);
});
