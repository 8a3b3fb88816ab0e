// Races in the browser itself: one person against bots, two at one screen, by mouse, by keyboard, fast and slowly.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pause, scenario, serve, until } from './helpers.mjs';

const server = serve();
const twoLaps = new URL('../fixtures/races/italy-4-cars-2-laps.race', import.meta.url);

const raceNow = async (visitor) => {
  await visitor.go();
  await visitor.button('Race now').click();
  await visitor.turn();
};

scenario('race now, by mouse, to the podium; rematch', async (visit) => {
  const ada = await visit(server.origin);
  await raceNow(ada);
  assert.match(await ada.page.title(), /Your turn/);
  await ada.driveByHand({ decisions: 15 });
  assert.equal(await ada.drive(), 'over');
  assert.equal(await ada.page.title(), 'hairpin');
  const podium = ada.page.getByRole('list', { name: 'Podium' });
  assert.equal(await podium.getByRole('listitem').count(), 3);
  await ada.page.locator('.after-verdict-good').waitFor();
  await ada.page.getByRole('table').first().waitFor();
  const first = ada.page.url();
  await ada.button('Rematch').click();
  await until('another race', () => ada.page.url() !== first);
  await ada.page.locator('.after').waitFor({ state: 'detached' }); // the address changes first
  await ada.turn();
  assert.match(await ada.text('.tower-head'), /Round 1/);
  assert.equal(await ada.drive(4), 'driven');
});

scenario('a button that is drawn anew while it is pressed is clicked all the same', async (visit) => {
  const ada = await visit(server.origin);
  await raceNow(ada);
  const gears = ada.page.locator('.lever .gear');
  const second = gears.nth(1);
  const first = gears.nth(0);
  await until('first gear', async () => (await first.getAttribute('aria-pressed')) === 'true');
  // Nothing is to move under the mouse: all prices are there.
  await until('the prices', async () => !(await ada.page.locator('.lever').innerText()).includes('…'));
  const card = ada.page.locator('.hand button:not([aria-disabled])').first();
  await card.hover();
  await ada.page.mouse.down();
  await ada.page.keyboard.press('ArrowUp'); // the next gear: all is drawn anew
  await ada.page.mouse.up();
  await until('the gear', async () => (await second.getAttribute('aria-pressed')) === 'true');
  await until('the card', async () => (await ada.page.locator('.hand button[aria-pressed="true"]').count()) === 1);
  // Who presses and goes elsewhere does not hold anything up.
  await card.hover();
  await ada.page.mouse.down();
  await ada.page.mouse.move(2, 2);
  await ada.page.keyboard.press('ArrowDown');
  await until('the gear before', async () => (await first.getAttribute('aria-pressed')) === 'true');
  await ada.page.mouse.up();
});

scenario('a finger clicks the button that it pressed, whatever comes meanwhile', async (visit) => {
  const ada = await visit(server.origin, { hasTouch: true });
  await raceNow(ada);
  await until('the prices', async () => !(await ada.page.locator('.lever').innerText()).includes('…'));
  await ada.page.evaluate(() => {
    const button = (event) => event.target.closest('button');
    globalThis.clicks = []; // whether each was of the button that was pressed before
    let pressed;
    addEventListener('pointerdown', (event) => (pressed = button(event)), true);
    addEventListener('click', (event) => clicks.push(button(event) === pressed), true);
  });
  const touch = await ada.context.newCDPSession(ada.page);
  const { x, y, width, height } = await ada.page.locator('.hand button:not([aria-disabled])').first().boundingBox();
  const clicks = () => ada.page.evaluate(() => globalThis.clicks);
  // A finger that was held up for long makes no click; and a click may come so soon that nothing comes between.
  await until('clicks', async () => {
    const before = (await clicks()).length;
    await touch.send('Input.dispatchTouchEvent',
      { type: 'touchStart', touchPoints: [{ x: x + width / 2, y: y + height / 2 }] });
    await ada.page.keyboard.press(before % 2 === 0 ? 'ArrowUp' : 'ArrowDown'); // another gear: all is drawn anew
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    for (let i = 0; i < 20 && (await clicks()).length === before; i++) await pause(50);
    return (await clicks()).length >= 24;
  }, 300000);
  assert.deepEqual([...new Set(await clicks())], [true]);
});

