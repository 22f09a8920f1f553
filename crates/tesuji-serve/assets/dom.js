// Elements without markup: every text is a text.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (["value", "checked", "disabled", "selected", "open"].includes(name)) element[name] = value;
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined));
  return element;
}

export const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** A button, which says why its work failed. */
export function button(text, work, attributes) {
  const onclick = async () => { try { await work(); } catch (error) { say(error.message); } };
  return el("button", { type: "button", onclick, ...attributes }, text);
}

/** A control with its label. */
export const field = (text, control) => el("label", {}, text, el("br"), control);

export const percent = (x, digits = 1) => x === null || x === undefined ? "" : (100 * x).toFixed(digits) + "\u00a0%";

export const whole = n => Math.round(n).toLocaleString("en").replaceAll(",", "\u202f");

/** Sets an attribute that has another value. */
export const write = (element, name, value) => { if (element.getAttribute(name) !== value) element.setAttribute(name, value); };

/** Says something to those who read the page and those who hear it. */
export function say(text) {
  document.getElementById("status").textContent = text;
}

/** A table: heads are texts, or [text, class]; cells are texts, elements, or [content, class]. */
export function table(caption, heads, rows, attributes) {
  const cell = (tag, content) => {
    const scope = tag === "th" ? "col" : null;
    return Array.isArray(content) ? el(tag, { scope, class: content[1] }, content[0]) : el(tag, { scope }, content);
  };
  return el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": caption }, el("table", { "aria-label": caption, ...attributes },
    el("thead", {}, el("tr", {}, heads.map(head => cell("th", head)))),
    el("tbody", {}, rows.map(row => el("tr", row.attributes, row.cells.map(content => cell("td", content ?? "")))))));
}

/** An interval in [0, 1] as a picture. */
export function interval(value, lo, hi) {
  const x = part => 2 + 96 * Math.min(1, Math.max(0, part));
  return svg("svg", { class: "interval", viewBox: "0 0 100 14", role: "img", "aria-label": `${percent(lo, 0)} to ${percent(hi, 0)}` },
    svg("line", { class: "half", x1: 50, x2: 50, y1: 0, y2: 14 }),
    svg("line", { x1: x(lo), x2: x(hi), y1: 7, y2: 7 }),
    svg("circle", { cx: x(value), cy: 7, r: 4 }));
}
