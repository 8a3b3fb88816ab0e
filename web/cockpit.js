// The own car: gear lever, engine, hand, piles, and whatever is to be decided. It only ever sends acts that it was
// given as legal; what they would lead to is asked from the table ("foresee") and never worked out here.

import { h, button, clear, clearAround } from './dom.js';
import { _, n_, number, ordinal } from './words.js';
import { explain } from './codes.js';
import { stepHelp } from './rules.js';
import { crossings, heatPrice, outcome } from './outlook.js';
import { cardButton, cardLabel, cardPicture, flameSign } from './cards.js';

const CLICK_MS = 300; // from a finger's release to its click, at most
const HELD_MS = 10000; // a release that is never heard of holds nothing up for longer

const readAct = (text) => {
  const [kind, ...rest] = text.split(' ');
  return { text, kind, gear: kind === 'plan' ? Number(rest[0]) : 0, cards: kind === 'plan' ? rest.slice(1) : rest };
};

/** Takes cards out of a list, one for one; null when one is not there. */
function without(list, cards) {
  const left = [...list];
  for (const card of cards) {
    const at = left.indexOf(card);
    if (at < 0) return null;
    left.splice(at, 1);
  }
  return left;
}

/* ---- The cockpit ------------------------------------------------------------------------------------ */

/**
 * actions: {act(text), foresee(text), say(line), preview(foresight or null), tell(text), canHandOn(), handOn()}; the
 * last two are for who came back to a plan, and leaves it as it is.
 */
