// How heavy and how quick the page is, on this machine: prints figures, and fails on nothing.

import { DESKTOP, PHONE, Server, Visitor, closeBrowser } from './helpers.mjs';
import { weigh } from './files.mjs';

const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const part = (list, p) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * p))];
const say = (name, value) => console.log(`${name.padEnd(58)} ${value}`);

async function weight(server) {
  const visitor = await new Visitor().open(server.origin, { locale: 'de' });
  const seen = new Set();
  visitor.context.on('request', (request) => request.serviceWorker() ?? seen.add(new URL(request.url()).pathname));
  await visitor.go();
  await visitor.page.locator('.start-now').waitFor();
  await visitor.page.waitForLoadState('networkidle');
  const first = new Set(seen);
  await visitor.page.locator('.start-now').click();
  await visitor.turn();
  await visitor.drive(2);
  const files = await weigh(server.origin, [...seen].filter((each) => !each.startsWith('/api/')));
  const sum = (some) => some.reduce((bytes, each) => bytes + each.bytes, 0);
  say('first screen: bytes, compressed', sum(files.filter((each) => first.has(each.name))));
  say('page, board, one language, engine and bots: bytes', sum(files));
  for (const { name, bytes } of files.slice(0, 8)) say(`    ${name}`, bytes);
  await visitor.context.close();
}

/** From asking for the page to the first screen, with nothing kept. */
async function first(server, times = 7) {
  const found = [];
  for (let i = 0; i < times; i++) {
    const visitor = await new Visitor().open(server.origin);
    await visitor.go();
    await visitor.page.locator('.start-now').waitFor();
    found.push(await visitor.page.evaluate(() => {
      const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
      return painted ?? performance.now();
    }));
    await visitor.context.close();
  }
  say('first screen, cold cache, localhost: ms (middle, longest)', `${Math.round(middle(found))}, ${Math.round(Math.max(...found))}`);
}

/** Six cars, animation as most people have it: how even frames are while a car moves. */
async function frames(server, name, options) {
  const visitor = await new Visitor().open(server.origin, { ...options, settings: { pace: 1 } });
  const metrics = await visitor.context.newCDPSession(visitor.page);
  await metrics.send('Performance.enable');
  await visitor.go();
  await visitor.page.locator('.start-now').click();
  await visitor.turn();
  await visitor.page.evaluate(() => {
    globalThis.deltas = [];
    let last = performance.now();
    let places = '';
    const look = (now) => {
      const next = [...document.querySelectorAll('.board .car')].map((each) => each.getAttribute('transform')).join();
      if (next !== places) deltas.push(now - last);
      [last, places] = [now, next];
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  const read = async () => Object.fromEntries((await metrics.send('Performance.getMetrics')).metrics.map((each) => [each.name, each.value]));
  const before = await read();
  await visitor.driveByHand({ decisions: 4 });
  const after = await read();
  const deltas = await visitor.page.evaluate(() => globalThis.deltas);
  const used = (key) => `${Math.round((100 * (after[key] - before[key])) / (after.Timestamp - before.Timestamp))} %`;
  say(`${name}: frames per second while a car moves`, (1000 / (deltas.reduce((a, b) => a + b, 0) / deltas.length)).toFixed(1));
  say(`${name}: ms between frames (middle, 95 %, longest)`,
    [middle(deltas), part(deltas, 0.95), Math.max(...deltas)].map((each) => each.toFixed(1)).join(', '));
  say(`${name}: time in tasks, script, style, layout`,
    ['TaskDuration', 'ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'].map(used).join(', '));
  await visitor.context.close();
}

const server = await new Server().open();
try {
  await weight(server);
  await first(server);
  await frames(server, 'desktop', DESKTOP);
  await frames(server, 'phone', PHONE);
} finally {
  await closeBrowser();
  await server.close();
}
