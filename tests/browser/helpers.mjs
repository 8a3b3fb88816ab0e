// What the browser tests share: a server in a folder of its own, Chromium, and people who visit. Whatever the console
// says, whatever fails to load and whatever leaves the server's origin makes a test fail.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, test } from 'node:test';

export const { HAIRPIN, BINARY_DIR } = process.env;
const require = createRequire(join(BINARY_DIR, 'browser', 'package.json'));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const pilot = fileURLToPath(new URL('pilot.js', import.meta.url));
// An older Node takes a .js file for a module only if a package.json says so; the page has none.
const words = readFileSync(new URL('../../web/words.js', import.meta.url), 'utf8');
const { readCatalogue } = await import(`data:text/javascript,${encodeURIComponent(words)}`);

const PATIENCE = Number(process.env.PATIENCE ?? 60000); // milliseconds: the machine may be busy with other tests
export const LANGUAGES = ['en', 'da', 'nl', 'de', 'fr', 'el'];
export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
export const DESKTOP = { viewport: { width: 1280, height: 800 } };

/* ---- Waiting ------------------------------------------------------------------------------------------ */

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Waits until f() is true, and gives what it gave. */
export async function until(what, f, patience = PATIENCE) {
  const end = Date.now() + patience;
  for (;;) {
    const found = await f();
    if (found) return found;
    if (Date.now() > end) assert.fail(`waited in vain: ${what}`);
    await pause(40);
  }
}

/* ---- The server --------------------------------------------------------------------------------------- */

/** Below those that the system gives to clients, as in live.py. */
export async function freePort() {
  for (;;) {
    const port = 10100 + Math.floor(Math.random() * 21900); // above those that browsers refuse
    const free = await new Promise((done) => {
      const socket = createServer();
      socket.once('error', () => done(false));
      socket.listen(port, '127.0.0.1', () => socket.close(() => done(true)));
    });
    if (free) return port;
  }
}