export function createCockpit(actions) {
  const element = h('section', { class: 'cockpit', 'aria-label': _('Cockpit') });
  let state = null;
  let acts = [];
  let gear = 0;
  let chosen = []; // places in the hand, in the order chosen
  let foreseen = new Map(); // act text to the table's answer
  let wanted = null; // the act whose preview is on the board
  let reasonFor = null; // an act that is not possible: its reason is to be said when it comes
  let sent = false;
  let helpOpen = false;
  let drawnStep = null;
  let frame = null; // {decision, side, outlook} of that step: they stay, so that changes in the outlook are read out

  let held = null; // the timer while something is pressed; whatever is to be drawn meanwhile is late
  let late = false;
  let drawnActs = acts; // what the buttons stand for

  const release = () => {
    clearTimeout(held);
    held = null;
  };
  const letGo = () => {
    release();
    if (late) draw();
  };
  const hold = () => {
    clearTimeout(held);
    held = setTimeout(letGo, HELD_MS);
  };
  // A button that were drawn anew between press and release, of a finger or of the space bar, would not be clicked.
  element.addEventListener('pointerdown', (event) => event.button === 0 && hold());
  element.addEventListener('keydown', (event) => event.key === ' ' && !event.repeat && hold());
  element.addEventListener('keyup', (event) => event.key === ' ' && setTimeout(letGo));
  element.addEventListener('click', (event) => { // before the button's own: what it does is drawn at once
    release();
    if (drawnActs !== acts) event.stopPropagation(); // the decision was made elsewhere, and this is another one
    if (late) setTimeout(letGo);
  }, true);
  for (const end of ['pointerup', 'pointercancel', 'pointerleave']) {
    element.addEventListener(end, (event) => { // after the click, if there is one: that of a finger takes its time
      if (held === null) return;
      clearTimeout(held);
      held = setTimeout(letGo, event.pointerType === 'mouse' ? 0 : CLICK_MS);
    });
  }

  const hand = () => state.view.hand ?? [];
  const cardsChosen = () => chosen.map((i) => hand()[i]);
  const plans = () => acts.filter((each) => each.kind === 'plan');
  const plansIn = (number_) => plans().filter((each) => each.gear === number_);
  const may = (text) => acts.some((each) => each.text === text);

  function ask(text) {
    if (!foreseen.has(text)) {
      foreseen.set(text, null);
      actions.foresee(text);
    }
    return foreseen.get(text);
  }

  /** An act as it is listed, for the cards chosen: plans do not depend on the order of their cards. */
  const listedPlan = () =>
    plansIn(gear).find(({ cards }) => cards.length === chosen.length && without(cards, cardsChosen())?.length === 0);

  const fits = (cards) => plansIn(gear).some((each) => without(each.cards, cards) !== null);

  /** Something to ask the reason for: the cards wanted, made up to the number that the gear needs. */
  function impossible(number_, cards) {
    const rest = without(hand(), cards) ?? [];
    return ['plan', number_, ...[...cards, ...rest].slice(0, number_)].join(' ');
  }

  function explainWhyNot(text) {
    reasonFor = text;
    const known = foreseen.get(text);
    if (known) actions.tell(explain(known.code));
    else ask(text);
  }

  /** On the board the worst price counts. */
  function preview(f) {
    actions.preview(f?.ok ? { ...f, corners: crossings(f).map((each) => ({ ...each, pays: each.high })) } : null);
  }

  function show(text) {
    wanted = text;
    preview(text ? foreseen.get(text) : null);
  }

  function send(text) {
    if (sent) return;
    sent = true;
    show(null);
    actions.act(text);
    draw();
  }

  /* -- planning -- */

  function chooseGear(number_) {
    if (plansIn(number_).length === 0) {
      explainWhyNot(impossible(number_, []));
      return;
    }
    gear = number_;
    const kept = [];
    for (const i of chosen) if (kept.length < gear && fits([...kept, i].map((k) => hand()[k]))) kept.push(i);
    chosen = kept;
    fillIfForced();
    draw();
  }

  /** Where the gear leaves no choice of cards, they are chosen. */
  function fillIfForced() {
    const only = plansIn(gear);
    if (only.length !== 1 || chosen.length > 0) return;
    const left = hand().map((card, i) => [card, i]);
    chosen = only[0].cards.map((card) => left.splice(left.findIndex(([each]) => each === card), 1)[0][1]);
  }

  /** The cards chosen with one more; where the gear is full, the one chosen first makes room. Null: not possible. */
  function adding(i) {
    const more = [...chosen.slice(chosen.length === gear ? 1 : 0), i];
    return fits(more.map((each) => hand()[each])) ? more : null;
  }

  function toggle(i) {
    if (chosen.includes(i)) chosen = chosen.filter((each) => each !== i);
    else if (adding(i)) chosen = adding(i);
    else explainWhyNot(impossible(gear, [hand()[i], ...cardsChosen()].slice(0, gear)));
    draw();
  }

  function gearLever() {
    const now = state.view.cars[state.you].gear;
    return h('fieldset', { class: 'lever' },
      h('legend', null, _('Gear')),
      [1, 2, 3, 4].map((each) => {
        const possible = plansIn(each).length > 0;
        const answer = ask(possible ? plansIn(each)[0].text : impossible(each, []));
        const price = !possible ? '–' : !answer ? '…' : answer.shift ? heatPrice(answer.shift) : _('free');
        return h('button', {
          type: 'button', class: 'gear',
          'aria-pressed': String(each === gear), 'aria-disabled': possible ? null : 'true',
          'data-now': each === now, title: answer && !possible ? explain(answer.code) : null,
          'aria-label': _('Gear {gear}: {price}', { gear: each, price }),
          onclick: () => chooseGear(each),
        }, h('span', { class: 'gear-number', 'aria-hidden': 'true' }, number(each)), ' ',
          h('span', { class: 'gear-price', 'aria-hidden': 'true' }, price));
      }));
  }

  function planPanel() {
    const plan = listedPlan();
    const answer = plan ? ask(plan.text) : null;
    const missing = gear - chosen.length;
    const planned = state.view.plan;
    show(plan?.text ?? null);
    foretell(
      answer ? outcome(answer) : plan ? h('p', { class: 'hint' }, _('One moment …')) : null,
      missing > 0 ? h('p', { class: 'hint' }, n_('Choose {n} more card.', 'Choose {n} more cards.', missing)) : null);
    clearAround(frame.side, frame.outlook, [], [
      planned ? h('p', { class: 'hint' }, _('You have planned. You can change it until the last one is in.')) : null,
      h('div', { class: 'buttons' },
        button('primary', planned ? _('Change the plan') : _('Ready'), () => send(plan.text),
          { 'data-key': 'Enter', disabled: !plan || sent || plan.text === planned }),
        planned && actions.canHandOn() ? button('plain', _('Go on'), () => actions.handOn()) : null,
        may('unplan') ? button('plain', _('Take it back'), () => send('unplan')) : null,
        may('retire') ? button('quiet', _('Retire'), () => send('retire')) : null),
    ]);
    return h('div', { class: 'decision-main' }, gearLever(),
      handRow(toggle, (i) => chosen.includes(i) || adding(i) !== null));
  }

  /** What is the same as before is not touched, and so not said again. */
  function foretell(...children) {
    const next = clear(frame.outlook.cloneNode(), ...children);
    if (!next.isEqualNode(frame.outlook)) frame.outlook.replaceChildren(...next.childNodes);
  }

  /* -- the turn -- */

  const actName = (each) => {
    if (each.kind === 'cool') return n_('Cool {n} Heat', 'Cool {n} Heat', Number(each.cards[0]));
    return {
      'adrenaline cool': _('Adrenaline: cool 1 Heat'),
      'adrenaline move': _('Adrenaline: one space more'),
      boost: _('Boost for 1 Heat'),
      done: _('Go on'),
      slip: _('Use the slipstream'),
      stay: _('Stay here'),
    }[each.text] ?? each.text;
  };

  const isQuiet = (each) => each.text === 'done' || each.text === 'stay';

  function actButton(each) {
    const answer = ask(each.text);
    return h('li', null,
      h('button', {
        type: 'button', class: isQuiet(each) ? 'plain' : 'primary', disabled: sent, onclick: () => send(each.text),
        onmouseenter: () => show(each.text), onfocus: () => show(each.text),
      }, actName(each)),
      h('div', { class: 'outlook' }, answer?.ok ? outcome(answer) : null));
  }

  function turnPanel() {
    if (wanted && !may(wanted)) show(null);
    const choices = [...acts.filter((each) => !isQuiet(each)), ...acts.filter(isQuiet)];
    return [
      h('div', { class: 'decision-main' },
        h('ul', { class: 'choices' }, choices.map(actButton)), handRow(null, () => true)),
    ];
  }

  /* -- discarding -- */

  const discardable = (card) => acts.some((each) => each.kind === 'discard' && each.cards.includes(card));

  function discardPanel() {
    const n = chosen.length;
    const top = n > 0 ? cardLabel(cardsChosen().at(-1)) : '';
    const flip = (i) => {
      if (!discardable(hand()[i])) explainWhyNot(`discard ${hand()[i]}`);
      else chosen = chosen.includes(i) ? chosen.filter((each) => each !== i) : [...chosen, i];
      draw();
    };
    return [
      h('div', { class: 'decision-main' }, handRow(flip, (i) => discardable(hand()[i]))),
      h('div', { class: 'decision-side' },
        h('p', { class: 'hint' }, _('Then you draw back up to seven cards.')),
        n > 1 ? h('p', { class: 'hint' }, _('{card} will lie on top, for all to see.', { card: top })) : null,
        h('div', { class: 'buttons' },
          button('primary', n > 0 ? n_('Discard {n} card', 'Discard {n} cards', n) : _('Keep all'),
            () => send(n > 0 ? `discard ${cardsChosen().join(' ')}` : 'keep'), { 'data-key': 'Enter', disabled: sent }))),
    ];
  }

  /* -- what is always there -- */

  function handRow(onclick, possible) {
    return h('div', { class: 'hand', role: 'group', 'aria-label': _('Your hand') },
      hand().map((card, i) => onclick
        ? cardButton(card, { pressed: chosen.includes(i), possible: possible(i), onclick: () => onclick(i),
          order: state.view.may?.step === 'discard' && chosen.length > 1 && chosen.at(-1) === i ? '▲' : null })
        : cardPicture(card)));
  }

  function gauges() {
    const car = state.view.cars[state.you];
    const figure = (name, value, extra) =>
      h('div', { class: 'gauge' }, h('dt', null, name), h('dd', null, value, extra));
    const flames = h('span', { class: 'flames', 'aria-hidden': 'true' }, Array.from({ length: car.engine }, flameSign));
    return h('dl', { class: 'gauges' },
      figure(_('Gear'), number(car.gear)),
      figure(_('Engine'), number(car.engine), flames),
      figure(_('Draw pile'), number(car.draw)),
      figure(_('Discard pile'), number(car.discard), car.top ? cardPicture(car.top) : null),
      figure(_('Stress reserve'), number(state.view.reserve)),
      state.view.turn?.car === state.you ? figure(_('Speed'), number(state.view.turn.speed)) : null);
  }

  const titles = {
    plan: () => _('Plan your turn'),
    react: () => _('React'),
    slip: () => _('Slipstream'),
    discard: () => _('Discard'),
  };

  function header(step) {
    const help = h('p', { class: 'step-help', id: 'step-help', hidden: !helpOpen }, stepHelp(step));
    const toggleHelp = () => {
      helpOpen = !helpOpen;
      help.hidden = !helpOpen;
      opener.setAttribute('aria-expanded', String(helpOpen));
    };
    const opener = button('help', '?', toggleHelp, {
      'aria-expanded': String(helpOpen), 'aria-controls': 'step-help', 'aria-label': _('Explain this step'), 'data-key': '?',
    });
    const title = titles[step]?.() ?? waiting();
    return [h('div', { class: 'decision-head' }, h('h2', { class: 'display' }, title), opener), help];
  }

  function waiting() {
    if (state.view.step === 'over') return _('The race is over');
    const car = state.view.cars[state.you];
    if (car && car.status === 'finished') return _('You finished {place}', { place: ordinal(car.place) });
    const names = state.table.awaited.map((each) => state.names[each.seat]);
    return names.length > 0 ? _('Waiting for {names}', { names: names.join(', ') }) : _('The others are driving');
  }

  function wheel() {
    if (!state.table.seats[state.you]?.away) return null;
    return h('div', { class: 'buttons' }, h('p', null, _('A bot drives for you.')),
      button('primary', _('Take the wheel'), () => actions.say('back')));
  }

  function panel(step) {
    if (step === 'plan') return planPanel();
    if (step === 'react' || step === 'slip') return turnPanel();
    if (step === 'discard') return discardPanel();
    return [h('div', { class: 'decision-main' }, wheel(), state.you >= 0 ? handRow(null, () => true) : null)];
  }

  const newFrame = (step) => ({
    decision: h('div', { class: 'decision', tabindex: '-1', 'data-step': step }),
    side: h('div', { class: 'decision-side' }),
    outlook: h('div', { class: 'outlook', 'aria-live': 'polite' }),
  });

  function draw() {
    late = held !== null;
    if (!state || late) return;
    drawnActs = acts;
    const step = acts.length > 0 && !state.table.seats[state.you]?.away ? state.view.may.step : 'wait';
    const active = document.activeElement;
    const inside = element.contains(active) || active === document.body;
    const at = [...element.querySelectorAll('button')].indexOf(active);
    if (step !== drawnStep) frame = newFrame(step);
    const { decision, side } = frame;
    decision.setAttribute('aria-busy', String(sent));
    const content = [header(step), panel(step)];
    if (step === 'plan') clearAround(decision, side, content);
    else clear(decision, content);
    clearAround(element, decision, [state.you >= 0 ? gauges() : null]);
    // The same decision: focus stays on its button. Another one: the next Tab leads into it.
    const same = step === drawnStep && at >= 0 ? element.querySelectorAll('button')[at] : null;
    drawnStep = step;
    if (inside) (same ?? decision).focus({ preventScroll: true });
  }

  return {
    element,
    /** A new state: what was chosen stays while the decision is the same. */
    update(next, names) {
      const before = state?.acts?.join();
      const plannedBefore = state?.view.plan;
      state = { ...next, names };
      // What was sent is still on its way when somebody else was heard before: then nothing has changed for us.
      if ((next.acts ?? []).join() !== before || next.view.plan !== plannedBefore) sent = false;
      if ((next.acts ?? []).join() !== before) {
        acts = (next.acts ?? []).map(readAct);
        foreseen = new Map();
        chosen = [];
        wanted = null;
        gear = next.you >= 0 ? next.view.cars[next.you].gear : 0;
        if (plans().length > 0) {
          if (plansIn(gear).length === 0) gear = plans()[0].gear;
          fillIfForced();
        }
        actions.preview(null);
      }
      draw();
    },
    /** The table's answer to foresee. */
    foresight(message) {
      foreseen.set(message.act, message);
      if (message.act === reasonFor && !message.ok) actions.tell(explain(message.code));
      if (message.act === reasonFor) reasonFor = null;
      if (message.act === wanted) preview(message);
      draw();
    },
    /** The connection is there again: what was asked meanwhile went nowhere. */
    askAgain() {
      for (const [text, answer] of foreseen) if (answer === null) foreseen.delete(text);
      draw();
    },
    /** What was sent has been refused. */
    refused() {
      sent = false;
      draw();
    },
    /** Keys: 1 to 7 choose cards, up and down shift, Enter confirms. True when it was one of ours. */
    key(event) {
      if (!state || acts.length === 0) return false;
      const step = state.view.may?.step;
      const cards = [...element.querySelectorAll('.hand button')];
      if (/^[1-7]$/.test(event.key) && cards[event.key - 1]) cards[event.key - 1].click();
      else if (step === 'plan' && event.key === 'ArrowUp' && gear < 4) chooseGear(gear + 1);
      else if (step === 'plan' && event.key === 'ArrowDown' && gear > 1) chooseGear(gear - 1);
      else return false;
      return true;
    },
    /** Empties it: nothing of a hand stays on the page. */
    hide() {
      state = null;
      drawnActs = acts = [];
      foreseen = new Map();
      drawnStep = frame = null;
      clear(element);
    },
    redraw: draw,
  };
}
