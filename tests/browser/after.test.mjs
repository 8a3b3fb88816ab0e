// What a race's end shows, of races that are kept as files: the same every time.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { LANGUAGES, PHONE, scenario, serve, until } from './helpers.mjs';

const server = serve();

/** Shows the end of a race of tests/fixtures, as the player of a seat sees it; more is put into its notice. */
async function shown(visitor, name, mine = 0, more = {}) {
  const file = readFileSync(new URL(`../fixtures/races/${name}.race`, import.meta.url), 'utf8');
  const colours = ['red', 'blue', 'green', 'black', 'yellow', 'purple'];
  const seats = [...file.matchAll(/^seat \d+ handicap \d+ ?(.*)$/gm)]
    .map(([, who], i) => ({ kind: 'person', name: who, colour: colours[i] }));
  const of = (line) => file.match(line)[1];
  const places = of(/^end \S+ (.*)$/m).split(' ').map(Number);
  const notice = { circuit: of(/^circuit (.*)$/m), laps: Number(of(/^laps (.*)$/m)), seats, places, ...more };
  await visitor.go();
  await visitor.go('rules');
  await visitor.page.locator('.rules').waitFor();
  await visitor.page.evaluate(async (given) => {
    const { showAfter } = await import('/after.js');
    await showAfter(document.getElementById('main'), given);
  }, { notice, file, seats: [mine] });
  await visitor.page.locator('.after-verdict-good, .after-verdict-bad').waitFor();
}

/** A table's rows, as lists of texts. */
const rows = (table) =>
  table.evaluate((each) => [...each.rows].map((row) => [...row.cells].map((cell) => cell.textContent)));

scenario('every car has its place in the last row, whenever it left the circuit', async (visit) => {
  const ada = await visit(server.origin);
  for (const name of ['usa-6-cars-retire', 'italy-6-cars-3-laps-handicap']) {
    await shown(ada, name);
    const table = await rows(ada.page.locator('.chart-numbers table').first());
    assert.deepEqual(table.at(-1), ['End', '1', '2', '3', '4', '5', '6']);
    assert.equal(table.at(-2)[1], '–'); // the winner was no longer on the circuit
  }
});

scenario('places that are not those of the file are found out', async (visit) => {
  const ada = await visit(server.origin);
  await shown(ada, 'usa-3-cars-mixed');
  assert.equal(await ada.page.locator('.after-verdict-good').count(), 1);
  await shown(ada, 'usa-3-cars-mixed', 0, { places: [0, 1, 2] });
  assert.match(await ada.text('.after-verdict-bad ~ .after-facts'), /places in the file are not those/);
});

scenario('the result begins at its top, and stays where it is in another language', async (visit) => {
  const ada = await visit(server.origin, PHONE);
  const opened = await server.table(['Ada', 'bot']);
  await ada.go(`race/${opened.id}/${opened.tokens[0].token}`);
  await ada.turn();
  await ada.drive(6);
  await ada.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  assert.equal(await ada.drive(), 'over');
  const where = () => ada.page.evaluate(() => [document.activeElement.id || document.activeElement.className, scrollY]);
  await ada.page.locator('.after-figures').first().waitFor();
  assert.deepEqual(await where(), ['main', 0]);
  await ada.page.locator('#top .language').selectOption('Deutsch');
  await until('German', async () => (await ada.text('.after h2')) === 'Platzierungen');
  assert.equal((await where())[0], 'language');
});

scenario('figures of six cars fit on a phone', async (visit) => {
  for (const language of LANGUAGES) {
    const ada = await visit(server.origin, { ...PHONE, settings: { language } });
    await shown(ada, 'one-corner-6-cars-9-laps');
    const wide = await ada.page.locator('.after-scrolls').first()
      .evaluate((each) => each.scrollWidth - each.clientWidth);
    assert.ok(wide <= 0, `${language}: ${wide} pixels too wide`);
  }
});

scenario('figures say where Heat and stress came from, and what cost a car most', async (visit) => {
  const ada = await visit(server.origin);
  const lessons = () => ada.page.locator('.after-lessons li').allTextContents();
  await shown(ada, 'usa-6-cars-retire', 2);
  const table = await rows(ada.page.locator('.after-kinds'));
  assert.deepEqual(table.slice(2, 6), [
    ['Heat paid', '19', '16', '15', '24', '18', '19'],
    ['Heat for shifts', '4', '3', '2', '3', '2', '1'],
    ['Heat for boosts', '8', '5', '5', '12', '4', '7'],
    ['Heat in corners', '7', '8', '8', '9', '12', '11'],
  ]);
  assert.deepEqual(await lessons(), ['Chloé spun out 5 times (Ada: 3).', 'Chloé took 0 slipstreams (Ada: 3).']);
  await shown(ada, 'usa-6-cars-retire', 0); // the winner, beside all others
  assert.deepEqual(await lessons(), ['Ada stood still 2 times with a cluttered hand (the others on average: 0.2).']);
  await shown(ada, 'usa-1-car'); // nobody to compare with
  assert.deepEqual(await lessons(), []);
});

scenario('charts keep to the width of a phone that is turned', async (visit) => {
  const ada = await visit(server.origin, PHONE);
  await shown(ada, 'usa-6-cars-retire');
  await ada.page.locator('.chart-numbers summary').first().click();
  const place = ada.page.locator('.after-scrolls:has(> .chart)').first();
  const widths = () => place.evaluate((each) => [each.firstChild.getBoundingClientRect().width, each.clientWidth]);
  const { width, height } = ada.page.viewportSize();
  const [narrow] = await widths();
  await ada.page.setViewportSize({ width: height, height: width });
  await until('it is about as wide as its place', async () => {
    const [chart, all] = await widths();
    return chart > narrow && chart <= all && all - chart < 8;
  });
  await ada.page.setViewportSize({ width, height });
  await until('and as narrow as before', async () => (await widths())[0] === narrow);
  assert.equal(await ada.page.locator('.chart-numbers').first().getAttribute('open'), '', 'what was opened stays open');
});

scenario('charts: the word for the end has room, and a cross is explained', async (visit) => {
  /** Runs in the page: pixels between the words below the first chart, at least. */
  const room = () => {
    const texts = [...document.querySelector('.chart').querySelectorAll('.chart-text[text-anchor=middle]')];
    const boxes = texts.map((each) => each.getBoundingClientRect());
    return Math.min(...boxes.slice(1).map((box, i) => box.left - boxes[i].right));
  };
  for (const language of LANGUAGES) {
    const ada = await visit(server.origin, { ...PHONE, settings: { language } });
    await shown(ada, 'great-britain-3-cars-handicap'); // 31 rounds: 30 would be close to the end
    assert.ok((await ada.page.evaluate(room)) >= 6, language);
    assert.equal(await ada.page.locator('.chart-legend li').count(), 3);
    await shown(ada, 'usa-6-cars-retire');
    assert.equal(await ada.page.locator('.chart-legend li').count(), 7);
  }
});
