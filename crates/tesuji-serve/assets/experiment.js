// One experiment: its verdict at once, then its charts, games and file.

import { get, post, xml } from "./api.js";
import { button, el, interval, percent, say, table, whole } from "./dom.js";
import { runsPanel } from "./laboratory.js";

/** The table of matches. */
export function matches(rows) {
  return table("Matches", ["Match", "Agents", ["Games", "number"], ["Score", "number"], "0 to 1", ["Elo", "number"], ["p (Holm)", "number"]],
    rows.map(m => ({ cells: [[m.name, "long"], [`${m.a} against ${m.b}`, "long"], [`${whole(m.games)}/${whole(m.planned)}`, "number"],
      [m.score.toFixed(3), "number"], interval(m.score, m.lo, m.hi), [`${m.elo} ${m.elo_ci95}`, "number"], [m.p, "number"]] })), { class: "stack" });
}

export async function experimentPage(main, query) {
  const id = query.get("experiment");
  const seen = await get("/api/experiment", { id });
  const verdict = el("p", { class: "verdict" }, seen.verdict);
  const rows = el("div", {}, seen.matches.length > 0 ? matches(seen.matches) : null);
  const rest = el("div", {}, el("p", { class: "faint" }, "Charts and games are read…"));
  const { panel, end, isRunning } = runsPanel(id, () => details(id, verdict, rows, rest), runs => {
    [resume.disabled, stop.disabled] = [runs, !runs];
  });
  const cluster = el("div", { id: "workers" });
  const endWorkers = watchWorkers(id, cluster);
  const again = setInterval(() => { if (isRunning()) details(id, verdict, rows, rest); }, 15000);
  const resume = button("Resume", async () => {
    try { await post("/api/runs", { id }); say("It runs."); } catch (error) { say(error.message); }
  }, { id: "resume" });
  const stop = button("Stop", async () => {
    try { await post("/api/runs/stop", { id }); say("It stops after the running games."); } catch (error) { say(error.message); }
  });
  main.append(el("h2", {}, seen.name || id), verdict, el("p", { class: "faint" }, [seen.kind, seen.about].filter(text => text).join(": ")),
    el("div", { class: "row" }, resume, stop), panel, cluster, rows, rest);
  details(id, verdict, rows, rest);
  return () => { clearInterval(again); endWorkers(); end(); };
}

/** Shows the workers of a cluster, every 5 s as long as a coordinator works, else every 30 s. */
function watchWorkers(id, place) {
  let timer, ended = false;
  async function look() {
    let said = null;
    try { said = await get("/api/experiment/workers", { id }); } catch { /* It is asked again. */ }
    if (ended) return;
    if (said) {
      place.replaceChildren(...said.lines.map(line => el("p", { class: "faint" }, line)), said.workers.length === 0 ? "" :
        table("Workers", ["Worker", "Machine", "Version", ["Threads", "number"], ["Trials", "number"], ["Faults", "number"]],
          said.workers.map(w => ({ cells: [[w.name, "long"], w.host, w.version, [whole(w.threads), "number"], [whole(w.trials), "number"], [whole(w.faults), "number"]] })), { class: "stack" }));
    }
    timer = setTimeout(look, said?.is_live ? 5000 : 30000);
  }
  look();
  return () => { ended = true; clearTimeout(timer); };
}

/** Scores of each agent against each other one, the first agent's side in the row. */
function crossTable(rows, ratings) {
  if (!ratings?.length) return null;
  const agents = ratings.map(rating => rating.agent);
  const score = (a, b) => {
    const m = rows.find(m => m.a === a && m.b === b);
    const turned = rows.find(m => m.a === b && m.b === a);
    return m ? m.score : turned ? 1 - turned.score : null;
  };
  const elo = agent => ratings.find(rating => rating.agent === agent).elo;
  const body = agents.map(a => ({ cells: [[a, "long"], [Math.round(elo(a)), "number"], ...agents.map(b => {
    const value = a === b ? null : score(a, b);
    // The text says it; the ground makes it seen.
    return [value === null ? "–" : value.toFixed(2), "number " + (value === null ? "" : value > 0.5 ? "won" : value < 0.5 ? "lost" : "")];
  })] }));
  return [el("h2", {}, "Cross table"), table("Cross table", ["Agent", ["Elo", "number"], ...agents.map(agent => [agent, "number long"])], body)];
}

