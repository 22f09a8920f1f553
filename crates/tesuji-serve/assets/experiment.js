// One experiment: its verdict at once, then its charts, games and file.

import { get, post } from "./api.js";
import { button, el, interval, say, table, whole } from "./dom.js";
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
  const { panel, end } = runsPanel(id, () => details(id, verdict, rows, rest));
  const resume = button("Resume", async () => {
    try { await post("/api/runs", { id }); say("It runs."); } catch (error) { say(error.message); }
  }, { id: "resume" });
  const stop = button("Stop", async () => {
    try { await post("/api/runs/stop", { id }); say("It stops after the running games."); } catch (error) { say(error.message); }
  });
  main.append(el("h2", {}, seen.name || id), verdict, el("p", { class: "faint" }, [seen.kind, seen.about].filter(text => text).join(": ")),
    el("div", { class: "row" }, resume, stop), panel, rows, rest);
  details(id, verdict, rows, rest);
  return end;
}

async function details(id, verdict, rows, rest) {
  let said;
  try {
    said = await get("/api/experiment/details", { id });
  } catch (error) {
    return rest.replaceChildren(el("p", { class: "faint" }, error.message));
  }
  if (said.verdict.length > 0) verdict.textContent = said.verdict.join(" ");
  if (said.matches.length > 0) rows.replaceChildren(matches(said.matches));
  const charts = said.charts.map((caption, chart) => el("figure", {},
    el("img", { src: "/api/experiment/chart?" + new URLSearchParams({ id, chart }), alt: caption, loading: "lazy" }), el("figcaption", {}, caption)));
  const games = said.games.map(game => ({ cells: [[game.match, "long"], game.first, game.second, game.result,
    el("a", { href: "#" + new URLSearchParams({ game: game.game, komi: game.komi ?? "", moves: game.moves }) }, "on the board")] }));
  rest.replaceChildren(
    el("p", { class: "faint" }, `${whole(said.made)} of ${whole(said.planned)} made` + (said.times ? `, ${said.times[0]} to ${said.times[1]} UTC` : "")),
    ...said.summary.map(line => el("p", {}, line)),
    el("div", { class: "charts" }, charts),
    ...said.tables.filter(t => t.rows.length > 0).map(t => el("details", {}, el("summary", {}, t.name),
      table(t.name, Object.keys(t.rows[0]), t.rows.slice(0, 200).map(row => ({ cells: Object.values(row).map(value => [String(value ?? ""), "long"]) }))))),
    games.length > 0 ? el("details", {}, el("summary", {}, "Games"), table("Games", ["Match", "First", "Second", "Result", ""], games)) : "",
    el("details", {}, el("summary", {}, "The file, and how to make it anew"), el("pre", {}, said.command), el("pre", {}, said.file), el("p", { class: "faint" }, said.version)));
}
