// Accessibility of every screen, by day and night, on a desk and on a phone.

import assert from 'node:assert/strict';
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
