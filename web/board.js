// The board: a circuit and cars that move on it, to look at from near and far.
// What stands still and what moves are two drawings one above the other, so that moving repaints little.

import { h, svg, clear } from './dom.js';
import { _, number, percent } from './words.js';
import { roadOf, smooth, mod } from './circuit.js';
import { carFromAbove } from './cars.js';
import { drawRoad, drawOutline, spotArea, dots, round, SIGN } from './road.js';
import { drawScenery, drawTitle } from './scenery.js';

export const thumbnail = (circuit) => drawOutline(circuit, roadOf(circuit));

const SPIRAL = 'M0 0c1.5-2.5 5-1 4.5 2.5s-6 5-9 1.5s-1-9.5 4-10s10.5 4.5 9.5 11';
const FLAME = 'M0-7C3-3 5-1 5 2.5A5 5 0 0 1-5 2.5C-5 .5-3.5-.5-3-2.5C-1.5-1.5-1-1-1 0C1-2 .5-5 0-7Z';
const NEAREST = 3.2; // pixels for one of the drawing's lengths
const quiet = () => document.documentElement.dataset.motion === 'off'; // main.js: the system's wish, or the settings
const between = (least, value, most) => Math.max(least, Math.min(most, value));
const put = (element, { x, y, angle = 0 }) =>
  element.setAttribute('transform', `translate(${x.toFixed(2)} ${y.toFixed(2)}) rotate(${angle.toFixed(1)})`);

/** Runs movements together, one frame after the other; any of them, or all, can be brought to their end at once. */
function createClock() {
  const running = new Set();
  const hidden = () => document.hidden && finish();
  let frame = 0;
  function tick(now) {
    frame = 0;
    for (const each of [...running]) {
      each.began ??= now;
      const part = Math.min(1, (now - each.began) / each.ms);
      each.draw(part);
      if (part === 1) end(each);
    }
    if (running.size > 0) frame ||= requestAnimationFrame(tick);
  }
  function end(each) {
    if (!running.delete(each)) return;
    each.done();
    if (running.size === 0) document.removeEventListener('visibilitychange', hidden);
  }
  function finish(of) {
    for (const each of [...running].filter((one) => !of || one.of === of)) {
      each.draw(1);
      end(each);
    }
  }
  function run(of, ms, draw) {
    finish(of);
    if (!(ms > 0) || quiet() || document.hidden) {
      draw(1);
      return Promise.resolve();
    }
    return new Promise((done) => {
      if (running.size === 0) document.addEventListener('visibilitychange', hidden);
      running.add({ of, ms, draw, done });
      frame ||= requestAnimationFrame(tick);
    });
  }
  return { run, finish };
}

/** What is seen. While that changes, the finished picture is shifted and stretched; at rest it is drawn anew, sharp. */
function createCamera(box, stage, layers, home, clock) {
  const middle = { x: home.x + home.width / 2, y: home.y + home.height / 2 };
  const seen = { ...middle, scale: 0 };
  let drawn = { ...seen };
  let size = { width: 1, height: 1 };
  let rest = 0;

  const fit = () => Math.min(size.width / home.width, size.height / home.height);
  const far = () => seen.scale <= fit() * 1.02;
  const closer = () => Math.max(fit() * 2, 1.6);

  function settle() {
    clearTimeout(rest);
    drawn = { ...seen };
    const [width, height] = [size.width / seen.scale, size.height / seen.scale];
    const view = [seen.x - width / 2, seen.y - height / 2, width, height].map((each) => each.toFixed(2)).join(' ');
    for (const layer of layers) layer.setAttribute('viewBox', view);
    stage.style.removeProperty('transform');
    box.classList.toggle('near', !far());
    if (far() && document.activeElement?.matches('.only-near')) box.focus(); // its button is gone
  }

  function look(x, y, scale, now = false) {
    seen.scale = between(fit(), scale, Math.max(NEAREST, fit() * 2));
    for (const [of, value, length] of [['x', x, 'width'], ['y', y, 'height']]) {
      const room = far() ? 0 : Math.max(0, (home[length] - size[length] / seen.scale) / 2 + 20);
      seen[of] = between(middle[of] - room, value, middle[of] + room);
    }
    if (now) return settle();
    const [dx, dy] = [(drawn.x - seen.x) * seen.scale, (drawn.y - seen.y) * seen.scale];
    const shift = `translate(${dx.toFixed(1)}px, ${dy.toFixed(1)}px)`;
    stage.style.setProperty('transform', `${shift} scale(${(seen.scale / drawn.scale).toFixed(4)})`);
    clearTimeout(rest);
    rest = setTimeout(settle, 140);
  }

  /** Zooms so that the point of the box (in pixels) stays where it is. */
  function zoom(factor, x = size.width / 2, y = size.height / 2) {
    const scale = between(fit(), seen.scale * factor, NEAREST);
    const gain = 1 / seen.scale - 1 / scale;
    look(seen.x + (x - size.width / 2) * gain, seen.y + (y - size.height / 2) * gain, scale);
  }

  function glide({ x, y }, scale = seen.scale) {
    const from = { ...seen };
    return clock.run(box, 350, (part) => {
      const t = smooth(part);
      look(from.x + (x - from.x) * t, from.y + (y - from.y) * t, from.scale * (scale / from.scale) ** t);
    });
  }

  new ResizeObserver(() => {
    const whole = far();
    size = { width: box.clientWidth || 1, height: box.clientHeight || 1 };
    look(seen.x, seen.y, whole ? 0 : seen.scale, true);
  }).observe(box);

  return { seen, look, zoom, glide, far, closer, whole: () => glide(middle, fit()),
    pan: (dx, dy) => look(seen.x - dx / seen.scale, seen.y - dy / seen.scale, seen.scale) };
}

