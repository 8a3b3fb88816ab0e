// Makes elements. Strings become text nodes, so that nothing is ever read as HTML.

const SVG = 'http://www.w3.org/2000/svg';

const present = (children) =>
  children.flat(Infinity).filter((each) => each !== null && each !== undefined && each !== false);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value); // onclick: f
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...present(children));
  return element;
}

export const h = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);

export const svg = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

/** kind is one of page.css: primary, plain, quiet. */
export const button = (kind, text, onclick, more) =>
  h('button', { type: 'button', class: kind, onclick, ...more }, text);

/** Empties an element and fills it anew. */
export function clear(element, ...children) {
  element.replaceChildren();
  return fill(element, null, children);
}

/** The same around a child that stays where it is: a live region that is taken out and put back says nothing. */
export function clearAround(element, kept, before, after = []) {
  for (const each of [...element.childNodes]) if (each !== kept) each.remove();
  if (kept.parentNode !== element) element.append(kept);
  kept.before(...present(before));
  kept.after(...present(after));
}