scenario('the space bar presses a button that is drawn anew meanwhile', async (visit) => {
  const ada = await visit(server.origin);
  await raceNow(ada);
  const second = ada.page.locator('.lever .gear').nth(1);
  await until('the prices', async () => !(await ada.page.locator('.lever').innerText()).includes('…'));
  await ada.page.locator('.hand button:not([aria-disabled])').first().focus();
  await ada.page.keyboard.down(' ');
  await ada.page.keyboard.press('ArrowUp'); // the next gear: all is drawn anew
  await ada.page.keyboard.up(' ');
  await until('the gear', async () => (await second.getAttribute('aria-pressed')) === 'true');
  await until('the card', async () => (await ada.page.locator('.hand button[aria-pressed="true"]').count()) === 1);
});

scenario('a button is not clicked for a decision that came after it was drawn', async (visit) => {
  const ada = await visit(server.origin, { settings: { pace: 0 } });
  await raceNow(ada);
  await ada.page.locator('.hand button:not([aria-disabled])').first().hover();
  await ada.page.mouse.down();
  const other = await ada.context.newPage();
  await other.goto(ada.page.url());
  const look = (page) => page.evaluate(() => [document.querySelector('.tower-head')?.textContent,
    document.title, document.querySelector('.hand')?.outerHTML]);
  const planning = ([head, title]) => /Round 2/.test(head) && /Your turn/.test(title);
  await until('the next plan', async () => {
    if (planning(await look(other)) && (await other.locator('.lever').count()) > 0) return true;
    if ((await other.evaluate(() => pilot.next().kind)) !== 'wait') await other.evaluate(() => pilot.drive(1));
    return false;
  });
  await until('it is heard', async () => planning(await look(ada.page)));
  await ada.page.mouse.up();
  await until('the same hand, and nothing chosen', async () => (await look(ada.page))[2] === (await look(other))[2]);
});

scenario('cars move, and one key ends it', async (visit) => {
  // The page's own setting counts more than the system's wish.
  const ada = await visit(server.origin, { reducedMotion: 'reduce', settings: { pace: 1, motion: 'on' } });
  await raceNow(ada);
  await ada.page.evaluate(() => {
    globalThis.moved = { places: 0, stops: 0 };
    // Where a car stands is said in words; one that travels is drawn at places between, however few are seen.
    new MutationObserver((changes) => {
      for (const { target, attributeName } of changes)
        if (target.matches('.car')) moved[attributeName === 'transform' ? 'places' : 'stops'] += 1;
    }).observe(document.querySelector('.board'), { subtree: true, attributeFilter: ['transform', 'aria-label'] });
  });
  // A car whose way fell into a moment without frames has others before it.
  await until('cars are drawn at places between those where they stop', async () => {
    const { between, turn } = await ada.page.evaluate(() =>
      ({ between: moved.places > moved.stops + 6, turn: pilot.next().kind !== 'wait' }));
    if (!between && turn) await ada.driveByHand({ decisions: 1 });
    return between;
  });
  await until('the turn, much sooner than at leisure', async () => {
    await ada.page.keyboard.press('s');
    return ada.page.evaluate(() => pilot.next().kind !== 'wait');
  });
});

const atRest = { 'their system': { reducedMotion: 'reduce', settings: { pace: 1 } },
  'the settings': { settings: { pace: 1, motion: 'off' } },
  'the settings that animations take no time': { settings: { pace: 0, motion: 'on' } } };