/** Fingers, mouse, wheel and keys. */
function listen(box, camera, letGo) {
  const fingers = new Map();
  let dragged = false;
  let tapped = null;
  const inBox = (event) => {
    const { left, top } = box.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const span = () => {
    const [a, b] = [...fingers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) };
  };

  box.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || event.target.closest('button')) return;
    fingers.set(event.pointerId, { ...inBox(event), moved: 0 });
    box.setPointerCapture(event.pointerId);
  });
  box.addEventListener('pointermove', (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    const before = fingers.size === 2 && span();
    const now = inBox(event);
    const [dx, dy] = [now.x - finger.x, now.y - finger.y];
    Object.assign(finger, now, { moved: finger.moved + Math.hypot(dx, dy) });
    if (before) {
      const after = span();
      camera.pan(after.x - before.x, after.y - before.y);
      camera.zoom(after.apart / before.apart, after.x, after.y);
    } else if (finger.moved > 4 && !camera.far()) camera.pan(dx, dy);
    else return;
    letGo();
  });
  const up = (event) => {
    const finger = fingers.get(event.pointerId);
    fingers.delete(event.pointerId);
    dragged = finger?.moved > 8;
    if (!finger || dragged || event.type === 'pointercancel') return;
    const now = { ...finger, time: event.timeStamp };
    const again = tapped && now.time - tapped.time < 350 && Math.hypot(tapped.x - now.x, tapped.y - now.y) < 30;
    tapped = again ? null : now;
    if (!again) return;
    if (camera.seen.scale >= camera.closer() * 0.99) camera.whole();
    else camera.zoom(2.2, finger.x, finger.y);
  };
  box.addEventListener('pointerup', up);
  box.addEventListener('pointercancel', up);
  box.addEventListener('click', (event) => dragged && event.stopPropagation()); // a tap on the board may mean more
  box.addEventListener('wheel', (event) => {
    if (camera.far() && event.deltaY > 0) return; // the page scrolls
    event.preventDefault();
    const { x, y } = inBox(event);
    const speed = event.ctrlKey ? 100 : 300; // fingers on a touchpad come as small turns of a wheel with Ctrl
    camera.zoom(Math.exp(-between(-120, event.deltaY, 120) / speed), x, y);
  }, { passive: false });
  box.addEventListener('keydown', (event) => {
    const keys = {
      '+': () => camera.zoom(1.4), '=': () => camera.zoom(1.4), '-': () => camera.zoom(1 / 1.4), 0: camera.whole,
      ArrowLeft: () => camera.pan(80, 0), ArrowRight: () => camera.pan(-80, 0),
      ArrowUp: () => camera.pan(0, 80), ArrowDown: () => camera.pan(0, -80),
    };
    const arrow = event.key.startsWith('Arrow');
    if (event.target !== box || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    if (arrow && camera.far()) return; // as above
    if (arrow) letGo();
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  });
}

