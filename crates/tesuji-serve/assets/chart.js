// Curves over a number, with what they are called below.

import { el, svg } from "./dom.js";

const [WIDE, HIGH, LEFT, BELOW] = [640, 220, 52, 24];

const short = at => Math.abs(at) >= 10000 ? `${+(at / 1000).toPrecision(3)}k` : String(+at.toPrecision(3));

/**
 * Curves are { name, points: [{ x, y, lo, hi, text, bad }] }. Options: `range` of y, `x` and its unit, `lines` across as
 * [{ y, name }], `log` for equal ratios of x, `choose`, which is called with a point.
 */
export function chart(label, curves, { range, x: unit = "", lines = [], log = false, choose } = {}) {
  const scale = log ? at => Math.log(Math.max(1, at)) : at => at;
  const all = curves.flatMap(curve => curve.points);
  const xs = all.map(point => point.x);
  const [first, last] = [Math.min(...xs, log ? Infinity : 0), Math.max(...xs, 1)];
  const [low, high] = range ?? [0, Math.max(...all.map(point => point.y), ...lines.map(line => line.y), 1)];
  const x = at => +(LEFT + (scale(at) - scale(first)) / (scale(last) - scale(first) || 1) * (WIDE - LEFT - 10)).toFixed(1);
  const y = at => +(10 + (high - Math.min(high, Math.max(low, at))) / (high - low || 1) * (HIGH - BELOW - 10)).toFixed(1);
  const picture = svg("svg", { class: "chart", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": label });
  for (const at of [low, (low + high) / 2, high])
    picture.append(svg("line", { class: "axis", x1: LEFT, x2: WIDE - 10, y1: y(at), y2: y(at) }), svg("text", { x: 4, y: y(at) + 4 }, short(at)));
  picture.append(svg("text", { x: LEFT, y: HIGH - 6 }, short(first)),
    svg("text", { x: WIDE - 10, y: HIGH - 6, "text-anchor": "end" }, `${short(last)} ${unit}`.trim()));
  for (const line of lines)
    picture.append(svg("line", { class: "bound", x1: LEFT, x2: WIDE - 10, y1: y(line.y), y2: y(line.y) }),
      svg("text", { x: LEFT + 4, y: y(line.y) - 4 }, line.name));
  curves.forEach(({ points }, i) => {
    const band = points.filter(point => point.lo !== undefined);
    if (band.length > 1)
      picture.append(svg("polygon", { class: `band c${i % 6}`, points: [...band.map(p => `${x(p.x)},${y(p.lo)}`),
        ...band.toReversed().map(p => `${x(p.x)},${y(p.hi)}`)].join(" ") }));
    picture.append(svg("polyline", { class: `curve c${i % 6}`, points: points.map(p => `${x(p.x)},${y(p.y)}`).join(" ") }));
  });
  for (const point of choose ? all : [])
    picture.append(svg("circle", { class: point.bad ? "dot bad" : "dot", cx: x(point.x), cy: y(point.y), r: point.bad ? 6 : 4,
      onclick: () => choose(point) }, svg("title", {}, point.text)));
  const keys = curves.length > 1 ? curves.map(({ name }, i) => el("span", { class: "key" },
    svg("svg", { viewBox: "0 0 24 8", "aria-hidden": "true" }, svg("line", { class: `curve c${i % 6}`, x1: 0, x2: 24, y1: 4, y2: 4 })), name)) : [];
  return el("figure", {}, picture, el("figcaption", {}, label, ...keys));
}
