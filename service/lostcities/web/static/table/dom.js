// Creates DOM elements. Text is never parsed as markup, so a player's name cannot inject elements.

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * Create an HTML element. Attributes that are `false` or missing are omitted, those that are `true` are empty. `on…`
 * attributes are event listeners.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...withoutEmpty(children));
  return element;
}

/**
 * Create an SVG element.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS("http://www.w3.org/2000/svg", tag));
  setAttributes(element, attributes);
  element.append(...withoutEmpty(children));
  return element;
}

/** The listeners of each element, by type of event. @type {WeakMap<Element, Record<string, (event: any) => void>>} */
const listeners = new WeakMap();

/** @param {Event} event */
function dispatch(event) {
  const element = /** @type {Element} */ (event.currentTarget);
  listeners.get(element)?.[event.type]?.(event);
}

/** @param {Element} element @param {string} type @param {(event: any) => void} listener */
function listen(element, type, listener) {
  const known = listeners.get(element) ?? {};
  if (!(type in known)) element.addEventListener(type, dispatch);
  listeners.set(element, { ...known, [type]: listener });
}

/** @param {Element} element @param {Record<string, any>} attributes */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) listen(element, name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
}

/** @param {Child[]} children @returns {(Node | string)[]} */
function withoutEmpty(children) {
  return /** @type {(Node | string)[]} */ (
    children.filter((child) => child !== null && child !== undefined && child !== false)
  );
}

/** Text for screen readers, not visible. @param {string} text */
export const srOnly = (text) => h("span", { class: "sr-only" }, text);

/**
 * Update the children of an element in place, so that a press that has begun on a child is not lost. A child is kept
 * and updated if it has the same tag and `data-key` as a new one, or the same tag and no key. If an element with the
 * focus disappears, the focus moves to the first button for a move.
 * @param {HTMLElement} place
 * @param {...Child} children
 */
export function render(place, ...children) {
  const active = document.activeElement;
  const key = active instanceof HTMLElement && place.contains(active) ? active.dataset.key : undefined;
  const wasInside = active !== null && place.contains(active);
  reconcile(place, withoutEmpty(children));
  if (!wasInside || document.contains(active)) return;
  const same = key && document.querySelector(`button[data-key="${CSS.escape(key)}"]`);
  const next = same || place.querySelector("button.spot") || document.querySelector("main button.spot") || place;
  /** @type {HTMLElement} */ (next).focus({ preventScroll: true });
}

/** @param {Element} parent @param {(Node | string)[]} children */
function reconcile(parent, children) {
  /** @type {Map<string, ChildNode[]>} */
  const old = new Map();
  for (const child of parent.childNodes) old.set(nameOf(child), [...(old.get(nameOf(child)) ?? []), child]);
  const wanted = children.map((child) => {
    const fresh = typeof child === "string" ? document.createTextNode(child) : child;
    const kept = old.get(nameOf(fresh))?.shift();
    if (kept && kept !== fresh) update(kept, fresh);
    return kept ?? fresh;
  });
  for (const left of old.values()) for (const child of left) child.remove();
  // What stays keeps its place: an element that is moved in the document loses a press that has begun on it.
  let next = parent.firstChild;
  for (const child of wanted) {
    if (child === next) next = next.nextSibling;
    else parent.insertBefore(child, next);
  }
}

/** @param {Node} node */
const nameOf = (node) => `${node.nodeName} ${node instanceof HTMLElement ? (node.dataset.key ?? "") : ""}`;

/** @param {Node} kept @param {Node} fresh */
function update(kept, fresh) {
  if (!(kept instanceof Element && fresh instanceof Element)) {
    if (kept.nodeValue !== fresh.nodeValue) kept.nodeValue = fresh.nodeValue;
    return;
  }
  for (const { name } of [...kept.attributes]) if (!fresh.hasAttribute(name)) kept.removeAttribute(name);
  for (const { name, value } of fresh.attributes) {
    if (kept.getAttribute(name) !== value) kept.setAttribute(name, value);
  }
  for (const type of Object.keys(listeners.get(kept) ?? {})) listen(kept, type, () => {});
  for (const [type, listener] of Object.entries(listeners.get(fresh) ?? {})) listen(kept, type, listener);
  reconcile(kept, [...fresh.childNodes]);
}

/**
 * Show a dialog that covers the page, until it is closed: by a button, by Escape or by a click beside it.
 * @param {HTMLDialogElement} dialog
 * @returns {Promise<void>}
 */
export function showDialog(dialog) {
  return new Promise((resolve) => {
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