for (const [where, options] of Object.entries(atRest)) scenario(`nothing moves for those who tell ${where}`, async (visit) => {
  const ada = await visit(server.origin, options);
  await raceNow(ada);
  await ada.page.evaluate(() => {
    globalThis.moved = { animations: 0, frames: 0, places: 0, stops: 0, glides: 0 };
    const look = () => {
      moved.frames += 1;
      moved.animations += document.getAnimations().length;
      requestAnimationFrame(look);
    };
    look();
    // Where a car stands is said in words; one that travels is drawn at many places between, however many are seen.
    new MutationObserver((changes) => {
      for (const { target, attributeName } of changes)
        if (target.matches('.car')) moved[attributeName === 'transform' ? 'places' : 'stops'] += 1;
    }).observe(document.querySelector('.board'), { subtree: true, attributeFilter: ['transform', 'aria-label'] });
  });
  const near = async () => (await ada.page.locator('.board.near').count()) > 0;
  assert.equal(await near(), false);
  await ada.button('Zoom in').click();
  await until('the near view', near);
  await ada.page.evaluate(() => new MutationObserver((changes) => (moved.glides += changes.length))
    .observe(document.querySelector('.board-stage'), { attributes: true, attributeFilter: ['style'] }));
  await ada.button('Show the whole track').click();
  await until('the whole track', async () => !(await near()));
  await ada.drive(6);
  const moved = await ada.page.evaluate(() => globalThis.moved);
  assert.ok(moved.frames > 0);
  assert.equal(moved.animations, 0, 'document.getAnimations()');
  assert.ok(moved.glides < 5, `${moved.glides} steps of the view`);
  assert.ok(moved.stops > 0);
  assert.equal(moved.places, moved.stops, 'cars are drawn where they stop, and nowhere else');
});

scenario('a choice of no time for animations counts at once', async (visit) => {
  const ada = await visit(server.origin, { settings: { pace: 1, motion: 'on' } });
  await ada.go();
  await ada.button('Settings').click();
  const motion = () => ada.page.evaluate(() => document.documentElement.dataset.motion);
  assert.equal(await motion(), 'on');
  await ada.page.getByLabel('Animation speed').selectOption('none');
  assert.equal(await motion(), 'off');
  await ada.page.getByLabel('Animation speed').selectOption('fast');
  assert.equal(await motion(), 'on');
});

scenario('what does not move is heard and read all the same', async (visit) => {
  const ada = await visit(server.origin, { reducedMotion: 'reduce', settings: { pace: 1, sound: true } });
  await ada.context.addInitScript(() => {
    globalThis.tones = 0;
    const { AudioContext } = globalThis;
    globalThis.AudioContext = class extends AudioContext {
      constructor() {
        super();
        globalThis.player = this;
      }
    };
    const { createOscillator } = BaseAudioContext.prototype;
    BaseAudioContext.prototype.createOscillator = function create() {
      globalThis.tones += 1;
      return createOscillator.call(this);
    };
  });
  await raceNow(ada);
  await until('sound is there', () => ada.page.evaluate(() => globalThis.player?.state === 'running'));
  await ada.drive(2);
  await ada.round(2);
  assert.notEqual(await ada.text('.strip'), '', 'the words above the board');
  assert.ok((await ada.page.evaluate(() => tones)) > 0, 'engines');
});

scenario('a reload in mid-race', async (visit) => {
  const ada = await visit(server.origin);
  await raceNow(ada);
  await ada.drive(5);
  await ada.turn();
  // Read in one step: a locator finds the hand first and looks at it later, when it may have been drawn anew. Who has
  // planned is left out: bots may still be at it.
  const stand = () => ada.page.evaluate(() =>
    [document.querySelector('.tower').textContent.replace(/[✓…]/g, ''), document.querySelector('.hand').outerHTML]);
  const before = await stand();
  await ada.page.reload();
  await ada.turn();
  assert.deepEqual(await stand(), before);
  await ada.drive(3);
  await ada.turn();
  await ada.button('Leave for now').click();
  await ada.page.getByRole('link', { name: /It is your turn/ }).click();
  await ada.turn();
});

