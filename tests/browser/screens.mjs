// Pictures of every screen in every language, on a phone and on a desk, into BINARY_DIR/screens: to look at, and for
// translators. Run it by run.sh; LANGUAGES="de el" takes those only.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BINARY_DIR, DESKTOP, LANGUAGES, PHONE, Server, Visitor, closeBrowser } from './helpers.mjs';
import { TOURIST, tour } from './tour.mjs';

const folder = join(BINARY_DIR, 'screens');
const languages = process.env.LANGUAGES?.split(' ') ?? LANGUAGES;
const sets = [['desktop', DESKTOP], ['phone', PHONE]].flatMap(([size, options]) => [
  ...languages.map((language) => ({ name: `${language}-${size}`, options: { ...options, locale: language } })),
  ...(languages.includes('en') ? [{ name: `en-${size}-dark`, options: { ...options, locale: 'en', colorScheme: 'dark' } }] : []),
]);

async function take(server, { name, options }) {
  const visitor = await new Visitor().open(server.origin, { ...options, settings: TOURIST });
  mkdirSync(join(folder, name), { recursive: true });
  let n = 0;
  await tour(visitor, server, async (screen) => {
    const file = `${String(++n).padStart(2, '0')}-${screen}.png`;
    const wide = await visitor.page.evaluate(() => document.fonts.ready.then(() => document.documentElement.scrollWidth - innerWidth));
    if (wide > 0) console.log(`${name}/${file}: ${wide} pixels wider than the screen`);
    await visitor.page.screenshot({ path: join(folder, name, file), fullPage: true, animations: 'disabled', scale: 'css' });
  });
  await visitor.close();
  console.log(`${join(folder, name)}: ${n} pictures`);
}

const server = await new Server().open();
try {
  const left = [...sets];
  const work = async () => {
    while (left.length > 0) await take(server, left.shift());
  };
  await Promise.all([work(), work()]);
} finally {
  await closeBrowser();
  await server.close();
}
