// The cars: single-seaters of the late sixties, from above for the board and from the side for everything else.
// Each colour has a shape and a livery of its own, so that nobody needs to tell colours apart.

import { svg } from './dom.js';

// From above: the nose points to the right, a car is 33 long, the middle of its number is at 4.5,0.
const CIGAR = 'M16.5 0C14-3.2 9-4.9 3-5.1C-4-5.3-9-4.6-15.5-1.6V1.6C-9 4.6-4 5.3 3 5.1C9 4.9 14 3.2 16.5 0Z';
const SHARK = 'M15-3.2Q17.2 0 15 3.2C11 4.9 7 5.3 3 5.3Q-5 5.3-14.5 3.4V-3.4Q-5-5.3 3-5.3C7-5.3 11-4.9 15-3.2Z';
const WEDGE = 'M16.5-5.2V5.2L9 5.4L0 5.6L-9 4.8L-15.5 4.2V-4.2L-9-4.8L0-5.6L9-5.4Z';
const ROUND = 'M9-5.3A6.5 5.3 0 0 1 9 5.3L-6 5.6C-11 5.4-14 4-15 2V-2C-14-4-11-5.4-6-5.6Z';
const DART = 'M17 0L11-2.6L5-5C0-5.6-5-4-9-4.4L-15-5.2V5.2L-9 4.4C-5 4 0 5.6 5 5L11 2.6Z';
const FRONT = 'M14.6-7.6h-3.6l-1.2 3.4v8.4l1.2 3.4h3.6Z';
const REAR = 'M-16.8-8.2h4v16.4h-4Z';

// From the side: the nose points to the right, 96 wide and 32 high, the ground at 31.
const SIDE = {
  [CIGAR]: 'M94 20C84 12 70 11 56 11L50 14H40L36 8C24 8 12 12 6 18V23C30 27 66 27 88 24Q92 23 94 20Z',
  [SHARK]: 'M91 15Q95 19 91 24C66 27 30 27 8 24L5 15C14 11 26 9 36 9L40 14H50L56 10C72 10 84 12 91 15Z',
  [WEDGE]: 'M95 24L58 10L50 14H40L37 6L8 11L5 24Z',
  [ROUND]: 'M84 11Q94 13 93 21Q92 25 86 25C60 27 30 27 10 24Q4 20 7 15C16 10 26 9 36 9L40 14H50L55 9C66 9 76 9 84 11Z',
  [DART]: 'M96 21L74 13L56 11L50 14H40L37 7L20 11L3 10L6 24C34 27 70 27 86 24Z',
};
const SIDE_FRONT = 'M80 22h13l2 3H78Z';
const SIDE_REAR = 'M3 3h15l1 2.5H3ZM9 5h2v8h-2Z';

// mark: an ink, and what it paints over the body from above and from the side.
const LOOKS = {
  red: { body: SHARK, mark: ['sign-face',
    'M13.4-3.9Q15.4 0 13.4 3.9L11.4 4.6Q13.2 0 11.4-4.6Z',
    'M86 13.2Q89 19 86 24.6L82 25Q85 19 82 12Z'] },
  orange: { body: WEDGE, front: true, mark: ['dark',
    'M16.5-1.6V1.6H-15.5V-1.6Z',
    'M6 20H92L94.5 23.7H5.2Z'] },
  yellow: { body: ROUND, mark: ['dark',
    'M12.4-4.5V4.5L10 5.2V-5.2ZM-8.4-5.4V5.4L-11.6 4.9V-4.9Z',
    'M78 9.8L84 11V25.3L78 25.6ZM20 11L26 9.8V25.7L20 25.2Z'] },
  green: { body: CIGAR, mark: ['race-line',
    'M15.8-.8V.8L-15.4 2.4V.9L9 0L-15.4-.9V-2.4Z',
    'M93 19L90 17.2L8 17V19.5L92 21Z'] },
  blue: { body: SHARK, rear: true, mark: ['sign-face',
    'M15.6 0L11-4.9H7.8L12.2 0L7.8 4.9H11Z',
    'M92 19L84 12L78 11L85 19L78 25.6L84 25.2Z'] },
  purple: { body: DART, front: true, mark: ['sign-face',
    'M-15-5.2L-9-4.4L-4 0L-9 4.4L-15 5.2L-8.6 0Z',
    'M3 10L20 11L30 18L20 25.4L6 24L16 18Z'] },
  black: { body: CIGAR, front: true, rear: true, mark: ['race-line',
    'M15-1.2C10-3.8 6-4.4 0-4.4H-9V-3.4H0C6-3.4 10-2.6 13-1ZM15 1.2C10 3.8 6 4.4 0 4.4H-9V3.4H0C6 3.4 10 2.6 13 1Z',
    'M92 20.2C82 13.4 70 12.6 57 12.6V14C70 14 82 15 90 21ZM8 22.4H86V24H10Z'] },
  white: { body: ROUND, front: true, mark: ['sign',
    'M15.4-2.4V-.9H-15V-2.4ZM15.4 2.4V.9H-15V2.4Z',
    'M93 19.5H5.3L5.2 21.3H92.8ZM92.4 23H7L9 24.4H89Z'] },
};

