// Races over the server: people in several browsers, lost connections, a server that falls over.

import assert from 'node:assert/strict';
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { PHONE, Server, Wire, pause, scenario, serve, until } from './helpers.mjs';

const server = serve();

const brought = ({ id, tokens }, i = 0) => `race/${id}/${tokens[i].token}`;

/** Ada and Bo at one table, in two browsers; both see that it is their turn. */
async function two(visit, at = server, boAt = at.origin) {
  const opened = await at.table(['Ada', 'Bo', 'bot']);
  const ada = await visit(at.origin);
  const bo = await visit(boAt);
  await Promise.all([ada.go(brought(opened, 0)), bo.go(brought(opened, 1))]);
  await Promise.all([ada.turn(), bo.turn()]);
  assert.ok(bo.page.url().endsWith(opened.id), 'the token is not left in the address');
  return { ada, bo, id: opened.id };
}

const toTheEnd = async (...people) => {
  assert.deepEqual(await Promise.all(people.map((each) => each.drive())), people.map(() => 'over'));
  for (const each of people) await each.page.getByRole('list', { name: 'Podium' }).waitFor();
};

/** From the end of a race to the next one; the address changes before the screen does. */
async function leaves(visitor, id) {
  await until('another race', () => visitor.page.url().includes('#race/') && !visitor.page.url().includes(id));
  await visitor.page.locator('.after').waitFor({ state: 'detached' });
}