scenario('seats of races in this browser are kept with them alone: nobody else is ever asked for one', async (visit) => {
  const ada = await visit(server.origin);
  await raceNow(ada);
  const seats = () => ada.page.evaluate(() => JSON.parse(localStorage.getItem('hairpin.seats') ?? '{}'));
  assert.deepEqual(await seats(), {});
  await ada.page.evaluate(() => // as earlier pages have kept them
    localStorage.setItem('hairpin.seats', JSON.stringify({ [location.hash.slice(6)]: [{ seat: 0, token: 'f'.repeat(32) }] })));
  await ada.go();
  await ada.page.getByRole('link', { name: /It is your turn/ }).waitFor();
  await until('they are gone', async () => Object.keys(await seats()).length === 0);
  await ada.button(/^Remove/).click();
  await ada.page.getByText('The race is removed.').waitFor();
  await twoHere(ada);
  await ada.turn();
  await ada.page.reload();
  await ada.button('I am Ada: show my hand').waitFor();
  assert.deepEqual(await seats(), {});
});

/** Tab, until something has the focus. */
async function tabTo(visitor, selector, nth = 0) {
  const there = () => visitor.page.evaluate(([css, n]) =>
    document.querySelectorAll(css)[n] === document.activeElement, [selector, nth]);
  for (let i = 0; !(await there()); i++) {
    assert.ok(i < 150, `Tab never reaches ${selector}`);
    await visitor.page.keyboard.press('Tab');
  }
}

/** Plays a move of the pilot by keys: digits for cards, arrows for gears, Enter, and Tab where there are buttons. */
async function key(visitor, move) {
  const { keyboard } = visitor.page;
  if (move.kind === 'card') return keyboard.press(String(move.nth + 1));
  if (move.kind === 'gear') {
    const now = await visitor.page.evaluate(() =>
      [...document.querySelectorAll('.gear')].findIndex((each) => each.ariaPressed === 'true'));
    return keyboard.press(move.nth > now ? 'ArrowUp' : 'ArrowDown');
  }
  const free = await visitor.page.evaluate(() => !document.activeElement.matches('button, a, select, input'));
  if (move.kind !== 'confirm' || !free) await tabTo(visitor, move.selector, move.nth);
  return keyboard.press('Enter');
}

scenario('by keyboard alone, to the podium', async (visit) => {
  const ada = await visit(server.origin);
  await ada.go();
  await ada.button('Race now').waitFor();
  await tabTo(ada, '.start-now');
  await ada.page.keyboard.press('Enter');
  for (let waited = Date.now(); ;) {
    const move = await ada.page.evaluate(() => pilot.next());
    if (move.kind === 'over') break;
    assert.ok(Date.now() - waited < 60000, `no key helps: ${await ada.text('#main')}`);
    if (move.kind === 'wait') {
      await pause(20);
      continue;
    }
    await key(ada, move);
    await ada.page.evaluate((done) => pilot.sent(done), move);
    waited = Date.now();
  }
  await ada.page.getByRole('list', { name: 'Podium' }).waitFor();
  await tabTo(ada, '.after-buttons button');
});

scenario('the first key of a race leaves the focus where it is', async (visit) => {
  const ada = await visit(server.origin);
  await raceNow(ada);
  const gear = ada.page.getByRole('button', { name: /^Gear 2/ });
  const chosen = async () => (await gear.getAttribute('aria-pressed')) === 'true';
  await gear.focus();
  await ada.page.keyboard.press('Space');
  await until('2nd gear', chosen);
  await until('the focus on it', () => // it may be drawn anew at any time
    ada.page.evaluate(() => document.activeElement.matches('.gear[aria-pressed=true]')));
});

scenario('what a plan costs is read out: its live region stays, and changes only when there is news', async (visit) => {
  const ada = await visit(server.origin);
  await raceNow(ada);
  await ada.page.evaluate(() => {
    globalThis.outlook = document.querySelector('.outlook[aria-live]');
    globalThis.said = [];
    new MutationObserver(() => said.push(outlook.innerText)).observe(outlook, { childList: true });
  });
  const said = () => ada.page.evaluate(() => ({ all: said, same: outlook.isConnected && said.at(-1) === outlook.innerText }));
  await ada.page.locator('.hand button:not([aria-disabled])').first().click();
  await until('the price', async () => /Engine afterwards/.test((await said()).all.at(-1)));
  await ada.button(/^Gear 2/).click();
  await until('another card is wanted', async () => /1 more card/.test((await said()).all.at(-1)));
  const { all, same } = await said();
  assert.ok(same, 'it is still there');
  assert.ok(all.every((text, i) => text !== all[i - 1]), all.join('\n'));
});