function button(name, d, action, kind) {
  return h('button', { type: 'button', class: kind, 'aria-label': name, title: name, onclick: action },
    svg('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d })));
}

/** laps: those of the race. */
export function createBoard(circuit, laps) {
  const road = roadOf(circuit);
  const clock = createClock();
  const drawing = drawRoad(circuit, road);
  const home = around(road, drawing.used);
  const title = drawTitle(circuit, _(circuit.title), road, home, drawing.used);
  const still = svg('svg', { role: 'img', 'aria-label': _('Circuit: {name}', { name: _(circuit.title) }) },
    drawScenery(circuit, road, home, drawing.used), drawing.element, title);
  const [below, middle, above] = [0, 1, 2].map(() => svg('g', null));
  const moving = svg('svg', { role: 'group', 'aria-label': _('Cars on the circuit') }, below, middle, above);
  const stage = h('div', { class: 'board-stage' }, still, moving);
  const follower = button(_('Follow the cars'), 'M12 3V7M12 17V21M3 12H7M17 12H21M6 12A6 6 0 1 0 18 12A6 6 0 1 0 6 12',
    () => follow(!following, true), 'only-near');
  const box = h('div', { class: `board scene-${circuit.name}`, tabindex: 0, role: 'group',
    'aria-label': _('The board. Plus and minus zoom, 0 shows the whole track, arrow keys move the view.') },
    stage,
    h('div', { class: `board-tools ${freeCorner(road, home)}`, onclick: (event) => event.stopPropagation() },
      button(_('Zoom in'), 'M12 5V19M5 12H19', () => camera.zoom(1.6)),
      button(_('Zoom out'), 'M5 12H19', () => camera.zoom(1 / 1.6), 'only-near'),
      button(_('Show the whole track'), 'M4 9V4H9M15 4H20V9M20 15V20H15M9 20H4V15', () => camera.whole(), 'only-near'),
      follower));
  const camera = createCamera(box, stage, [still, moving], home, clock);
  const cars = new Map();
  let following = false;
  let active = -1;
  listen(box, camera, () => follow(false));
  follow(false);

  function follow(on, asked = false) {
    following = on;
    follower.setAttribute('aria-pressed', String(on));
    const car = cars.get(active) ?? [...cars.values()].find((each) => each.you);
    if (on && asked && car && !car.gone) camera.glide(car);
  }

  function show(car, { x, y, angle }, turned = 0) {
    Object.assign(car, { x, y });
    put(car.element, { x, y, angle: angle + turned });
    put(car.upright, { x: 4.5, y: 0, angle: -angle - turned });
  }

  function rest(car, { at, spot }) {
    Object.assign(car, { at, spot });
    show(car, road.place(at, spot));
    const values = { ...car, lap: Math.floor(at / road.n) + 1, space: mod(at, road.n) + 1 };
    const where = at < 0 ? _('Car {number}, {name}: on the grid', values)
      : at >= laps * road.n ? _('Car {number}, {name}: beyond the finish line', values)
        : _('Car {number}, {name}: lap {lap}, space {space}', values);
    car.element.setAttribute('aria-label', where);
  }

  function setCars(list) {
    clock.finish();
    cars.clear();
    for (const car of list) {
      const picture = carFromAbove(car.colour, car.number);
      const element = svg('g', { class: 'car gone', role: 'img' },
        svg('circle', { class: 'car-ring', r: 21 }),
        svg('path', { class: 'car-wind', d: 'M-20-8H-44M-22-3H-58M-22 3H-52M-20 8H-40' }),
        svg('path', { class: 'car-fire', d: 'M-17-3L-30 0L-17 3Z' }),
        car.you && svg('rect', { class: 'car-you', x: -19, y: -11.5, width: 38.5, height: 23, rx: 8 }), picture);
      cars.set(car.seat, { ...car, element, upright: picture.lastChild, at: 0, spot: 0, x: 0, y: 0, gone: true });
    }
    clear(middle, ...[...cars.values()].map((each) => each.element));
    preview(null);
  }

  function place(list) {
    clock.finish();
    list.forEach((view, seat) => {
      const car = cars.get(seat);
      if (!car) return;
      car.gone = (view.status ?? 'racing') !== 'racing'; // it has left the circuit (R12)
      car.element.classList.toggle('gone', car.gone);
      rest(car, view);
    });
  }

  async function travel(seat, from, to, ms, name, draw) {
    const car = cars.get(seat);
    if (!car) return;
    clock.finish(car);
    middle.append(car.element); // above those that it passes
    if (name) car.element.classList.add(name);
    const others = [...cars.values()].filter((each) => each !== car && !each.gone);
    const way = road.way(from ?? car, to, (space, spot) =>
      others.some((each) => mod(each.at - space, road.n) === 0 && each.spot === spot));
    await clock.run(car, ms, (part) => {
      draw(car, way, part);
      if (following && !camera.far()) {
        const { x, y, scale } = camera.seen;
        camera.look(x + (car.x - x) * 0.12, y + (car.y - y) * 0.12, scale);
      }
      if (part === 1) rest(car, to);
    });
    if (name) car.element.classList.remove(name);
  }

  const ease = (t) => (t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) ** 2) * 0.7 + t * 0.3;

  const move = (seat, from, to, { ms = 300 + 70 * Math.abs(to.at - from.at), why = '' } = {}) =>
    travel(seat, from, to, ms, { slipstream: 'windy', boost: 'fiery' }[why],
      (car, way, part) => show(car, way(ease(part))));

  const spin = (seat, to, { ms = 1100 } = {}) => travel(seat, null, to, ms, null, (car, way, part) =>
    show(car, way(1 - (1 - part) ** 2), 720 * (1 - (1 - part) ** 3)));

  function turn(seat) {
    active = seat;
    for (const car of cars.values()) car.element.classList.toggle('turn', car.seat === seat);
    const car = cars.get(seat);
    if (following && car && !car.gone && !camera.far()) camera.glide(car);
  }

  function preview(foresight, seat) {
    clear(below);
    clear(above);
    if (foresight && foresight.ok !== false && cars.has(seat)) {
      drawForesight(circuit, road, drawing.signs, cars.get(seat), foresight, below, above);
    }
  }

  return { element: box, setCars, place, move, spin, turn, preview, follow, finish: () => clock.finish() };
}

/** What is to be seen at first: road and signs, and a little more. */
function around(road, used) {
  const all = [...used, ...road.samples.map((each) => ({ ...each, size: road.half + 8 }))];
  const least = (of) => Math.min(...all.map((each) => each[of] - each.size)) - 6;
  const most = (of) => Math.max(...all.map((each) => each[of] + each.size)) + 6;
  return { x: least('x'), y: least('y'), width: most('x') - least('x'), height: most('y') - least('y') };
}

/** The corner of the board where a button hides least of the road. */
function freeCorner(road, { x, y, width, height }) {
  const room = (name) => Math.min(90, road.clearance(x + (name.includes('left') ? 50 : width - 50),
    y + (name.includes('top') ? 50 : height - 50)));
  return ['', 'left', 'top', 'top left'].reduce((best, each) => (room(each) > room(best) + 10 ? each : best));
}

function tag(name, x, y, text, mark) {
  const width = text.length * 6.4 + (mark ? 22 : 8);
  return svg('g', { class: `tag ${name}`, transform: `translate(${round(x)} ${round(y)})` },
    svg('rect', { x: -width / 2, y: -8, width, height: 16, rx: 8 }),
    mark && svg('path', { class: 'tag-mark', d: mark, transform: `translate(${round(9 - width / 2)} .5) scale(.72)` }),
    svg('text', { x: mark ? 7 : 0, y: 4 }, text));
}

/** Where an act would lead: a ghost, or places with their odds, the way there, and what the corners cost. */
function drawForesight(circuit, road, signs, car, { to, spins, price, corners, odds }, below, above) {
  const goals = odds?.length ? gather(odds) : [{ to, spins, part: 1 }];
  const last = goals.reduce((a, b) => (b.to.at > a.to.at ? b : a)).to;
  const length = last.at - car.at;
  if (length > 0) {
    const way = road.way(car, last);
    const d = `M${dots(Array.from({ length: length * 5 + 1 }, (_, k) => way(k / (length * 5))))}`;
    below.append(svg('path', { class: 'foresight-bed', d }), svg('path', { class: 'foresight-way', d }));
  }
  for (const goal of goals) {
    const { x, y, angle } = road.place(goal.to.at, goal.to.spot);
    const kind = goal.spins ? 'spins' : 'stays';
    below.append(svg('path', { class: `foresight-spot ${kind}`,
      d: spotArea(road, goal.to.at, goal.to.spot), 'fill-opacity': odds ? round(0.25 + 0.7 * goal.part) : 0.3 }));
    if (odds?.length) above.append(tag(kind, x, y, percent(goal.part), goal.spins && SPIRAL));
    else {
      const ghost = carFromAbove(car.colour, car.number);
      put(ghost, { x, y, angle });
      put(ghost.lastChild, { x: 4.5, y: 0, angle: -angle });
      below.append(svg('g', { class: 'ghost' }, ghost));
      if (goal.spins) above.append(tag(kind, x, y - 20, '', SPIRAL));
      if (!corners && price > 0) above.append(tag('pays', x, y + 20, number(price), FLAME));
    }
  }
  const crossed = corners ?? circuit.corners.map((each, corner) => ({ ...each, corner }))
    .filter(({ after }) => mod(after - car.at, road.n) < length);
  for (const { corner, pays } of crossed) {
    const { x, y } = signs[corner];
    const kind = pays > 0 ? 'pays' : 'free';
    above.append(svg('circle', { class: `sign-ring ${kind}`, cx: round(x), cy: round(y), r: SIGN + 2.5 }));
    if (pays !== undefined) above.append(tag(kind, x, y + SIGN + 4, number(pays), FLAME));
  }
}

/** Outcomes that end on the same spot are one. */
function gather(odds) {
  const spots = new Map();
  for (const { to, spins, per_mille: share } of odds) {
    const key = `${to.at} ${to.spot} ${Boolean(spins)}`;
    const spot = spots.get(key) ?? { to, spins, part: 0 };
    spot.part += share / 1000;
    spots.set(key, spot);
  }
  return [...spots.values()];
}