scenario('by a link, on a phone: two race and one watches', async (visit) => {
  const ada = await visit(server.origin, { permissions: ['clipboard-read', 'clipboard-write'] });
  await ada.go('new');
  await ada.page.locator('.tile svg').first().waitFor(); // what can be chosen is drawn anew with the circuits
  await ada.button('Friends by a link').click();
  await ada.page.getByLabel('Name').fill('Ada');
  await ada.page.getByLabel('Who drives car 3').selectOption({ label: 'Bot: Rookie' });
  await ada.page.getByLabel('Who drives car 4').selectOption({ label: 'Nobody' });
  await ada.page.getByRole('radio', { name: '1', exact: true }).check();
  await ada.button('Open the race').click();

  await ada.page.getByRole('img', { name: 'The link as a QR code' }).waitFor();
  const link = await ada.page.getByRole('textbox', { name: 'Link to this race' }).inputValue();
  assert.match(link, /^http:.*#race\/[0-9A-Za-z_-]{22}$/);
  await ada.button('Copy').click();
  await ada.page.getByText('The link is copied.').waitFor();
  assert.equal(await ada.page.evaluate(() => navigator.clipboard.readText()), link);

  const watcher = await visit(server.origin);
  await watcher.go(link.split('#')[1]);
  await watcher.page.getByText('Ada').first().waitFor();

  const bo = await visit(server.origin, PHONE);
  await bo.go(link.split('#')[1]);
  await bo.page.getByLabel('Your name').fill('Bo');
  await bo.page.locator('.lobby-form').getByRole('button', { name: 'Take this seat' }).tap();

  await Promise.all([ada.turn(), bo.turn()]);
  for (const each of [ada, bo]) assert.match(await each.page.title(), /Your turn/);
  const scrolls = await bo.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(scrolls, false, 'the phone shows the whole width');
  const driving = ada.drive();
  await bo.driveByHand({ decisions: 5, tap: true });
  assert.equal(await watcher.page.locator('.hand').count(), 0, 'who watches sees no hand');
  await toTheEnd(bo);
  assert.equal(await driving, 'over');
  await watcher.page.getByRole('list', { name: 'Podium' }).waitFor();
  const order = (each) => each.page.getByRole('list', { name: 'Podium' }).innerText();
  assert.equal(await order(bo), await order(ada));
  assert.equal(await order(watcher), await order(ada));
});

scenario('a link that works on this computer only says so; one from elsewhere does not, however slow the server', async (visit) => {
  const opened = await server.table(['Ada', null]);
  for (const [host, alone] of [['127.0.0.1', true], ['localhost', true], ['far.localhost', false]]) {
    const ada = await visit(`http://${host}:${server.port}`);
    ada.forgiving = true;
    await ada.context.route('**/api/server', (route) => route.abort());
    await ada.go(brought(opened));
    await ada.page.getByRole('textbox', { name: 'Link to this race' }).waitFor();
    assert.equal(await ada.page.getByText('works on this computer only').count(), alone ? 1 : 0, host);
  }
});

/** Takes the free seat of a lobby; the answer is held back until the race has begun, and `meanwhile` looks at that. */
async function sitLast(visitor, name, meanwhile) {
  await visitor.context.route('**/api/tables/*/seats/*', async (route) => {
    const answer = await route.fetch();
    await pause(500); // the state behind it comes by another way
    await meanwhile?.();
    await route.fulfill({ response: answer });
  });
  await visitor.page.getByLabel('Your name').fill(name);
  await visitor.page.locator('.lobby-form').getByRole('button', { name: 'Take this seat' }).click();
}

scenario('who takes the last seat has a car, whatever comes first: the seat or the race', async (visit) => {
  const opened = await server.table(['Ada', null]);
  const bo = await visit(server.origin);
  await bo.go(`race/${opened.id}`);
  await sitLast(bo, 'Bo');
  await bo.turn();
  assert.equal(await bo.page.locator('.board .car-you').count(), 1, 'the own car is marked');
  await bo.button('Say something').waitFor();
});

scenario('a seat moves to another device in the middle of the race', async (visit) => {
  const { ada, bo } = await two(visit);
  await ada.button('Move to another device').click();
  await ada.button('Show the link').click();
  await ada.page.getByRole('img', { name: 'The seat as a QR code' }).waitFor();
  const link = await ada.page.getByRole('textbox', { name: 'Link to your seat' }).inputValue();
  await ada.button('Say something').click();
  assert.equal(await ada.page.locator('.talk .panel').count(), 0, 'one at a time, and the key is put away');
  await bo.drive(1);
  const phone = await visit(server.origin, PHONE);
  await phone.go(link.split('#')[1]);
  await phone.turn();
  assert.match(await phone.text('.tower-row[data-you]'), /Ada/);
  await phone.drive(1);
  const watcher = await visit(server.origin);
  await watcher.go(link.split('#')[1].replace(/\/[0-9a-f]*$/, ''));
  await watcher.button('Leave for now').waitFor();
  assert.equal(await watcher.button('Move to another device').count(), 0);
});

scenario('a guest takes the last seat at this screen, and sees nobody else’s hand', async (visit) => {
  const opened = await server.table(['Ada', null]);
  const ada = await visit(server.origin);
  await ada.go(brought(opened));
  await ada.button('Take this seat').click();
  await sitLast(ada, 'Bo', () => ada.noCards());
  const move = await ada.turn();
  assert.equal(move.kind, 'curtain');
  await ada.noCards();
  assert.equal(await ada.page.locator('.board .car-you').count(), 2);
});

scenario('joining by the code, and from the list', async (visit) => {
  const opened = await server.table(['Ada', null], { listed: true });
  const bo = await visit(server.origin);
  await bo.go('join');
  await bo.page.getByRole('link', { name: /Ada/ }).waitFor();
  await bo.page.getByRole('textbox', { name: /code/ }).fill(opened.id.slice(0, 6).toLowerCase());
  await bo.button('Join').click();
  await until('the lobby', () => bo.page.url().endsWith(`#race/${opened.id}`));
  await bo.page.getByLabel('Your name').fill('Bo');
  await bo.page.keyboard.press('Enter');
  await bo.turn();
});

scenario('the list asks for no circuit that the page has, and for no other twice', async (visit) => {
  const own = readFileSync(new URL('../fixtures/one-corner.circuit', import.meta.url), 'utf8');
  await server.table(['Ada', null], { listed: true });
  await server.table(['Bo', null], { listed: true, circuit: undefined, circuit_file: own });
  const cleo = await visit(server.origin);
  const asked = [];
  cleo.context.on('request', (request) => request.url().endsWith('/circuit') && asked.push(request.url()));
  await cleo.go('join');
  const races = cleo.page.locator('.join-race');
  await races.filter({ hasText: 'Bo' }).locator('.ground svg').waitFor();
  await races.filter({ hasText: 'Ada' }).locator('.ground svg').first().waitFor();
  await server.table(['Dora', null], { listed: true });
  await races.filter({ hasText: 'Dora' }).locator('.ground svg').waitFor();
  assert.equal(asked.length, 1, asked.join(' '));
});

scenario('a reload, and the network off and on', async (visit, t) => {
  const wire = await new Wire().open(server.port);
  t.after(() => wire.close());
  const { ada, bo } = await two(visit, server, wire.origin);
  const driving = ada.drive();
  await bo.drive(3);
  await bo.page.reload();
  await bo.turn();
  await bo.drive(2);
  const send = await bo.decide();
  const where = await bo.page.locator('.decision').getAttribute('data-step');
  bo.forgiving = true;
  wire.cut();
  await bo.context.setOffline(true);
  await until('Bo notices', () => bo.lost());
  await bo.page.evaluate(() => document.getElementById('said').replaceChildren());
  await send.click(); // what is decided now must neither get lost without a word nor count twice
  await bo.page.getByText('The connection is lost').waitFor();
  assert.equal(await bo.page.locator('.decision').getAttribute('data-step'), where);
  assert.equal(await bo.page.locator('.decision').getAttribute('aria-busy'), 'false', 'it can be sent again');
  wire.mend();
  await bo.context.setOffline(false);
  await until('the connection is back', async () => !(await bo.lost()));
  await bo.forgiveNoMore();
  await toTheEnd(bo);
  assert.equal(await driving, 'over');
});

scenario('the server is killed and comes back', async (visit) => {
  const own = await new Server().open();
  try {
    const { ada, bo } = await two(visit, own);
    await Promise.all([ada, bo].map((each) => each.round(3)));
    for (const each of [ada, bo]) each.forgiving = true;
    const racing = Promise.all([ada.drive(), bo.drive()]);
    await own.kill();
    await until('both notice', async () => (await ada.lost()) && bo.lost());
    await own.start();
    assert.deepEqual(await racing, ['over', 'over']);
    for (const each of [ada, bo]) {
      await each.forgiveNoMore();
      await each.page.getByRole('list', { name: 'Podium' }).waitFor();
    }
  } finally {
    await own.close();
  }
});

scenario('a race is opened as soon as it can be reached, and left before if somebody wants to', async (visit) => {
  const opened = await server.table(['Ada', 'bot']);
  const ada = await visit(server.origin, { serviceWorkers: 'block' });
  ada.forgiving = true;
  await ada.context.addInitScript(() => { // in the page: what it has asked is heard of here only later
    globalThis.asked = 0;
    const ask = globalThis.fetch;
    globalThis.fetch = (url, options) => {
      if (String(url).endsWith('/circuit')) globalThis.asked += 1;
      return ask(url, options);
    };
  });
  const asked = () => ada.page.evaluate(() => globalThis.asked);
  let answer = (route) => route.abort();
  await ada.context.route('**/circuit', (route) => answer(route));
  await ada.go(brought(opened));
  const trying = ada.page.getByRole('heading', { name: 'Trying again …' });
  await trying.waitFor();
  await ada.page.getByText('Nobody answers').waitFor();
  const back = ada.button('Back to the start page');
  await back.focus();
  await until('another try or two', async () => (await asked()) > 3);
  assert.equal(await back.evaluate((each) => each === document.activeElement), true, 'nothing is drawn without a reason');
  answer = (route) => route.fulfill({ status: 429, json: { code: 'too_fast', text: '' } });
  await ada.page.getByText('That was too fast').waitFor();
  await ada.page.getByLabel('Language').selectOption({ label: 'Deutsch' });
  await ada.page.getByText('Das war zu schnell').waitFor();
  await ada.page.getByLabel('Sprache').selectOption({ label: 'English' });
  await back.click();
  await ada.button('Race now').waitFor();
  const before = await asked();
  await ada.page.evaluate(() => dispatchEvent(new Event('online')));
  await pause(500);
  assert.equal(await asked(), before, 'who has left asks no more');

  answer = (route) => route.abort();
  await ada.go(`race/${opened.id}`);
  await until('long pauses', async () => (await asked()) > before + 4);
  answer = (route) => route.continue();
  await ada.page.evaluate(() => dispatchEvent(new Event('online')));
  await ada.turn();
  assert.equal(await trying.count(), 0);
  await ada.button('Ready').waitFor(); // the seat is ours all the while
});

scenario('a server with another folder for a while: the seats are there when the race is back', async (visit) => {
  const own = await new Server().open();
  const folder = (name) => join(own.folder, name);
  const again = async (from, to) => {
    await own.kill();
    renameSync(folder('data'), folder(to));
    if (from) renameSync(folder(from), folder('data'));
    await own.start();
  };
  try {
    const { ada, bo, id } = await two(visit, own);
    for (const each of [ada, bo]) each.forgiving = true;
    await again(null, 'right');
    for (const each of [ada, bo]) await each.page.getByText('There is no such race.').waitFor();
    await ada.page.getByLabel('Language').selectOption({ label: 'Deutsch' });
    await ada.button('Zur Startseite').waitFor();
    assert.equal(await ada.page.locator('.race').count(), 0, 'what is gone does not come back in another language');
    await ada.page.getByLabel('Sprache').selectOption({ label: 'English' });
    await ada.button('Back to the start page').click();
    await until('the start page has asked', () => ada.page.evaluate((key) =>
      key in JSON.parse(localStorage.getItem('hairpin.missing') ?? '{}'), id));
    assert.equal(await ada.page.locator('.start-again a').count(), 0);
    await again('right', 'wrong');
    await ada.page.reload();
    await ada.page.getByRole('link', { name: /It is your turn/ }).click();
    await bo.page.reload();
    for (const each of [ada, bo]) await each.turn();
    assert.equal(await ada.page.evaluate(() => localStorage.getItem('hairpin.missing')), '{}');
  } finally {
    await own.close();
  }
});

scenario('a race that the server does not know for a month is forgotten', async (visit) => {
  const [id, other] = ['0', '1'].map((each) => each.repeat(22));
  const seats = { [id]: [{ seat: 0, token: '0'.repeat(32) }], [other]: [{ seat: 1, token: '1'.repeat(32) }] };
  const DAY = 86400000;
  const ada = await visit(server.origin, { settings: { seats, missing: { [id]: Date.now() - 31 * DAY } } });
  ada.expected = /404/;
  const kept = (key) => ada.page.evaluate((name) => Object.keys(JSON.parse(localStorage.getItem(`hairpin.${name}`))), key);
  await ada.go();
  await until('both were asked for', async () => (await kept('missing')).join() === other);
  assert.deepEqual(await kept('seats'), [other]);
});

scenario('hand-over at one screen, seen against what the server tells each seat', async (visit) => {
  const opened = await server.table(['Ada', 'Bo', 'bot']);
  const ada = await visit(server.origin, { settings: { seats: { [opened.id]: opened.tokens } } });
  const hands = new Map(); // seat to the newest hand that the server has told it
  ada.page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => {
    const m = JSON.parse(payload);
    if (m.m === 'state') hands.set(m.you, m.view?.hand ?? []);
  }));
  await ada.go(`race/${opened.id}`);
  const name = (card) => ({ 0: '0, upgrade', 5: '5, upgrade', H: 'Heat card', S: 'Stress card' })[card] ?? `Card ${card}`;
  let shown = null;
  const turns = [0, 0];
  for (let n = 0; n < 40; n++) {
    const move = await ada.turn();
    if (move.kind === 'over') break;
    if (move.kind === 'curtain') {
      await ada.noCards();
      shown = (await ada.page.locator(move.selector).textContent()).includes('Ada') ? 0 : 1;
      turns[shown] += 1;
      await ada.page.locator(move.selector).click();
      await ada.page.locator('.hand').waitFor();
    } else {
      const { cards, elsewhere } = await ada.page.evaluate(() => ({
        cards: [...document.querySelectorAll('.hand .card')].map((each) => each.getAttribute('aria-label')),
        elsewhere: [...document.querySelectorAll('.card')].filter((each) => !each.closest('.hand') && !each.closest('.gauges')).length,
      }));
      assert.deepEqual(cards, hands.get(shown).map(name), `the hand of seat ${shown}, and no other`);
      assert.equal(elsewhere, 0);
      await ada.drive(1);
    }
  }
  assert.ok(turns[0] > 1 && turns[1] > 1, `both had the screen: ${turns}`);
});

