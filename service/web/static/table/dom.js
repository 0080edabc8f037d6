// Making elements. No markup is ever made from text, so nothing that a player is called can become an element.

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * An element. Attributes that are `false` or missing are left out, those that are `true` are empty; `on…` listens.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  dress(element, attributes);
  element.append(...present(children));
  return element;
}

/**
 * An element of a picture.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS("http://www.w3.org/2000/svg", tag));
  dress(element, attributes);
  element.append(...present(children));
  return element;
}

/** @param {Element} element @param {Record<string, any>} attributes */
function dress(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
}

/** @param {Child[]} children @returns {(Node | string)[]} */
function present(children) {
  return /** @type {(Node | string)[]} */ (
    children.filter((child) => child !== null && child !== undefined && child !== false)
  );
}

/** Text that is heard and not seen. @param {string} text */
export const heard = (text) => h("span", { class: "heard" }, text);

/**
 * Draw a place anew. Whoever was in it with the keyboard stays where they were, by `data-key`, or goes to the first
 * thing that can be done now.
 * @param {HTMLElement} place
 * @param {...Child} children
 */
export function fill(place, ...children) {
  const active = document.activeElement;
  const inside = active instanceof HTMLElement && place.contains(active);
  const key = inside ? active.dataset.key : undefined;
  place.replaceChildren(...present(children));
  if (!inside) return;
  const same = [...place.querySelectorAll("[data-key]")].find(
    (each) => /** @type {HTMLElement} */ (each).dataset.key === key,
  );
  const next = same ?? place.querySelector("button.spot") ?? place;
  /** @type {HTMLElement} */ (next).focus({ preventScroll: true });
}

/**
 * Let a person choose, in a dialog.
 * @template T
 * @param {string} title
 * @param {{label: string, value: T}[]} choices
 * @returns {Promise<T | null>} `null` if they would rather not.
 */
export function choose(title, choices) {
  return new Promise((resolve) => {
    /** @type {T | null} */
    let chosen = null;
    const dialog = h("dialog", { class: "choice", "aria-labelledby": "choice-title" });
    const take = (/** @type {T} */ value) => {
      chosen = value;
      dialog.close();
    };
    dialog.append(
      h("h2", { id: "choice-title" }, title),
      ...choices.map(({ label, value }) => h("button", { class: "spot button", onclick: () => take(value) }, label)),
      h("button", { class: "button quiet", onclick: () => dialog.close() }, "Never mind"),
    );
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(chosen);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
