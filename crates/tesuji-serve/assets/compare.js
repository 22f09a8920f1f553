// Two experiments side by side.

import { get } from "./api.js";
import { el, table } from "./dom.js";
import { matches } from "./experiment.js";

export async function comparePage(main, query) {
  const ids = [query.get("compare"), query.get("with")];
  const both = await Promise.all(ids.map(id => get("/api/experiment", { id })));
  main.append(el("h2", {}, "Comparison"), el("div", { class: "side" }, both.map((seen, i) => el("section", { class: "panel" },
    el("h2", {}, el("a", { href: "#experiment=" + encodeURIComponent(ids[i]) }, seen.name)), el("p", { class: "verdict" }, seen.verdict),
    el("p", { class: "faint" }, seen.about), matches(seen.matches)))));
  const names = both.map(seen => new Map(seen.matches.map(m => [m.name, m])));
  const common = [...names[0].keys()].filter(name => names[1].has(name));
  if (common.length === 0) return;
  const rows = common.map(name => {
    const [a, b] = names.map(of => of.get(name));
    const difference = b.score - a.score;
    const apart = a.hi < b.lo || b.hi < a.lo;
    return { cells: [[name, "long"], [a.score.toFixed(3), "number"], [b.score.toFixed(3), "number"],
      [(difference > 0 ? "+" : "") + difference.toFixed(3), "number"], apart ? "do not meet" : "meet"] };
  });
  main.append(el("h2", {}, "Matches of the same name"),
    table("Matches of the same name", ["Match", [both[0].name, "number"], [both[1].name, "number"], ["Difference", "number"], "Intervals"], rows));
}