/** How much of the posterior's range each parameter moves, the others as recommended. */
function importance(tables) {
  const marginals = tables.find(t => t.name === "marginals")?.rows ?? [];
  const ranges = new Map();
  for (const { parameter, mean } of marginals) {
    const [lo, hi] = ranges.get(parameter) ?? [Infinity, -Infinity];
    ranges.set(parameter, [Math.min(lo, mean), Math.max(hi, mean)]);
  }
  const rows = [...ranges].map(([name, [lo, hi]]) => ({ name, range: hi - lo })).filter(row => row.range > 0).sort((a, b) => b.range - a.range);
  if (rows.length === 0) return null;
  const all = rows.reduce((sum, row) => sum + row.range, 0);
  return [el("h2", {}, "Importance of the parameters"),
    table("Importance of the parameters", ["Parameter", ["Range of the expected value", "number"], ["Share", "number"]],
      rows.map(row => ({ cells: [row.name, [row.range.toFixed(4), "number"], [percent(row.range / all, 0), "number"]] })))];
}

/** The figures of the report. */
async function figures(id) {
  const read = await xml("/api/experiment/charts", { id });
  return [...read.documentElement.children].map(figure => {
    const drawn = document.adoptNode(figure);
    const svg = drawn.querySelector("svg");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", drawn.querySelector("figcaption").textContent);
    return drawn;
  });
}

async function details(id, verdict, rows, rest) {
  let said;
  const charts = el("div", { class: "charts" });
  try {
    said = await get("/api/experiment/details", { id });
    if (!said.note) charts.append(...await figures(id));
  } catch (error) {
    return rest.replaceChildren(el("p", { class: "faint" }, error.message));
  }
  if (said.verdict.length > 0) verdict.textContent = said.verdict.join(" ");
  if (said.matches.length > 0) rows.replaceChildren(matches(said.matches));
  const games = said.games.map(game => ({ cells: [[game.match, "long"], game.first, game.second, game.result,
    el("a", { href: "#" + new URLSearchParams({ game: game.game, komi: game.komi ?? "", moves: game.moves }) }, "on the board")] }));
  const open = [...rest.querySelectorAll("details[open] > summary")].map(summary => summary.textContent);
  rest.replaceChildren(
    said.note ? el("p", { class: "faint" }, said.note) : "",
    el("p", { class: "faint" }, `${whole(said.made)} of ${whole(said.planned)} made` + (said.times ? `, ${said.times[0]} to ${said.times[1]} UTC` : "")),
    ...said.summary.filter(line => !said.verdict.includes(line)).map(line => el("p", {}, line)),
    ...crossTable(said.matches, said.ratings) ?? [], ...importance(said.tables) ?? [],
    charts,
    ...said.tables.filter(t => t.rows.length > 0).map(t => el("details", {}, el("summary", {}, t.name),
      table(t.name, Object.keys(t.rows[0]), t.rows.slice(0, 200).map(row => ({ cells: Object.values(row).map(value => [String(value ?? ""), "long"]) }))))),
    games.length > 0 ? el("details", {}, el("summary", {}, "Games"), table("Games", ["Match", "First", "Second", "Result", "Game"], games)) : "",
    el("details", {}, el("summary", {}, "The file, and how to make it anew"), el("pre", { tabindex: 0 }, said.command), el("pre", { tabindex: 0 }, said.file), el("p", { class: "faint" }, said.version)));
  for (const summary of rest.querySelectorAll("summary")) summary.parentElement.open = open.includes(summary.textContent);
}
