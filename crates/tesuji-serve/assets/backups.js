// What each backup makes of the same samples.

import { post } from "./api.js";
import { chart } from "./chart.js";
import { el, percent, say, table } from "./dom.js";

const CURVES = 6;

/** A panel that compares the backups at a place. */
export class Backups {
  constructor() {
    this.body = el("div");
    this.element = el("section", { hidden: true }, el("h2", {}, "Backups"),
      el("p", { class: "faint" }, "All backups get the samples of one search that backs up means. The value is that of the player to move."), this.body);
  }

  async show(place, recipe, simulations) {
    this.element.hidden = false;
    this.body.replaceChildren(el("p", {}, "The search goes on…"));
    try {
      const { curves } = await post("/api/backups", { ...place, recipe, simulations });
      const last = curve => curve.points.at(-1)?.[1] ?? 0.5;
      const [own, ...others] = curves;
      others.sort((a, b) => last(b) - last(a));
      // The recipe's own one, the mean, and those that differ most from it.
      const mean = others.find(curve => curve.name === "mean");
      const far = others.filter(curve => curve !== mean).sort((a, b) => Math.abs(last(b) - last(mean)) - Math.abs(last(a) - last(mean)));
      const shown = [own, mean, ...far].slice(0, CURVES);
      const drawn = shown.map(({ name, points }) => ({ name, points: points.map(([x, y]) => ({ x, y })) }));
      const rows = [own, ...others].map(curve => ({ cells: [curve.name, [percent(last(curve)), "number"]] }));
      this.body.replaceChildren(chart("Value by each backup after N samples", drawn, { range: [0, 1], log: true, x: "samples" }),
        el("details", {}, el("summary", {}, "All backups"), table("Backups", ["Backup", ["Value", "number"]], rows)));
      say(`${own.name}: ${percent(last(own))}; the mean: ${percent(last(mean))}.`);
    } catch (error) {
      this.body.replaceChildren(el("p", { class: "warn" }, error.message));
    }
  }

  hide() {
    this.element.hidden = true;
  }
}
