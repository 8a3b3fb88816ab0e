// Runs inside the page, before its own scripts: chooses what a player could click next. It reads the screen only, so
// that whatever it can do, a person can do; it drives neither well nor badly, but always to the end.

globalThis.pilot = (() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const seen = (element) => element.getClientRects().length > 0;
  const can = (element) => !element.disabled && element.getAttribute('aria-disabled') !== 'true';
  const pressed = (element) => element.getAttribute('aria-pressed') === 'true';
  const memory = { decision: '', tried: new Set(), count: 0, clicks: 0 };
  addEventListener('click', () => (memory.clicks += 1), true);

  const click = (kind, selector, element) => ({ kind, selector, nth: all(selector).indexOf(element) });
  const wait = { kind: 'wait' };

  /** Gears from high to low until a plan has no risk; cards from the left. What is planned stays. */
  function plan(box) {
    if (box.querySelector('.buttons .plain')) return wait; // it can be taken back, so there is one
    const gears = all('.gear', box);
    const possible = gears.filter(can);
    const now = gears.find(pressed);
    const hand = all('.hand button', box);
    const ready = box.querySelector('[data-key="Enter"]');
    const decision = hand.map((card) => card.getAttribute('aria-label')).join() + gears.map(can).join();
    if (decision !== memory.decision) Object.assign(memory, { decision, tried: new Set() });
    const left = possible.filter((gear) => !memory.tried.has(gears.indexOf(gear)));
    if (!memory.tried.has(gears.indexOf(now)) && left.length > 0) {
      const next = memory.tried.size === 0 ? left.at(-1) : now;
      if (next !== now) return click('gear', '.gear', next);
    }
    if (!ready.disabled) {
      if (!box.querySelector('.outlook dl, .outlook .risk')) return wait; // the table is still thinking
      const risky = box.querySelector('.decision-side .risk');
      memory.tried.add(gears.indexOf(now));
      const lower = possible.filter((gear) => !memory.tried.has(gears.indexOf(gear)));
      if (risky && lower.length > 0) return click('gear', '.gear', lower.at(-1));
      return click('confirm', '.decision [data-key="Enter"]', ready);
    }
    const card = hand.find((each) => can(each) && !pressed(each));
    return card ? click('card', '.hand button', card) : wait;
  }

  /** Mostly goes on; now and then tries what is offered. */
  function choose(box) {
    const buttons = all('.choices button', box).filter(can);
    if (buttons.length === 0) return wait;
    const quiet = buttons.filter((each) => !each.classList.contains('primary'));
    const pool = memory.count % 3 === 0 || quiet.length === 0 ? buttons : quiet;
    return click('choice', '.choices button', pool[0]);
  }

  function discard(box) {
    const ready = box.querySelector('[data-key="Enter"]');
    if (!can(ready)) return wait;
    const hand = all('.hand button', box);
    const card = memory.count % 2 === 0 && !hand.some(pressed) ? hand.find(can) : null;
    return card ? click('card', '.hand button', card) : click('confirm', '.decision [data-key="Enter"]', ready);
  }

  /** {kind, selector, nth} of what to click; kind is wait when it is the others' turn, over after the race. */
  function next() {
    if (all('.after').some(seen)) return { kind: 'over' };
    const curtain = document.querySelector('.curtain button.primary');
    if (curtain) return click('curtain', '.curtain button.primary', curtain);
    const box = document.querySelector('.cockpit .decision');
    if (!box || box.getAttribute('aria-busy') === 'true') return wait;
    const steps = { plan, react: choose, slip: choose, discard };
    return steps[box.dataset.step]?.(box) ?? wait;
  }

  /** After something was sent: the next decision may be made in another way. */
  const sent = (move) => {
    if (move.kind === 'confirm' || move.kind === 'choice') memory.count += 1;
  };

  const pause = (ms) => new Promise((done) => setTimeout(done, ms));

  /** Clicks by itself until `decisions` have been sent, or the race is over. Says why it ended. */
  async function drive(decisions = Infinity, patience = 60000) {
    const end = memory.count + decisions;
    let last = performance.now();
    while (memory.count < end) {
      const move = next();
      if (move.kind === 'over') return 'over';
      if (move.kind === 'wait') {
        if (performance.now() - last > patience) return `stuck: ${(document.querySelector('.cockpit') ?? document.body).innerText}`;
        await pause(10);
        continue;
      }
      last = performance.now();
      all(move.selector)[move.nth].click();
      sent(move);
      await pause(0);
    }
    return 'driven';
  }

  return { next, sent, drive, memory, clicks: () => memory.clicks };
})();
