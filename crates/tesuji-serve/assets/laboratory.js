// All experiments below the directories.

import { get, stream } from "./api.js";
import { chart } from "./chart.js";
import { button, el, field, percent, say, table, whole } from "./dom.js";

const age = seconds => seconds === null || seconds === undefined ? "" : seconds < 5400 ? `${Math.ceil(seconds / 60)} min`
  : seconds < 172800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86400)} d`;

const LISTED = 200;

/** One run: its parts stay, and what they say changes. */
class RunPanel {
  constructor(id) {
    this.bar = el("progress", { "aria-label": "Games" });
    this.text = el("span");
    this.estimate = el("p", { class: "verdict" });
    this.curves = el("div", { class: "charts" });
    this.error = el("p", { class: "warn" });
    this.notes = el("ul");
    this.element = el("section", { class: "panel", "data-run": id, "aria-label": id },
      el("p", {}, el("a", { href: "#experiment=" + encodeURIComponent(id) }, id), " ", this.bar, " ", this.text),
      this.estimate, this.curves, this.error, this.notes);
  }

  update(run) {
    const left = run.hourly > 0 && run.total > run.done ? (run.total - run.done) / run.hourly : 0;
    const step = run.of > 1 ? `step ${run.number} of ${run.of}, ${run.step}:` : run.step ?? "";
    this.bar.hidden = !run.total;
    [this.bar.max, this.bar.value] = [run.total || 1, run.done ?? 0];
    this.text.textContent = `${run.state} ${step} ${whole(run.done ?? 0)} of ${whole(run.total ?? 0)}, ${whole(run.hourly)} an hour`
      + (run.state === "running" && left ? `, ${left < 1 ? Math.ceil(60 * left) + " min" : left.toFixed(1) + " h"} left` : "");
    const { estimate, test, curve } = run;
    const [lo, hi] = estimate?.interval ?? [];
    this.estimate.textContent = estimate
      ? `${estimate.name} ${percent(estimate.value)} [${percent(lo)}, ${percent(hi)}]` + (estimate.games ? `, ${whole(estimate.games)} games` : "") : "";
    const charts = [];
    if (curve?.length > 1)
      charts.push(chart(`${estimate?.name ?? "Score"} so far, with its 95 % interval`, [{ name: "score", points: curve.map(([x, y, lo, hi]) => ({ x, y, lo, hi })) }],
        { range: [0, 1], x: estimate?.games ? "games" : "steps" }));
    if (test?.curve.length > 1) {
      const reach = Math.max(test.upper, -test.lower) * 1.15;
      charts.push(chart(`Log-likelihood ratio of ${test.elo1} Elo to ${test.elo0} Elo`, [{ name: "ratio", points: test.curve.map(([x, y]) => ({ x, y })) }],
        { range: [-reach, reach], x: "games", lines: [{ y: test.upper, name: `at least ${test.elo1} Elo` }, { y: test.lower, name: `at most ${test.elo0} Elo` }] }));
    }
    this.curves.replaceChildren(...charts);
    this.error.textContent = run.error ?? "";
    this.notes.replaceChildren(...(run.notes ?? []).slice(-3).map(note => el("li", {}, note)));
  }
}

/** What runs in this server, live; `ended` is called when the run that is shown alone has ended, `told` with whether it runs. */
export function runsPanel(only, ended, told) {
  let ran = false;
  const panel = el("div");
  const panels = new Map();
  const end = stream("/api/runs/events", null, runs => {
    const runs_now = runs.some(run => run.id === only && run.state === "running");
    if (ran && !runs_now) ended?.();
    ran = runs_now;
    told?.(runs_now);
    for (const run of runs.filter(run => !only || run.id === only)) {
      if (!panels.has(run.id)) {
        panels.set(run.id, new RunPanel(run.id));
        panel.append(panels.get(run.id).element);
      }
      panels.get(run.id).update(run);
    }
  }, error => say(error.message));
  return { panel, end, isRunning: () => ran };
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
    holder.replaceChildren(table("Experiments", ["Compare", "Name", "What it shows", "Kind", ["Games", "number"], "State", ["Age", "number"]],
      found.slice(0, LISTED).map(row), { class: "stack" }));
  }

  main.append(el("h2", {}, "Experiments"), panel, el("div", { class: "row" }, field("Search", filter), compare), count, holder);
  if (trees.length > 0)
    main.append(el("h2", {}, "Saved trees"), el("ul", {}, trees.map(name => el("li", {}, el("a", { href: "#tree=" + encodeURIComponent(name) }, name)))));
  draw();
  return end;
}
