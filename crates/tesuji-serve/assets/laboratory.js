// All experiments below the directories.

import { get, stream } from "./api.js";
import { chart } from "./chart.js";
import { button, el, field, percent, say, table, whole } from "./dom.js";

const age = seconds => seconds === null || seconds === undefined ? "" : seconds < 5400 ? `${Math.ceil(seconds / 60)} min`
  : seconds < 172800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86400)} d`;

const LISTED = 200;

/** What runs in this server, live; `ended` is called when the run that is shown alone has ended. */
export function runsPanel(only, ended) {
  let ran = false;
  const panel = el("div", { "aria-label": "Running experiments" });
  const end = stream("/api/runs/events", null, runs => {
    const runs_now = runs.some(run => run.id === only && run.state === "running");
    if (ran && !runs_now) ended?.();
    ran = runs_now;
    panel.replaceChildren(...runs.filter(run => !only || run.id === only).map(run => {
      const left = run.hourly > 0 && run.total > run.done ? (run.total - run.done) / run.hourly : 0;
      const estimate = run.estimate;
      return el("section", { class: "panel", "data-run": run.id },
        el("p", {}, el("a", { href: "#experiment=" + encodeURIComponent(run.id) }, run.id), ` ${run.state} `,
          run.total ? el("progress", { value: run.done, max: run.total, "aria-label": "Games" }) : null,
          ` ${run.step ?? ""} ${whole(run.done ?? 0)} of ${whole(run.total ?? 0)}, ${whole(run.hourly)} an hour`
          + (run.state === "running" && left ? `, ${left < 1 ? Math.ceil(60 * left) + " min" : left.toFixed(1) + " h"} left` : "")),
        estimate ? el("p", { class: "verdict" }, `${estimate.name} ${percent(estimate.value)} [${percent(estimate.interval[0])}, ${percent(estimate.interval[1])}], ${whole(estimate.games)} games`) : null,
        run.curve?.length > 1 ? chart("The score so far", run.curve.map(([x, y, lo, hi]) => ({ x, y, lo, hi })), [0, 1]) : null,
        run.error ? el("p", { class: "warn" }, run.error) : null,
        el("ul", {}, (run.notes ?? []).slice(-3).map(note => el("li", {}, note))));
    }));
  }, error => say(error.message));
  return { panel, end };
}

export async function laboratoryPage(main) {
  const { experiments, trees } = await get("/api/experiments");
  const { panel, end } = runsPanel();
  const chosen = new Set();
  const compare = button("Compare two", () => { location.hash = "#compare=" + [...chosen].map(encodeURIComponent).join("&with="); }, { disabled: true });
  const filter = el("input", { type: "search", oninput: () => draw() });
  const holder = el("div");
  const count = el("p", { class: "faint" });

  function row(experiment) {
    const box = el("input", { type: "checkbox", checked: chosen.has(experiment.id), "aria-label": `Compare ${experiment.name}`, onchange: () => {
      if (box.checked) chosen.add(experiment.id); else chosen.delete(experiment.id);
      compare.disabled = chosen.size !== 2;
    } });
    const state = experiment.running ? "running" : experiment.finished ? "" : "unfinished";
    return { cells: [box, [el("a", { href: "#experiment=" + encodeURIComponent(experiment.id) }, experiment.name || experiment.id), "long"],
      [experiment.verdict || experiment.about, "long"], experiment.kind, [whole(experiment.games ?? 0), "number"], state, [age(experiment.age), "number"]] };
  }

  function draw() {
    const word = filter.value.toLowerCase();
    const found = experiments.filter(e => `${e.name} ${e.id} ${e.kind} ${e.verdict} ${e.about}`.toLowerCase().includes(word));
    count.textContent = `${found.length} of ${experiments.length} experiments` + (found.length > LISTED ? `; the first ${LISTED} are listed` : "");
    holder.replaceChildren(table("Experiments", ["", "Name", "What it shows", "Kind", ["Games", "number"], "State", ["Age", "number"]],
      found.slice(0, LISTED).map(row), { class: "stack" }));
  }

  main.append(el("h2", {}, "Experiments"), panel, el("div", { class: "row" }, field("Search", filter), compare), count, holder);
  if (trees.length > 0)
    main.append(el("h2", {}, "Saved trees"), el("ul", {}, trees.map(name => el("li", {}, el("a", { href: "#tree=" + encodeURIComponent(name) }, name)))));
  draw();
  return end;
}