/** Runs in the page: its clock goes so many milliseconds ahead. */
function setAhead(ms) {
  const { now } = Date;
  Date.now = () => now() + ms;
}
const ahead = (visitor, ms) => visitor.page.evaluate(setAhead, ms);

scenario('two at one screen ask for a bot together, and leave their seats one by one', async (visit) => {
  const opened = await server.table(['Ada', 'Bo', 'Cy']);
  const ada = await visit(server.origin, { settings: { seats: { [opened.id]: opened.tokens.slice(0, 2) } } });
  await ada.go(`race/${opened.id}`);
  await ada.turn();
  await ada.drive(2);
  await pause(16000); // the server has its own idea of how long is long
  await ahead(ada, 30000);
  await ada.button('Let a bot drive').click();
  await until('a bot drives for Cy', async () => (await server.api(`tables/${opened.id}`)).seats[2].away);
  await ada.turn();

  const gathering = await server.table(['Ada', 'Bo', null]);
  await ada.page.evaluate(([id, tokens]) =>
    localStorage.setItem('hairpin.seats', JSON.stringify({ [id]: tokens })), [gathering.id, gathering.tokens]);
  await ada.go(`race/${gathering.id}`);
  for (const left of [1, 0]) {
    await ada.button('Leave the seat').nth(left).click();
    await until('the seat is free', async () => (await ada.button('Leave the seat').count()) === left);
  }
});

