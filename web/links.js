// Links to take along: to a race, and to a seat of one.

import { h, clear } from './dom.js';
import { _ } from './words.js';
import { qrCode } from './qr.js';

export const raceAddress = (app, id) => `${app.address ?? location.href.split('#')[0]}#race/${id}`;

/** What is to be said about links where nobody else reaches the page; else null. */
export const onlyHere = (app) =>
  app.address || !app.net.local() ? null : h('p', { class: 'problem' },
    _('The link works on this computer only: the server does not accept connections from others.'));

/** A link to be copied, with more buttons beside it. */
export function linkField(app, label, address, ...more) {
  const field = h('input', { type: 'text', readonly: true, value: address, onfocus: () => field.select() });
  const copy = h('button', { class: 'plain', onclick: () => copyFrom(app, field) }, _('Copy'));
  return h('div', { class: 'lobby-link' }, h('label', null, h('span', null, label), field), copy, more);
}

async function copyFrom(app, field) {
  try {
    await navigator.clipboard.writeText(field.value);
    app.say(_('The link is copied.'));
  } catch {
    field.focus();
    field.select();
    app.say(_('The link is selected; copy it now.'));
  }
}

/** A seat can go along to another device. The QR code is a key, and is not shown to everybody who looks over. */
export function seatPanel(app, id, token, name) {
  const place = h('div', { class: 'lobby-key' });
  const show = h('button', { class: 'plain', 'aria-expanded': 'false', onclick: () => {
    const open = place.hasChildNodes();
    show.setAttribute('aria-expanded', String(!open));
    clear(show, open ? _('Show the link') : _('Hide the link'));
    if (open) clear(place);
    else showKey(app, place, `${raceAddress(app, id)}/${token}`);
  } }, _('Show the link'));
  return h('section', { class: 'panel' }, h('h2', { class: 'display' }, _('Move to another device')),
    h('p', null, _('Bring the seat of {name} to another device, your phone for instance. Keep this link to ' +
      'yourself: whoever has it drives the car.', { name })),
    show, place);
}

function showKey(app, place, address) {
  clear(place,
    h('div', { class: 'lobby-qr', role: 'img', 'aria-label': _('The seat as a QR code') }, qrCode(address)),
    linkField(app, _('Link to your seat'), address));
  place.scrollIntoView({ block: 'nearest' });
}