const servers = new Set(); // those that are open, however this ends
process.on('exit', () => {
  for (const { child, folder } of servers) {
    child?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

/** A server; start() after kill() goes on with the same port and data. */
export class Server {
  async open() {
    this.folder = mkdtempSync(join(tmpdir(), 'hairpin-browser-'));
    servers.add(this);
    this.port = await freePort();
    this.origin = `http://127.0.0.1:${this.port}`;
    await this.start();
    return this;
  }

  async start() {
    const log = openSync(join(this.folder, 'log'), 'a');
    // Tests ask more than any person would.
    const child = spawn(HAIRPIN, ['serve', '--port', this.port, '--data', join(this.folder, 'data'), '--lang', 'en',
      '--rate', '0', '--address-connections', '0'], { stdio: ['ignore', log, log] });
    this.child = child;
    this.ended = new Promise((done) => child.once('exit', done));
    await until('the server serves', async () => {
      assert.equal(child.exitCode, null, readFileSync(join(this.folder, 'log'), 'utf8'));
      return fetch(`${this.origin}/healthz`).then((answer) => answer.ok, () => false);
    });
  }

  /** As when the power fails. */
  async kill() {
    this.child?.kill('SIGKILL');
    await this.ended;
  }

  async close() {
    await this.kill();
    servers.delete(this);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** GET, or POST where there is a body. */
  async api(path, body, token) {
    const headers = token ? { Authorization: `Bearer ${token}` } : {};
    const answer = await fetch(`${this.origin}/api/${path}`,
      body ? { method: 'POST', body: JSON.stringify(body), headers } : { headers });
    assert.ok(answer.ok, `${path}: ${answer.status}`);
    return answer.json();
  }

  /** Opens a table with people ("Ada"), open seats (null) and bots ("bot"). */
  table(who, more = {}) {
    const colours = ['red', 'blue', 'green', 'black', 'yellow', 'purple'];
    const seats = who.map((name, i) => {
      if (name === null) return { kind: 'open' };
      return name === 'bot' ? { kind: 'bot', level: 'rookie' } : { kind: 'person', name, colour: colours[i] };
    });
    return this.api('tables', { circuit: 'usa', laps: 1, seats, ...more });
  }
}

/** A wire to a server that can be cut: a browser that is told to be offline keeps its WebSockets. */
export class Wire {
  ends = new Set();
  whole = true;

  async open(port) {
    this.socket = createServer((near) => {
      const far = connect(port, '127.0.0.1');
      for (const [end, other] of [[near, far], [far, near]]) {
        this.ends.add(end);
        end.on('error', () => other.destroy()).on('close', () => {
          this.ends.delete(end);
          other.destroy();
        });
      }
      near.pipe(far).pipe(near);
      if (!this.whole) near.destroy();
    });
    await new Promise((done) => this.socket.listen(0, '127.0.0.1', done));
    this.origin = `http://127.0.0.1:${this.socket.address().port}`;
    return this;
  }

  cut() {
    this.whole = false;
    for (const end of this.ends) end.destroy();
  }

  mend() {
    this.whole = true;
  }

  close() {
    this.cut();
    this.socket.close();
  }
}

/** One server, and one browser, for all tests of a file. */
export function serve() {
  const server = new Server();
  test('a server', () => server.open());
  after(async () => {
    await closeBrowser();
    await server.close();
  });
  return server;
}

/* ---- The browser -------------------------------------------------------------------------------------- */

let launched = null;

export function browser() {
  launched ??= chromium.launch({
    timeout: 2 * PATIENCE,
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync', '--force-color-profile=srgb'],
  });
  return launched;
}

export async function closeBrowser() {
  await (await launched)?.close();
  launched = null;
}

/**
 * Somebody with a browser of their own: a page with its context. `forgiving` is true while the network is meant to fail.
 */
export class Visitor {
  problems = [];
  forgiving = false;
  expected = null; // what may be said all the same
  underWay = new Set(); // requests of the table

  /** options: those of a context, and settings: what localStorage has at first. */
  async open(origin, { settings = {}, ...options } = {}) {
    this.origin = origin;
    this.context = await (await browser()).newContext({ locale: 'en-GB', ...DESKTOP, ...options });
    this.context.setDefaultTimeout(PATIENCE);
    this.watch();
    await this.context.addInitScript(remember, { pace: 0, ...settings });
    await this.context.addInitScript({ path: pilot });
    this.page = await this.context.newPage();
    return this;
  }

  watch() {
    const note = (text) => {
      if (!this.forgiving && !this.expected?.test(text)) this.problems.push(text);
    };
    this.context.on('console', (message) => note(`console: ${message.type()}: ${message.text()} (${message.location().url})`));
    this.context.on('weberror', (error) => note(`error: ${error.error().stack}`));
    this.context.on('request', (request) => {
      const url = new URL(request.url());
      if (url.origin !== this.origin && !['data:', 'blob:'].includes(url.protocol)) this.problems.push(`leaves: ${url}`);
      if (url.pathname.startsWith('/api/')) this.underWay.add(request);
    });
    this.context.on('requestfinished', (request) => this.underWay.delete(request));
    this.context.on('requestfailed', (request) => {
      this.underWay.delete(request);
      // What a page had under way when it was left is not a failure.
      if (request.failure()?.errorText !== 'net::ERR_ABORTED') note(`failed: ${request.url()} ${request.failure()?.errorText}`);
    });
    this.context.on('response', (response) => {
      if (response.status() >= 400) note(`answer: ${response.status()} ${response.url()}`);
    });
    this.context.on('page', (page) => page.on('crash', () => note('the page crashed')));
  }

  async go(address = '') {
    await this.page.goto(`${this.origin}/${address ? '#' : ''}${address}`);
    return this;
  }

  /** The network works again: what had begun to fail before is waited for (not every end is told), and forgiven. */
  async forgiveNoMore() {
    for (let i = 0; i < 600 && this.underWay.size > 0; i++) await pause(50);
    await this.page.evaluate(() => {}); // what the console says of them is here before the answer to this
    this.forgiving = false;
  }

  button(name, options = {}) {
    return this.page.getByRole('button', { name, exact: true, ...options });
  }

  text(selector) {
    return this.page.locator(selector).first().textContent();
  }

  /** Clicks like the quickest of all people; see pilot.js. It may go on while a test does something else. */
  drive(decisions) {
    const driving = this.page.evaluate(([n, ms]) => pilot.drive(n ?? Infinity, ms), [decisions, PATIENCE]).then((why) => {
      assert.doesNotMatch(why, /^stuck/);
      return why;
    });
    driving.catch(() => {}); // whoever waits for it will hear of it
    return driving;
  }

  /** The same with a real mouse, or a finger: what is covered or too small to hit is found out. */
  async driveByHand({ decisions = Infinity, tap = false, patience = PATIENCE } = {}) {
    let last = Date.now();
    for (let sent = 0; sent < decisions;) {
      const move = await this.page.evaluate(() => pilot.next());
      if (move.kind === 'over') return 'over';
      if (move.kind === 'wait') {
        if (Date.now() - last > patience) assert.fail(`nothing to click: ${await this.text('.cockpit')}`);
        await pause(20);
        continue;
      }
      const target = this.page.locator(move.selector).nth(move.nth);
      await (tap ? this.tapped(target, patience) : target.click({ timeout: patience }));
      await this.page.evaluate((done) => pilot.sent(done), move);
      if (move.kind === 'confirm' || move.kind === 'choice') sent += 1;
      last = Date.now();
    }
    return 'driven';
  }

  /** A finger's click comes after the tap has ended; a finger that was held up for long makes none, and taps again. */
  async tapped(target, timeout) {
    const clicks = () => this.page.evaluate(() => pilot.clicks());
    const before = await clicks();
    for (let clicked = false; !clicked;) {
      await target.tap({ timeout });
      for (let i = 0; !clicked && i < 100; i++) {
        if (i > 0) await pause(50);
        clicked = (await clicks()) > before;
      }
    }
  }

  /** Drives until this round has begun. The round is read where the click is made: later it may be the next one. */
  async round(n) {
    await until(`round ${n}`, () => this.page.evaluate(async (wanted) => {
      const now = document.querySelector('.tower-head')?.textContent.match(/\d+/)?.[0] ?? 0;
      if (Number(now) >= wanted) return true;
      if (pilot.next().kind !== 'wait') await pilot.drive(1);
      return false;
    }, n));
  }

  /** Waits until it is this visitor's turn, or the race is over; what the pilot would do then. */
  turn() {
    return until('a turn', () => this.page.evaluate(() => [pilot.next()].find(({ kind }) => kind !== 'wait')));
  }

  /** Chooses up to the button that sends a decision; that button. */
  decide() {
    return until('a decision', async () => {
      const { kind, selector, nth } = await this.turn();
      const button = this.page.locator(selector).nth(nth);
      if (kind === 'confirm' || kind === 'choice') return button;
      await button.click();
      return null;
    });
  }

  /** Nothing on the whole page, to be seen or not, is a card or a plan. */
  async noCards() {
    const found = await this.page.evaluate(() => document.documentElement.outerHTML
      .match(/class="(?:hand|card)\b|"Card [0-9]|[05], upgrade|Heat card|Stress card|\bplan [1-4] /g));
    assert.equal(found, null, 'cards behind the curtain');
  }

  /** Whether the page says that the connection is lost. */
  lost() {
    return this.page.evaluate(() => document.documentElement.hasAttribute('data-lost'));
  }

  /** What the accessibility checker finds wrong, as one text. Parts that were exchanged while it looked say nothing. */
  async violations(options = {}) {
    if (!(await this.page.evaluate(() => 'axe' in globalThis))) await this.page.evaluate(axe);
    const violations = await this.page.evaluate(async (more) => {
      let changed;
      const watch = new MutationObserver(() => (changed = true));
      watch.observe(document.body, { childList: true, subtree: true });
      for (let tries = 1; ; tries++) {
        changed = false;
        const result = await globalThis.axe.run(document, { resultTypes: ['violations'], ...more });
        if (result.violations.length > 0 && changed && tries < 10) continue;
        watch.disconnect();
        return result.violations;
      }
    }, options);
    const place = (node) => `    ${node.html.slice(0, 160)}\n      ${node.failureSummary.replace(/\n/g, ' ')}`;
    return violations.map(({ id, help, nodes }) => [`${id}: ${help}`, ...nodes.slice(0, 5).map(place)].join('\n')).join('\n');
  }

  async close() {
    await this.context.close();
    assert.deepEqual(this.problems, [], 'what went wrong in the browser');
  }
}

/** Runs in the page: settings, unless it has some already. */
function remember(settings) {
  try {
    for (const [key, value] of Object.entries(settings))
      if (localStorage.getItem(`hairpin.${key}`) === null) localStorage.setItem(`hairpin.${key}`, JSON.stringify(value));
  } catch {
    // about:blank keeps nothing
  }
}

/** A scenario: `visit` opens pages that are closed and looked at behind it. */
export function scenario(name, f, timeout = 600000) {
  test(name, { timeout }, async (t) => {
    const visitors = [];
    const visit = async (origin, options) => {
      const visitor = await new Visitor().open(origin, options);
      visitors.push(visitor);
      return visitor;
    };
    let failure = null;
    try {
      await f(visit, t);
    } catch (error) {
      failure = error;
      for (const each of visitors) {
        failure.message += `\n[at ${each.page.url()}]`;
        for (const problem of each.problems) failure.message += `\n[${problem}]`;
      }
    }
    for (const each of visitors) {
      if (failure) await each.context.close();
      else await each.close();
    }
    if (failure) throw failure;
  });
}

/* ---- Words -------------------------------------------------------------------------------------------- */

/** The texts of a language, as a function from English. */
export function wordsOf(language) {
  if (language === 'en') return (text) => text;
  const file = readFileSync(join(BINARY_DIR, 'site', 'words', `${language}.mo`));
  const catalogue = readCatalogue(file.buffer.slice(file.byteOffset, file.byteOffset + file.length));
  return (text) => catalogue.get(text)?.[0] || text;
}

/** A catalogue of pairs [original, translations], as msgfmt writes it. */
export function writeCatalogue(pairs) {
  const bytes = (text) => Buffer.from(`${text}\0`);
  const sorted = [['', ['Content-Type: text/plain; charset=UTF-8\n']], ...pairs]
    .map(([original, forms]) => [bytes(original), bytes(forms.join('\0'))]).sort(([a], [b]) => Buffer.compare(a, b));
  const head = Buffer.alloc(28 + 16 * sorted.length);
  [0x950412de, 0, sorted.length, 28, 28 + 8 * sorted.length, 0, 0].forEach((word, i) => head.writeUInt32LE(word, 4 * i));
  let at = head.length;
  for (const side of [0, 1])
    sorted.forEach((pair, i) => {
      head.writeUInt32LE(pair[side].length - 1, 28 + 8 * (side * sorted.length + i));
      head.writeUInt32LE(at, 32 + 8 * (side * sorted.length + i));
      at += pair[side].length;
    });
  return Buffer.concat([head, ...sorted.map(([original]) => original), ...sorted.map(([, translated]) => translated)]);
}