scenario('what one says in the lobby before the connection is there is not lost when another sits down', async (visit) => {
  const opened = await server.table([null, null, null]);
  const ada = await visit(server.origin);
  let held = null;
  await ada.context.routeWebSocket(/live$/, async (page) => {
    await held;
    page.connectToServer();
  });
  const sit = async (name) => {
    await ada.page.getByLabel('Your name').fill(name);
    await ada.page.locator('.lobby-form').getByRole('button', { name: 'Take this seat' }).click();
  };
  await ada.go(`race/${opened.id}`);
  await ada.page.getByLabel('Your name').waitFor();
  let go;
  held = new Promise((done) => (go = done));
  await sit('Ada');
  await ada.button('Start now').click();
  await ada.button('Start now').click(); // and what is said twice is said once
  await ada.button('Take this seat').first().click();
  await sit('Bo');
  await until('two have a seat', async () => (await ada.button('Leave the seat').count()) === 2);
  go();
  await ada.turn();
});

scenario('a device whose clock is wrong counts with the server, and a note stays under the finger', async (visit) => {
  const ada = await visit(server.origin);
  await ada.context.addInitScript(setAhead, 40000);
  const late = ada.button('Let a bot drive');
  const left = async () => Number((await ada.page.getByText(/seconds? left/).textContent()).match(/\d+/)[0]);
  const lateAt = () => ada.page.evaluate(() => document.querySelector('.notes').innerText.includes('Let a bot drive') &&
    Number(document.querySelector('.race-cockpit > .note').innerText.match(/\d+/)[0]));
  const opened = await server.table(['Ada', 'Bo'], { clock: 110 });
  const began = Date.now();
  await ada.go(brought(opened));
  await ada.turn();
  assert.equal(await ada.page.getByText(/seconds? left/).count(), 0, 'nobody knows the time yet');
  const lateOnes = await late.count();
  assert.ok(lateOnes === 0 || Date.now() > began + 20000, 'nobody is late at the start');
  await ada.button('Say something').click();
  await ada.button('Hello!').click();
  assert.ok((await left()) > 70, 'a second or two');
  // Bo may really be late by now: 20 of his 110 seconds are over then.
  assert.ok((await lateAt()) <= 90, 'nor when we know the time');
  await ada.page.reload();
  await ada.turn();
  assert.ok((await left()) > 60, 'and now we know it at once');

  await ahead(ada, 25000);
  await late.focus();
  const before = await left();
  await until('time goes on', async () => (await left()) < before - 1);
  assert.equal(await late.evaluate((each) => each === document.activeElement), true, 'the button is the same');
});