scenario('arrows scroll what happened, and leave the gear alone', async (visit) => {
  const ada = await visit(server.origin);
  await raceNow(ada);
  await ada.round(3);
  await ada.turn(); // a round begins with a plan
  const journal = ada.page.getByRole('log');
  const gear = async () => (await ada.page.locator('.gear[aria-pressed=true]').textContent())[0]; // not its price
  await ada.page.locator('.gear:not([aria-disabled])').first().click();
  const before = await gear();
  await journal.focus();
  const place = await until('there is something to scroll, and its end is shown', () => journal.evaluate((each) =>
    (each.scrollTop + each.clientHeight > each.scrollHeight - 2 ? each.scrollTop : 0)));
  await ada.page.keyboard.press('ArrowUp');
  await until('it scrolls', async () => (await journal.evaluate((each) => each.scrollTop)) < place);
  assert.equal(await gear(), before);
  const cards = () => ada.page.locator('.hand button').evaluateAll((all) =>
    all.map((each) => (each.ariaDisabled ? 'none' : each.ariaPressed)));
  const hand = await cards();
  await ada.page.keyboard.press(String(hand.findIndex((each) => each !== 'none') + 1)); // other keys still choose
  await until('a card', async () => (await cards()).join() !== hand.join());
});

scenario('a race file is kept, opened again, and watched step by step', async (visit) => {
  const ada = await visit(server.origin);
  const { id, tokens } = await server.table(['Ada', 'bot']);
  await ada.go(`race/${id}/${tokens[0].token}`);
  await ada.turn();
  await ada.drive();
  const [download] = await Promise.all([ada.page.waitForEvent('download'), ada.button('Race file').click()]);
  assert.match(download.suggestedFilename(), /^hairpin-usa-.*\.race$/);
  const file = await download.path();
  assert.match(readFileSync(file, 'utf8'), /^act|^race|^hairpin/m);
  await ada.go();
  await ada.page.getByRole('link', { name: /The race is over/ }).waitFor(); // it moves the rest of the screen down
  await ada.page.getByRole('link', { name: /Replay a race file/ }).click();
  await ada.page.locator('input[type=file]').setInputFiles(file);
  const step = ada.page.getByRole('slider', { name: 'Step' });
  const at = async () => Number(await step.inputValue());
  assert.equal(await at(), 0);
  await ada.button('Next step').click();
  await until('one step', async () => (await at()) === 1);
  await ada.button('Next round').click();
  await until('a round', async () => (await at()) > 3);
  assert.ok((await ada.page.getByRole('list', { name: 'What happened' }).getByRole('listitem').count()) > 0);
  await ada.button('Last step').click();
  await until('the end', async () => String(await at()) === (await step.getAttribute('max')));
});

scenario('a replay stays with its step of the history', async (visit) => {
  const ada = await visit(server.origin);
  const { id, tokens } = await server.table(['Ada', 'bot']);
  await ada.go(`race/${id}/${tokens[0].token}`);
  await ada.drive();
  const step = ada.page.getByRole('slider', { name: 'Step' });
  await ada.button('Watch the replay').click();
  await step.waitFor();
  await ada.page.reload();
  await step.waitFor();
  await ada.page.goBack();
  await ada.page.getByRole('list', { name: 'Podium' }).waitFor();
  await ada.page.goForward();
  await step.waitFor();
  await ada.page.getByRole('link', { name: 'hairpin' }).click();
  await ada.page.getByRole('link', { name: /The race is over/ }).waitFor(); // it moves the rest of the screen down
  await ada.page.getByRole('link', { name: /Replay a race file/ }).click();
  await ada.page.getByRole('heading', { name: 'Replay a race' }).waitFor();
});

