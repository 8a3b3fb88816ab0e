// The page's files: without a server, without a network, within their policy, and small.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { BINARY_DIR, scenario, serve, until } from './helpers.mjs';
import { staticSite, weigh } from './files.mjs';

const server = serve();
const LIMIT = 250000; // bytes

const controlled = ({ page }) => until('the service worker has everything', () => page.evaluate(async () => {
  const worker = await navigator.serviceWorker.ready;
  return worker.active?.state === 'activated' && navigator.serviceWorker.controller !== null;
}));

scenario('a web host that knows no races', async (visit, t) => {
  const site = await staticSite();
  t.after(() => site.close());
  const ada = await visit(site.origin);
  await ada.go();
  await ada.page.getByText('No server answers').first().waitFor();
  assert.equal(await ada.page.getByRole('link', { name: 'Join a race' }).count(), 0);
  await ada.go('join');
  await ada.page.getByText('No server answers').first().waitFor();
  await ada.go('new');
  await ada.button('Me and five bots').waitFor();
  assert.equal(await ada.button('Friends by a link').count(), 0);
  await ada.go();
  await ada.button('Race now').click();
  await ada.turn();
  assert.equal(await ada.drive(6), 'driven');
  await ada.page.reload();
  await ada.turn();
  ada.expected = /404/;
  await ada.go(`race/${'x'.repeat(22)}`); // where there is none, nothing is waited for
  await ada.page.getByText('This race is not here').waitFor();
});

scenario('without a network, once it was there', async (visit) => {
  const ada = await visit(server.origin, { locale: 'fr' });
  await ada.go();
  await controlled(ada);
  ada.forgiving = true; // that nobody answers /api is what this is about
  await ada.context.setOffline(true);
  await ada.page.reload();
  await ada.page.locator('.start-now').click();
  await ada.turn();
  assert.equal(await ada.page.evaluate(() => document.documentElement.lang), 'fr');
  assert.equal(await ada.drive(6), 'driven');
});

scenario('the page goes where its service worker says', async (visit) => {
  const ada = await visit(server.origin);
  await ada.go();
  await controlled(ada);
  const worker = await until('its worker', () => ada.context.serviceWorkers()[0]);
  await worker.evaluate(async () => {
    for (const window of await self.clients.matchAll()) window.postMessage({ go: '#rules' });
  });
  await ada.page.locator('main[data-screen=rules]').waitFor();
});

scenario('files of two versions are not kept', async (visit, t) => {
  const folder = mkdtempSync(join(tmpdir(), 'hairpin-site-'));
  cpSync(join(BINARY_DIR, 'site'), folder, { recursive: true });
  const site = await staticSite(folder);
  t.after(() => {
    site.close();
    rmSync(folder, { recursive: true });
  });
  const edit = (name, f) => writeFileSync(join(folder, name), f(readFileSync(join(folder, name), 'utf8')));
  const ada = await visit(site.origin);
  ada.expected = /another version/;
  await ada.go();
  await controlled(ada);
  const look = () => ada.page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update().catch(() => {});
    await new Promise((done) => {
      const watch = () => (registration.installing ? setTimeout(watch, 20) : done());
      watch();
    });
    return registration.waiting !== null;
  });
  edit('service.js', (text) => text.replace(/(?<=VERSION = ').*(?=')/, 'next'));
  edit('rules.js', (text) => `${text}// not what the list says\n`);
  assert.equal(await look(), false);
  await ada.page.reload();
  await ada.button('Race now').waitFor(); // the old one is whole
  edit('rules.js', (text) => text.replace(/.*\n$/, ''));
  // The browser may be looking by itself, and still find what was there before.
  await until('the new one is whole', look);
});

const aSeatElsewhere = { new: { seats: ['here', 'elsewhere', 'rookie'].map((kind) => ({ kind })) } };

