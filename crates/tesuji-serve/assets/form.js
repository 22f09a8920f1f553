// A new experiment: a form that writes the TOML file which is run.

import { get, post } from "./api.js";
import { button, el, field, say } from "./dom.js";

export async function newPage(main) {
  const known = await get("/api/list");
  const names = el("datalist", { id: "recipes" }, known.recipes.map(r => el("option", { value: r.name }, r.about)));
  const text = (value, size = 16) => el("input", { value, size, spellcheck: "false", oninput: () => write() });
  const number = value => el("input", { type: "number", min: 1, value, oninput: () => write() });
  const fields = { name: text("first"), about: text("", 40), game: text("hex:5"), games: number(40), playouts: number(100), seed: number(1) };
  const agents = { a: text("grave,playout=uniform", 34), b: text("uct", 34) };
  Object.values(agents).forEach(input => input.setAttribute("list", "recipes"));
  const directory = el("select", {}, known.directories.map((name, i) => el("option", { value: i }, name)));
  const file = el("textarea", { rows: 16, "aria-label": "The file", spellcheck: "false" });
  const quoted = value => JSON.stringify(value);

  function write() {
    file.value = [
      `kind = "matches"`, `name = ${quoted(fields.name.value)}`, `about = ${quoted(fields.about.value)}`, `game = ${quoted(fields.game.value)}`,
      `games = ${fields.games.value}`, `playouts = ${fields.playouts.value}`, `seed = ${fields.seed.value}`, "", "[[match]]",
      `name = "match"`, `a = ${quoted(agents.a.value)}`, `b = ${quoted(agents.b.value)}`, ""].join("\n");
  }

  /** Adds a parameter of the schema to an agent. */
  const parameter = el("select", { "aria-label": "Parameter" }, known.parts.map(part => el("optgroup", {
    label: part.kind ? `${part.axis}=${part.kind}` : "search",
  }, part.kind ? el("option", { value: `${part.axis}=${part.kind}` }, `${part.axis}=${part.kind}`) : null,
  part.parameters.map(p => el("option", { value: `${p.key}=${p.default}`, title: p.about }, `${p.key} (${p.range}; default ${p.default})`)))));
  const explained = el("p", { class: "faint" });
  const all = known.parts.flatMap(part => part.parameters);
  parameter.addEventListener("change", () => {
    const found = all.find(p => parameter.value.startsWith(p.key + "="));
    explained.textContent = found ? found.about + (found.unit ? ` Unit: ${found.unit}.` : "") : "";
  });
  const add = agent => { agents[agent].value += "," + parameter.value; write(); };

  const check = async () => {
    const { name, kind } = await post("/api/runs/check", { directory: +directory.value, file: file.value });
    say(`${name}: a sound file of the kind ${kind}.`);
  };
  const start = async () => {
    const { id } = await post("/api/runs", { directory: +directory.value, file: file.value });
    location.hash = "#experiment=" + encodeURIComponent(id);
  };
  const said = action => () => action().catch(error => say(error.message));

  main.append(names, el("h2", {}, "New experiment"),
    known.directories.length === 0 ? el("p", { class: "warn" }, "The server has no directory. Start it with one: tesuji serve out") : "",
    el("div", { class: "row" }, Object.entries(fields).map(([key, input]) => field(key, input))),
    el("div", { class: "row" }, field("a", agents.a), field("b", agents.b)),
    el("div", { class: "row" }, field("Parameter", parameter), button("Add to a", () => add("a")), button("Add to b", () => add("b"))), explained,
    known.templates.length > 0 ? el("div", { class: "row" }, "Or begin with: ",
      known.templates.map(template => button(template.name, () => { file.value = template.text; }))) : "",
    el("p", {}, "This file is run. `tesuji run` runs it as well."), file,
    el("div", { class: "row" }, field("Directory", directory), button("Check", said(check)), button("Start", said(start), { id: "start" })));
  write();
}
