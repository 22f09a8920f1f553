// A curve with points to choose.

import { svg } from "./dom.js";

const [WIDE, HIGH, LEFT, BELOW] = [640, 220, 44, 24];

/** Points are { x, y, lo, hi, text, bad }; `choose` is called with a point. */
export function chart(label, points, [low, high], choose) {
  const xs = points.map(point => point.x);
  const [first, last] = [Math.min(...xs, 0), Math.max(...xs, 1)];
  const x = at => LEFT + (at - first) / (last - first || 1) * (WIDE - LEFT - 10);
  const y = at => 10 + (high - at) / (high - low) * (HIGH - BELOW - 10);
  const picture = svg("svg", { class: "chart", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": label });
  for (const at of [low, (low + high) / 2, high]) {
    picture.append(svg("line", { class: "axis", x1: LEFT, x2: WIDE - 10, y1: y(at), y2: y(at) }),
      svg("text", { x: 4, y: y(at) + 4 }, at.toFixed(2)));
  }
  picture.append(svg("text", { x: LEFT, y: HIGH - 6 }, String(first)), svg("text", { x: WIDE - 40, y: HIGH - 6 }, String(last)));
  const band = points.filter(point => point.lo !== undefined);
  if (band.length > 1)
    picture.append(svg("polygon", { class: "band", points: [...band.map(p => `${x(p.x)},${y(p.lo)}`),
      ...band.toReversed().map(p => `${x(p.x)},${y(p.hi)}`)].join(" ") }));
  picture.append(svg("polyline", { class: "curve", points: points.map(p => `${x(p.x)},${y(p.y)}`).join(" ") }));
  for (const point of choose ? points : [])
    picture.append(svg("circle", { class: point.bad ? "dot bad" : "dot", cx: x(point.x), cy: y(point.y), r: point.bad ? 6 : 4,
      onclick: () => choose(point) }, svg("title", {}, point.text)));
  return picture;
}