scenario('the page does not wait to hear of a server', async (visit) => {
  const ada = await visit(server.origin, { serviceWorkers: 'block', settings: aSeatElsewhere });
  ada.expected = /Service Worker registration blocked/;
  await ada.context.addInitScript(() => {
    const ask = globalThis.fetch; // no answer, ever, and nobody who could give up
    globalThis.fetch = (url, options) => (String(url).endsWith('/api/server') ? new Promise(() => {}) : ask(url, options));
  });
  await ada.go('new');
  await ada.button('To the start line').or(ada.button('Open the race')).waitFor();
});

scenario('a network that swallows everything', async (visit) => {
  const ada = await visit(server.origin, { serviceWorkers: 'block', settings: aSeatElsewhere });
  ada.expected = /Service Worker registration blocked/;
  await ada.context.route('**/api/server', () => {}); // no answer, ever
  await ada.go('new');
  await ada.button('To the start line').waitFor();
  await ada.go('join');
  await ada.page.getByText('No server answers').first().waitFor();
  await ada.go();
  await ada.page.getByText('No server answers').first().waitFor();
  await ada.context.unroute('**/api/server');
  await ada.page.evaluate(() => dispatchEvent(new Event('online')));
  await ada.page.getByRole('link', { name: 'Join a race' }).waitFor();
  await ada.go('new');
  await ada.button('Open the race').waitFor(); // the seat for somebody elsewhere was not written away
});

test('a tapped notification leads to its race', async () => {
  const text = await (await fetch(`${server.origin}/service.js`)).text();
  const scope = 'https://host/hairpin/';
  const done = [];
  const tap = async (...urls) => {
    const listeners = {};
    const open = urls.map((url) => ({
      url, focus: async () => done.push(`focus ${url}`), postMessage: ({ go }) => done.push(`go ${go}`) }));
    const clients = { matchAll: async () => open, openWindow: async (url) => done.push(`open ${url}`) };
    const self = { registration: { scope }, clients, addEventListener: (name, f) => (listeners[name] = f) };
    new Function('self', text)(self);
    let ended;
    listeners.notificationclick({
      notification: { data: '#race/b', close: () => done.push('close') }, waitUntil: (promise) => (ended = promise) });
    await ended;
    return done.splice(0);
  };
  assert.deepEqual(await tap(), ['close', `open ${scope}#race/b`]);
  assert.deepEqual(await tap('https://host/other/#race/b'), ['close', `open ${scope}#race/b`]);
  assert.deepEqual(await tap(`${scope}#race/a`, `${scope}#race/b`), ['close', 'go #race/b', `focus ${scope}#race/b`]);
  assert.deepEqual(await tap(`${scope}`, `${scope}#rules`), ['close', 'go #race/b', `focus ${scope}`]);
});

test('the Content-Security-Policy allows nothing inline', async () => {
  const policy = (await fetch(server.origin)).headers.get('content-security-policy');
  assert.ok(policy, 'there is one');
  assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval(?!')|'unsafe-eval'/);
  assert.match(policy, /default-src 'self'|default-src 'none'/);
});

scenario('page, board, one language, engine and bots weigh little', async (visit, t) => {
  const ada = await visit(server.origin, { locale: 'de' });
  const names = new Set();
  ada.context.on('request', (request) => {
    if (!request.serviceWorker()) names.add(new URL(request.url()).pathname);
  });
  await ada.go();
  await ada.page.locator('.start-now').click();
  await ada.turn();
  await ada.drive(2);
  const files = await weigh(server.origin, [...names].filter((each) => !each.startsWith('/api/')));
  const bytes = files.reduce((sum, each) => sum + each.bytes, 0);
  t.diagnostic(`${bytes} bytes in ${files.length} files`);
  assert.ok(names.has('/engine.wasm') && names.has('/words/de.mo'), [...names].join(' '));
  assert.ok(bytes < LIMIT, `${bytes} bytes: ${files.map((each) => `${each.name} ${each.bytes}`).join(', ')}`);
});