const ink = (name, d) => svg('path', { fill: `var(--${name})`, d });
const wheel = (x, y, length, width) =>
  svg('rect', { class: 'car-tyre', x: x - length / 2, y: y - width / 2, width: length, height: width, rx: 1.2 });

const lookOf = (colour) => LOOKS[colour] ?? LOOKS.white;
const painter = (colour) => (d) =>
  svg('path', { class: 'car-paint', fill: `var(--car-${colour in LOOKS ? colour : 'white'})`, d });

/** A car from above, at 0,0, driving to the right. The number is in a group of its own, to be kept upright. */
export function carFromAbove(colour, number) {
  const look = lookOf(colour);
  const painted = painter(colour);
  return svg('g', { class: 'car-top' },
    svg('path', { class: 'car-rod', d: 'M9.5-7.5V7.5M-9.5-7.5V7.5M-14-2.6H-18M-14 2.6H-18' }),
    wheel(9.8, -7.4, 6, 3.6), wheel(9.8, 7.4, 6, 3.6), wheel(-9.8, -7.6, 7.4, 5), wheel(-9.8, 7.6, 7.4, 5),
    look.front && painted(FRONT),
    painted(look.body),
    ink(look.mark[0], look.mark[1]),
    svg('path', { class: 'car-seat', d: 'M-2-3A3 3 0 0 1-2 3H-5A3 3 0 0 1-5-3Z' }),
    svg('circle', { class: 'car-helmet', cx: -4, cy: 0, r: 2.3 }),
    look.rear && painted(REAR),
    svg('circle', { class: 'car-roundel', cx: 4.5, cy: 0, r: 4.6 }),
    svg('g', { class: 'car-upright' }, svg('text', { class: 'car-number', y: 2.7, 'font-size': 7.6 }, String(number))));
}

/** A car from the side: an <svg> of its own, which says nothing to those who listen; words beside it do. */
export function carPicture(colour, number) {
  const look = lookOf(colour);
  const painted = painter(colour);
  const tyre = (x, r) => [
    svg('circle', { class: 'car-tyre', cx: x, cy: 31 - r, r }),
    svg('circle', { class: 'car-hub', cx: x, cy: 31 - r, r: r * 0.48 }),
    svg('circle', { class: 'car-tyre', cx: x, cy: 31 - r, r: r * 0.16 }),
  ];
  return svg('svg', { class: 'car-picture', viewBox: '0 0 98 32', 'aria-hidden': 'true' },
    svg('path', { class: 'car-rod', d: 'M2 19H14M1 21.5H14M50 14L54 8.5' }),
    look.rear && painted(SIDE_REAR),
    svg('path', { class: 'car-helmet', d: 'M40 14V9A5 5 0 0 1 50 9V10.5H46V14Z' }),
    svg('path', { class: 'car-visor', d: 'M46 8H50V10.6H46Z' }),
    painted(SIDE[look.body]),
    ink(look.mark[0], look.mark[2]),
    look.front && painted(SIDE_FRONT),
    tyre(20, 9.5), tyre(76, 8.5),
    svg('circle', { class: 'car-roundel', cx: 57, cy: 18.2, r: 7.4 }),
    svg('text', { class: 'car-number', x: 57, y: 22.5, 'font-size': 12 }, String(number)));
}