scenario('a car over the line is said to be there, and not in a lap that the race does not have', async (visit) => {
  const ada = await visit(server.origin);
  await ada.go('replay');
  await ada.page.locator('input[type=file]').setInputFiles(fileURLToPath(twoLaps));
  await ada.button('Last step').click();
  const labels = new Set();
  const where = ada.page.locator('.replay-where');
  for (let i = 0; i < 25; i++) {
    for (const car of await ada.page.locator('.board .car').all()) labels.add(await car.getAttribute('aria-label'));
    const before = await where.textContent();
    await ada.button('Previous step').click();
    await until('the step before', async () => (await where.textContent()) !== before);
  }
  const all = [...labels].join('\n');
  assert.match(all, /lap 2, space/);
  assert.match(all, /beyond the finish line/);
  assert.doesNotMatch(all, /lap 3/);
});

scenario('what is no race file is refused, and no key goes on with the race before it', async (visit) => {
  const ada = await visit(server.origin);
  const race = readFileSync(twoLaps, 'utf8');
  /** Runs in the page: a file of this text, or of so many bytes, or a folder (null). */
  const drop = (what) => ada.page.evaluate((content) => {
    const file = new File([typeof content === 'number' ? new Uint8Array(content) : content ?? ''], 'dropped');
    if (content === null) file.text = () => Promise.reject(new DOMException('a folder', 'NotFoundError'));
    const event = new Event('drop', { bubbles: true, cancelable: true });
    document.querySelector('#main > *').dispatchEvent(Object.assign(event, { dataTransfer: { files: [file] } }));
  }, what);
  await ada.go('replay');
  for (const wrong of [null, 1024 * 1024 + 1]) {
    await ada.page.locator('input[type=file]').waitFor({ state: 'attached' });
    await drop(race);
    await ada.page.getByRole('slider', { name: 'Step' }).waitFor();
    await drop(wrong);
    await ada.page.getByText('This is no race file.').waitFor();
    const taken = await ada.page.evaluate(() => // by somebody
      !document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true })));
    assert.equal(taken, false);
  }
});

const twoHere = async (visitor) => {
  await visitor.go('new');
  await visitor.page.locator('.tile svg').first().waitFor(); // what can be chosen is drawn anew with the circuits
  await visitor.button('Two at this screen').click();
  await visitor.page.getByLabel('Name').nth(0).fill('Ada');
  await visitor.page.getByLabel('Name').nth(1).fill('Bo');
  await visitor.page.getByRole('radio', { name: '1', exact: true }).check();
  await visitor.button('To the start line').click();
};

scenario('two at one screen: Enter, held or pressed again, does not open the curtain', async (visit) => {
  const ada = await visit(server.origin);
  await twoHere(ada);
  await ada.turn();
  await ada.button('I am Ada: show my hand').click();
  await (await ada.decide()).focus();
  await ada.page.keyboard.down('Enter');
  await ada.button('I am Bo: show my hand').waitFor();
  for (let i = 0; i < 3; i++) await ada.page.keyboard.down('Enter'); // repeats
  await ada.page.keyboard.up('Enter');
  await ada.page.keyboard.press('Enter');
  await ada.noCards();
  await ada.page.keyboard.press('Tab');
  await ada.page.keyboard.down('Enter');
  await ada.page.locator('.hand').waitFor();
  assert.equal(await ada.page.evaluate(() => document.activeElement.className), 'decision');
  await ada.page.keyboard.up('Enter');
});

scenario('two at one screen: back to a plan, and on without changing it', async (visit) => {
  const ada = await visit(server.origin);
  await twoHere(ada);
  await ada.turn();
  await ada.button('I am Ada: show my hand').click();
  await (await ada.decide()).click();
  await ada.button('Back to Ada').click();
  await ada.button('Take it back').waitFor();
  await ada.button('Go on').click();
  await ada.button('I am Bo: show my hand').waitFor();
  await ada.noCards();
  await ada.button('I am Bo: show my hand').click();
  await ada.button('Ready').waitFor();
  assert.equal(await ada.button('Go on').count(), 0);
});

