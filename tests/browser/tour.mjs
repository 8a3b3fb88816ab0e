// Walks past every screen of the page and every step of a turn, in whatever language it speaks.

import { until } from './helpers.mjs';

const STEPS = ['plan', 'react', 'slip', 'discard'];
const ENOUGH = 40; // decisions: a step that has not come up by then is left out

/** What a visitor remembers before the tour: a small race, so that its end is soon reached. */
export const TOURIST = {
  name: 'Ada', motion: 'off',
  new: { circuit: 'usa', laps: 1, seats: ['here', 'rookie', 'rookie', 'none', 'none', 'none'].map((kind) => ({ kind })) },
};

/** Calls look(name) at every screen. The server has two tables opened for it. */
export async function tour(visitor, server, look) {
  const { page } = visitor;
  const see = async (name, selector) => {
    await page.locator(selector).first().waitFor();
    await look(name);
  };
  await visitor.go();
  await see('start', '.start-now');
  await page.locator('#top [aria-controls=menu]').click();
  await see('settings', '#menu');
  await page.locator('#top [aria-controls=menu]').click();
  await visitor.go('rules');
  await see('rules', '.rules');
  await before(visitor, server, see);
  await visitor.go('new');
  await see('new', '.tile svg');
  await page.locator('.new-go button').click();
  await race(visitor, see);
  await page.locator('.after-buttons button').nth(1).click();
  await see('replay', '.replay-buttons');
  await visitor.go('new');
  await page.locator('.chip').nth(2).click();
  await see('new-net', '[name=listed]');
  await visitor.go();
  await see('start-again', '.start-again a');
  await visitor.go('replay');
  await see('replay-file', 'input[type=file]');
}

/** Joining, the lobby from both sides, a race of others. */
async function before(visitor, server, see) {
  const { page } = visitor;
  const listed = await server.table(['Ada', null, 'bot', null], { listed: true, clock: 3600 });
  await visitor.go('join');
  await see('join', '.join-race');
  await visitor.go(`race/${listed.id}`);
  await see('lobby-guest', '.lobby-form');
  await visitor.go(`race/${listed.id}/${listed.tokens[0].token}`);
  await see('lobby', '.lobby-start button');
  await page.locator('.lobby-devices button').click();
  await see('lobby-devices', '.lobby-key svg');
  const other = await server.table(['Ada', 'Bo', 'bot'], { clock: 3600 });
  await visitor.go(`race/${other.id}`);
  await see('watching', '.race .tower-row');
  await visitor.page.evaluate(([id, tokens]) => {
    const seats = JSON.parse(localStorage.getItem('hairpin.seats') ?? '{}');
    localStorage.setItem('hairpin.seats', JSON.stringify({ ...seats, [id]: tokens }));
  }, [other.id, other.tokens]);
  await visitor.go();
  await visitor.go(`race/${other.id}`);
  await see('hand-over', '.curtain');
  await page.locator('.talk > button').nth(1).click();
  await page.locator('.talk .panel button').first().click();
  await see('race-devices', '.talk .lobby-key svg');
  visitor.expected = /404|ERR_FAILED/;
  await visitor.context.route('**/circuit', (route) => route.abort());
  await visitor.go(`race/${listed.id}`);
  await see('trying', '#main > [role=status] h1'); // and not that of the race before it
  await visitor.context.unroute('**/circuit');
  await visitor.go(`race/${'0'.repeat(22)}`);
  await see('gone', '#main > .panel h1');
  await visitor.go();
  visitor.expected = null;
}

/** What can be said, and why something is not possible. */
async function talk(page, see) {
  await page.locator('.talk button').first().click();
  await page.locator('.gear[aria-disabled=true]').last().dispatchEvent('click');
  await see('race-talk', '.phrases button');
  await page.locator('.talk button').first().click();
}

/** Every kind of decision, and what comes after the race. */
async function race(visitor, see) {
  const { page } = visitor;
  const now = () => page.evaluate(() => {
    const { kind } = pilot.next();
    if (kind === 'over') return 'over';
    return kind === 'wait' ? null : document.querySelector('.decision').dataset.step;
  });
  const missing = new Set(STEPS);
  for (let n = 0; missing.size > 0 && n < ENOUGH; n++) {
    const step = await until('a decision', now);
    if (step === 'over') break;
    if (missing.delete(step)) {
      await page.locator('.decision .help').click();
      await see(`race-${step}`, '.decision');
      await page.locator('.decision .help').click();
      if (step === 'plan') await talk(page, see);
    }
    await visitor.drive(1);
  }
  await visitor.drive();
  await page.locator('.after table').first().waitFor({ state: 'attached' });
  await see('after', '.after-verdict-good, .after-verdict-bad');
}