scenario('days are told at once: a clock that is a little off does not matter to them', async (visit) => {
  const opened = await server.table(['Ada', 'Bo'], { clock: 259200 });
  const ada = await visit(server.origin);
  await ada.go(brought(opened));
  await ada.page.getByText(/days left/).waitFor();
});

scenario('names are text, whatever they look like', async (visit) => {
  const name = '<img src=x onerror=alert(1)>';
  const ada = await visit(server.origin);
  ada.page.on('dialog', (dialog) => {
    ada.problems.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  const shown = async () => {
    await ada.page.getByText(name).first().waitFor();
    assert.equal(await ada.page.locator('img').count(), 0);
  };
  const opened = await server.table([name, null], { listed: true });
  await ada.go('join');
  await shown();
  await ada.go(brought(opened));
  await shown();
  await ada.button('Start now').click();
  await ada.turn();
  await shown();
  await ada.drive();
  await shown();
  await ada.go();
  await ada.page.getByRole('link', { name: /The race is over/ }).waitFor();
});

scenario('a name that no table takes is refused by the page, with a reason', async (visit) => {
  const opened = await server.table(['Ada', null]);
  const bo = await visit(server.origin);
  await bo.go(`race/${opened.id}`);
  const take = bo.page.locator('.lobby-form').getByRole('button', { name: 'Take this seat' });
  for (const name of ['👨\u200d👩\u200d👧', 'Bo\u202eoB', '\ud83d', 'Bo\u{e0001}']) {
    await bo.page.getByLabel('Your name').fill(name);
    await take.click();
    await bo.page.getByText('signs that can be seen').waitFor();
  }
  await bo.page.getByLabel('Your name').fill('Bo 👩🏽 Ω');
  await take.click();
  await bo.turn();
});

scenario('a race that took weeks is kept for a week after its end', async (visit) => {
  const DAY = 86400000;
  const { id, tokens, table } = await server.table(['Ada', 'bot']);
  const over = { ...table, phase: 'over', opened: Date.now() - 30 * DAY, awaited: [], places: [0, 1] };
  const ada = await visit(server.origin, { settings: { seats: { [id]: tokens } } });
  await ada.context.route(`**/api/tables/${id}`, (route) => route.fulfill({ json: over }));
  const link = ada.page.getByRole('link', { name: /The race is over/ });
  await ada.go();
  await link.waitFor();
  await ada.page.reload();
  await link.waitFor();
  await ada.page.clock.setFixedTime(Date.now() + 8 * DAY);
  await ada.page.reload();
  await until('it is forgotten', () => ada.page.evaluate(() =>
    ['seats', 'over'].every((key) => localStorage.getItem(`hairpin.${key}`) === '{}')));
});

scenario('a server that takes its time to tell of a race moves nothing on the first screen', async (visit) => {
  const { id, tokens } = await server.table(['Ada', 'bot']);
  const ada = await visit(server.origin, { serviceWorkers: 'block', settings: { seats: { [id]: tokens } } });
  ada.expected = /Service Worker registration blocked/;
  const race = ada.page.locator('.start-again a');
  const menu = async () => Math.round((await ada.page.locator('.start-menu').boundingBox()).y);
  await ada.go();
  await race.waitFor();
  const place = await menu();
  let answer = null;
  await ada.context.route(`**/api/tables/${id}`, (route) => (answer = () => route.continue()));
  await ada.page.reload();
  await until('it is asked for', () => answer);
  await ada.page.locator('.start-menu').waitFor();
  assert.equal(await race.count(), 0, 'nothing is known of the race yet');
  assert.equal(await menu(), place, 'and its place is kept');
  await answer();
  await race.waitFor();
  assert.equal(await menu(), place);
});

scenario('who looks elsewhere is told when it is their turn', async (visit) => {
  const { ada, bo } = await two(visit);
  await ada.page.evaluate(() => {
    localStorage.setItem('hairpin.notify', 'true');
    globalThis.notes = [];
    globalThis.Notification = class {
      static permission = 'granted';
      constructor(text) {
        notes.push(text);
      }
    };
    Object.defineProperty(document, 'hidden', { get: () => true });
  });
  await ada.drive(1);
  await until('Ada has planned and waits for Bo', async () => (await ada.page.title()) === 'hairpin');
  const driving = bo.drive();
  await until('a note', () => ada.page.evaluate(() => notes.length > 0));
  assert.match(await ada.page.title(), /Your turn/);
  assert.match(await ada.page.evaluate(() => notes[0]), /your turn/);
  await ada.drive();
  await driving;
  assert.equal(await ada.page.title(), 'hairpin');
});

scenario('a rematch, with everybody in their seats', async (visit) => {
  const { ada, bo, id } = await two(visit);
  await toTheEnd(ada, bo);
  await ada.button('Rematch').click();
  await leaves(ada, id);
  await bo.page.getByRole('button', { name: /rematch/i }).first().click();
  await leaves(bo, id);
  await Promise.all([ada.turn(), bo.turn()]);
  assert.equal(bo.page.url(), ada.page.url());
  await ada.page.goBack(); // who comes from the last race once more has brought a salt already
  await ada.button('Rematch').click();
  await until('Ada is there again', () => ada.page.url() === bo.page.url());
  const next = ada.page.url().split('#race/')[1];
  const { seats } = await server.api(`tables/${next}`);
  for (const [seat, each] of [ada, bo].entries()) {
    const salts = await each.page.evaluate(() => JSON.parse(localStorage.getItem('hairpin.salts')));
    assert.match(seats[seat].salt, /^[0-9a-f]{64}$/, 'everybody has a part in the shuffle');
    assert.deepEqual(salts[next], { [seat]: seats[seat].salt });
  }
});

scenario('what was sent stays sent while others are heard', async (visit) => {
  const { ada, bo } = await two(visit);
  const held = [];
  let heard = 0; // states that came after Ada had sent her plan
  await ada.context.routeWebSocket(/live$/, (page) => {
    const host = page.connectToServer();
    page.onMessage((text) => (text.startsWith('act ') ? held.push(() => host.send(text)) : host.send(text)));
    host.onMessage((text) => {
      page.send(text);
      if (held.length > 0 && text.includes('"m":"state"')) heard += 1;
    });
  });
  await ada.page.reload();
  await (await ada.decide()).click();
  await until('it is on its way', () => held.length === 1);
  await bo.drive(1);
  await until('Bo is heard', () => heard > 0);
  await pause(300); // and shown
  assert.equal(await ada.page.locator('.decision').getAttribute('aria-busy'), 'true');
  held[0]();
  await until('it is there', async () => await ada.page.locator('.decision').getAttribute('aria-busy') === 'false');
});

scenario('a rematch that was closed before somebody came is opened anew', async (visit) => {
  const { ada, bo, id } = await two(visit);
  await toTheEnd(ada, bo);
  await ada.button('Rematch').click();
  await leaves(ada, id);
  bo.expected = /404/;
  let closed = true; // as far as Bo can tell, who is told of a table that is not there until he asks for another one
  await bo.context.routeWebSocket(/live$/, (page) => {
    const host = page.connectToServer();
    let state;
    host.onMessage((text) => {
      if (text.includes('"m":"state"')) state = text;
      page.send(closed ? text.replace(/(?<="rematch":").*?(?=")/, (each) => 'x'.repeat(each.length)) : text);
    });
    page.onMessage((text) => {
      if (text !== 'rematch') return host.send(text);
      closed = false;
      return page.send(state);
    });
  });
  await bo.page.reload();
  await bo.page.getByRole('button', { name: /rematch/i }).first().click();
  await until('Bo is there', () => bo.page.url() === ada.page.url());
  assert.equal(closed, false);
});

scenario('a rematch that begins without somebody, who may watch it', async (visit) => {
  const { ada, bo, id } = await two(visit);
  await toTheEnd(ada, bo);
  await ada.button('Rematch').click();
  await leaves(ada, id);
  await ada.button('Start now').click();
  await ada.turn();
  await bo.button('Rematch').click();
  await until('Bo is there', async () => bo.page.url() === ada.page.url());
  await bo.page.locator('.race .tower-row').first().waitFor();
  assert.equal(await bo.page.locator('.hand').count(), 0);
  await bo.page.reload();
  await bo.page.locator('.race .tower-row').first().waitFor();
});

scenario('a host that exchanges commitment or salts during the race is found out', async (visit) => {
  const salt = '1'.repeat(64);
  const seats = [{ kind: 'person', name: 'Ada', colour: 'red', salt }, { kind: 'bot', level: 'rookie' }];
  for (const [shown, fault] of [[/(?<="commitment":").{64}/, /commitment in the file/], [salt, /salt of Ada/]]) {
    const opened = await server.api('tables', { circuit: 'usa', laps: 1, seats });
    const ada = await visit(server.origin);
    let honest = false;
    await ada.context.routeWebSocket(/live$/, (page) => {
      const host = page.connectToServer();
      host.onMessage((text) => page.send(honest ? text : text.replace(shown, '2'.repeat(64))));
    });
    await ada.go(brought(opened));
    await ada.turn();
    honest = true; // from now on it shows what fits its file
    await ada.page.reload();
    await toTheEnd(ada);
    assert.match(await ada.text('.after-verdict-bad ~ .after-facts'), fault);
  }
});

scenario('a race file that was changed by one byte does not pass', async (visit) => {
  const opened = await server.table(['Ada', 'bot']);
  const ada = await visit(server.origin);
  let change = (text) => text;
  await ada.context.route('**/api/tables/*/race', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: change(await answer.text()) });
  });
  await ada.go(brought(opened));
  await ada.turn();
  await ada.drive();
  await ada.page.locator('.after-verdict-good').waitFor();
  await ada.page.getByText('the commitment that you saw then').waitFor();
  const late = await visit(server.origin); // who has seen nothing before the race is promised nothing
  await late.go(brought(opened));
  await late.page.getByText('Compare it with the one that you saw').waitFor();
  change = (text) => text.replace(/^(secret [0-9a-f]*)([0-9a-f])$/m, (line, most, last) => most + (last === '0' ? '1' : '0'));
  await ada.page.reload();
  await ada.page.locator('.after-verdict-bad').waitFor();
});
