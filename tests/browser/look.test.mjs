// Accessibility of every screen, by day and night, on a desk and on a phone.

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { DESKTOP, PHONE, scenario, serve } from './helpers.mjs';
import { TOURIST, tour } from './tour.mjs';

const server = serve();
const contrast = { runOnly: ['color-contrast'] };

/** Runs in the page: controls less than 44 pixels high, which a finger would miss. A link in a sentence may be as high as its line. */
function small() {
  const found = [];
  for (const element of document.querySelectorAll('button, select, a, summary, input')) {
    const box = (element.matches('input[type=radio], input[type=checkbox]') && element.closest('label')) || element;
    const { width, height } = box.getBoundingClientRect();
    const inline = element.matches('a') && getComputedStyle(element).display === 'inline';
    if (width > 1 && height > 1 && !inline && !element.closest('.unseen') && height < 43.5)
      found.push(`${Math.round(height)} pixels high: ${element.outerHTML.slice(0, 100)}`);
  }
  return found;
}

/** Runs in the page: how much the lines around an element differ from what is around and in it; axe does not look at these. */
function contrasts(element, what) {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\d.]+/g).map((each) => each / 255).map((each) =>
      (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const line = light(getComputedStyle(element)[what]);
  return ['--paper', '--card'].map((name) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.setProperty('color', `var(${name})`);
    const ground = light(getComputedStyle(probe).color);
    probe.remove();
    return (Math.max(line, ground) + 0.05) / (Math.min(line, ground) + 0.05);
  });
}

scenario('lines that tell something can be seen, by day and night', async (visit) => {
  const ada = await visit(server.origin, { settings: TOURIST });
  const look = async (selector, what) => {
    await ada.page.locator(selector).first().waitFor();
    for (const colorScheme of ['light', 'dark']) {
      await ada.page.emulateMedia({ colorScheme });
      const found = await ada.page.locator(selector).first().evaluate(contrasts, what);
      assert.ok(Math.min(...found) >= 3, `${selector}, ${colorScheme}: ${found}`);
    }
  };
  await ada.go('new');
  await look('.language', 'borderTopColor');
  await look('input[type=text], input:not([type])', 'borderTopColor');
  await ada.go('replay');
  await ada.page.locator('input[type=file]').focus();
  await ada.page.keyboard.press('Shift+Tab');
  await ada.page.keyboard.press('Tab');
  await look('.replay-open:has(+ :focus-visible)', 'outlineColor');
  await ada.page.locator('input[type=file]').setInputFiles(fileURLToPath(
    new URL('../fixtures/races/italy-4-cars-2-laps.race', import.meta.url)));
  for (let i = 0; i < 5; i++) await ada.button('Next step').click(); // four plans, then the first car's turn
  await look('.tower-row[data-turn]', 'outlineColor');
});

for (const [where, options] of [['desktop', DESKTOP], ['phone', PHONE]]) {
  scenario(`axe finds nothing on a ${where}`, async (visit) => {
    const ada = await visit(server.origin, { ...options, settings: TOURIST });
    const found = [];
    await tour(ada, server, async (name) => {
      for (const [colorScheme, checks] of [['light', {}], ['dark', contrast]]) {
        await ada.page.emulateMedia({ colorScheme });
        const wrong = await ada.violations(checks);
        if (wrong) found.push(`${name}, ${colorScheme}: ${wrong}`);
      }
      await ada.page.emulateMedia({ colorScheme: 'light' });
      const wide = await ada.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) found.push(`${name}: ${wide} pixels wider than the screen`);
      if (options === PHONE) for (const each of await ada.page.evaluate(small)) found.push(`${name}: ${each}`);
    });
    assert.equal(found.join('\n\n'), '');
  });
}