scenario('two at one screen: no card is on the page while the screen changes hands', async (visit) => {
  const ada = await visit(server.origin);
  await twoHere(ada);
  const handed = new Set();
  for (let n = 0; n < 12; n++) {
    const move = await ada.turn();
    if (move.kind === 'curtain') {
      await ada.noCards();
      const button = ada.page.locator(move.selector);
      handed.add(await button.textContent());
      await button.click();
    } else await ada.drive(1);
  }
  assert.deepEqual([...handed].sort(), ['I am Ada: show my hand', 'I am Bo: show my hand']);
  assert.equal(await ada.drive(), 'over');
});

scenario('a browser that has kept many races still opens one', async (visit) => {
  const ada = await visit(server.origin);
  await ada.go();
  await ada.page.evaluate(async () => {
    const { here } = await import(`${location.origin}/link.js`);
    const seats = [{ kind: 'person', name: 'Ada', colour: 'red' }, { kind: 'bot' }];
    for (let i = 0; i < 130; i++) await here.open({ circuit: 'usa', laps: 1, seats });
  });
  await ada.page.evaluate(() => new Promise((done) => { // as earlier pages have kept them
    indexedDB.open('hairpin').onsuccess = ({ target: { result: database } }) => {
      const transaction = database.transaction('tables', 'readwrite');
      const tables = transaction.objectStore('tables');
      tables.getAll().onsuccess = ({ target }) => {
        for (const { summary, ...record } of target.result) tables.put(record);
      };
      transaction.oncomplete = done;
    };
  }));
  await ada.page.reload();
  await ada.button('Show all').waitFor();
  await ada.go('new');
  await ada.page.locator('.tile svg').first().waitFor();
  await raceNow(ada);
});

scenario('a link to a race that is not whole says so', async (visit) => {
  const ada = await visit(server.origin);
  await ada.go(`race/${'0'.repeat(21)}`);
  await ada.page.getByText('There is no such race.').waitFor();
  await ada.button('Race now').waitFor();
});

scenario('a race that is removed in one tab ends in the other, and leaves nothing', async (visit) => {
  const ada = await visit(server.origin);
  await raceNow(ada);
  const other = await ada.context.newPage();
  await other.goto(ada.origin);
  const stored = () => other.evaluate(() => new Promise((done) => {
    indexedDB.open('hairpin').onsuccess = ({ target: { result: database } }) => {
      database.transaction('entries').objectStore('entries').count().onsuccess = ({ target }) => {
        database.close();
        done(target.result);
      };
    };
  }));
  assert.ok((await stored()) > 0);
  await other.getByRole('button', { name: /^Remove/ }).click();
  await other.getByText('The race is removed.').waitFor();
  await ada.page.getByRole('heading', { name: 'This race is not here' }).waitFor();
  assert.equal(await stored(), 0);
});

scenario('the tower names its figures for those who listen', async (visit) => {
  const ada = await visit(server.origin);
  await raceNow(ada);
  for (const name of ['Gear 1', '6 Heat in the engine'])
    assert.equal(await ada.page.locator('.tower').getByRole('img', { name, exact: true }).count(), 6, name);
});

scenario('settings that a browser does not have, and sound by a key', async (visit) => {
  const ada = await visit(server.origin, { settings: { sound: true } });
  await ada.context.addInitScript(() => {
    delete globalThis.Notification;
    globalThis.sounds = 0;
    const { AudioContext } = globalThis;
    globalThis.AudioContext = class extends AudioContext {
      constructor() {
        super();
        globalThis.sounds += 1;
      }
    };
  });
  await ada.go();
  await ada.button('Race now').waitFor();
  assert.equal(await ada.page.evaluate(() => sounds), 0, 'no sound before anybody has touched anything');
  await ada.page.keyboard.press('Tab');
  await ada.page.keyboard.press('Tab');
  assert.equal(await ada.page.evaluate(() => sounds), 1);
  await ada.button('Settings').click();
  const notes = ada.page.getByLabel('Tell me when it is my turn');
  await notes.click();
  await ada.page.getByText('The browser does not allow notifications').waitFor();
  assert.equal(await notes.isChecked(), false);
  assert.equal(await notes.evaluate((each) => each === document.activeElement), true);
});
