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

/** @param {Element} element @param {Record<string, any>} attributes */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
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
 * Replace the children of an element. If it contained the focus, the focus moves to the new element with the same
 * `data-key`, or else to the first button for a move.
 * @param {HTMLElement} place
 * @param {...Child} children
 */
export function fill(place, ...children) {
  const active = document.activeElement;
  const inside = active instanceof HTMLElement && place.contains(active);
  const key = inside ? active.dataset.key : undefined;
  place.replaceChildren(...withoutEmpty(children));
  if (!inside) return;
  const same = [...place.querySelectorAll("[data-key]")].find(
    (each) => /** @type {HTMLElement} */ (each).dataset.key === key,
  );
  const next = same ?? place.querySelector("button.spot") ?? place;
  /** @type {HTMLElement} */ (next).focus({ preventScroll: true });
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

/**
 * Show a dialog with choices.
 * @template T
 * @param {string} title
 * @param {{label: string, extra?: Child, value: T}[]} choices
 * @returns {Promise<T | null>} `null` if the dialog is closed without a choice.
 */
export async function choose(title, choices) {
  /** @type {T | null} */
  let chosen = null;
  const dialog = h("dialog", { class: "choice", "aria-labelledby": "choice-title" });
  const take = (/** @type {T} */ value) => {
    chosen = value;
    dialog.close();
  };
  dialog.append(
    h("h2", { id: "choice-title" }, title),
    ...choices.map(({ label, extra, value }) =>
      h("button", { class: "spot button", onclick: () => take(value) }, label, extra),
    ),
    h("button", { class: "button quiet", onclick: () => dialog.close() }, "Cancel"),
  );
  await showDialog(dialog);
  return chosen;
}
