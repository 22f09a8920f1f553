// The tree of a search, opened node by node, and as an icicle.

import { get, post, stream } from "./api.js";
import { button, el, field, percent, say, svg, whole } from "./dom.js";
import { History } from "./history.js";

const COLOURS = ["#d55e00", "#e69f00", "#f0e442", "#8fd3f4", "#56b4e9"];

export async function treePage(main, query) {
  let id = query.get("tree");
  const about = el("p", { class: "faint" });
  if (!/^\d+$/.test(id)) {
    const opened = await post("/api/trees", { file: id });
    about.textContent = `${opened.about.game}, after ${opened.about.moves || "no move"}`;
    id = opened.id;
  }
  const news = el("p");
  const last = el("p", { class: "faint", id: "last" });
  const history = new History();
  const sort = el("select", { onchange: () => top() }, ["visits", "value", "prior", "move"].map(word => el("option", {}, word)));
  const least = el("input", { type: "number", min: 0, value: 0, onchange: () => top() });
  const name = el("input", { value: "0/search.tree", size: 20 });
  const list = el("ul", { class: "tree", "aria-label": "Tree" });
  const picture = el("div");
  const hold = button("Stop", async () => {
    const order = hold.textContent === "Stop" ? "pause" : "resume";
    await post(`/api/searches/${id}`, { order });
  });
  const save = async () => {
    try {
      const { file, bytes } = await post(`/api/searches/${id}/save`, { file: name.value });
      say(`${file}: ${whole(bytes / 1024)} KiB`);
    } catch (error) {
      say(error.message);
    }
  };
  main.append(el("h2", {}, "The tree"), about, news, last,
    el("div", { class: "row" }, field("Sort by", sort), field("At least visits", least), button("Look again", () => top(), { id: "again" }),
      hold, field("File", name), button("Save the tree", save)),
    el("div", { class: "two" }, el("div", { class: "panel" }, list), el("div", {}, picture)), history.element);

  /** The children of a node as items. */
  async function items(line, from = 0) {
    const node = await get(`/api/searches/${id}/node`, { line, sort: sort.value, least: +least.value, from, count: 15 });
    const shown = node.moves.map(m => item(line, m));
    const left = node.kept - from - node.moves.length;
    if (left > 0) {
      const more = el("li", {}, button(`${left} more`, async () => more.replaceWith(...await items(line, from + node.moves.length))));
      shown.push(more);
    }
    return shown;
  }

  function item(line, m) {
    const below = el("ul", { hidden: true });
    const here = (line + " " + m.move).trim();
    const text = `${m.move}: ${whole(m.visits)} visits, ${m.proven ?? percent(m.value)}`
      + (m.prior === null ? "" : `, prior ${percent(m.prior)}`) + (m.over ? ", the end" : "");
    if (m.children === 0) return el("li", { "data-line": here }, text);
    const open = button("+", async () => {
      below.hidden = !below.hidden;
      open.textContent = below.hidden ? "+" : "−";
      open.setAttribute("aria-expanded", String(!below.hidden));
      if (!below.hidden && below.childElementCount === 0) below.append(...await items(here));
    }, { "aria-label": `Open ${m.move}, ${m.children} moves below`, "aria-expanded": "false" });
    return el("li", { "data-line": here }, open, " ", text, " ", button("icicle", () => icicle(here)), below);
  }

  async function icicle(line) {
    const { blocks, least } = await get(`/api/searches/${id}/icicle`, { line });
    const [wide, high] = [900, 26];
    const levels = Math.max(...blocks.map(block => block.level)) + 1;
    const drawn = svg("svg", { class: "icicle", viewBox: `0 0 ${wide} ${levels * high}`, width: "100%", role: "img",
      "aria-label": `Nodes after ${line || "no move"} with ${least} visits or more, by their visits` });
    const lines = [];
    blocks.forEach((block, i) => {
      const above = block.parent === null ? null : blocks[block.parent];
      block.wide = above ? above.wide * block.visits / above.visits : wide;
      block.x = above ? above.next : 0;
      block.next = block.x;
      if (above) above.next += block.wide;
      lines[i] = above ? (lines[block.parent] + " " + block.move).trim() : line;
      // Colour by the value for the player who made the move.
      const colour = COLOURS[Math.max(0, Math.min(4, Math.floor((block.value - 0.3) * 12.5)))];
      drawn.append(svg("g", { onclick: () => icicle(lines[i]).catch(error => say(error.message)) },
        svg("title", {}, `${lines[i] || "root"}: ${whole(block.visits)} visits, ${percent(block.value)}`),
        svg("rect", { x: block.x, y: block.level * high, width: Math.max(0.3, block.wide), height: high, fill: colour }),
        block.wide > 26 ? svg("text", { x: block.x + 3, y: block.level * high + 17 }, block.move || "root") : null));
    });
    picture.replaceChildren(drawn, el("p", { class: "faint" }, "A block is as wide as its share of the visits. Orange: a value below 38 % for the player who moves there; blue: above 62 %."));
  }

  async function top() {
    try {
      list.replaceChildren(...await items(""));
      await icicle("");
    } catch (error) {
      say(error.message);
    }
  }

  await top();
  return stream(`/api/searches/${id}/events`, null, snapshot => {
    if (snapshot.best === undefined) return;
    hold.textContent = snapshot.state === "running" ? "Stop" : "Go on";
    hold.disabled = snapshot.state === "ended";
    news.textContent = `${snapshot.state}: ${whole(snapshot.simulations)} simulations, ${whole(snapshot.nodes)} nodes, depth ${snapshot.depth}`;
    const way = snapshot.last.join(" ");
    last.textContent = `The last simulation went ${way}`;
    for (const item of list.querySelectorAll("[data-line]"))
      item.classList.toggle("passed", way === item.dataset.line || way.startsWith(item.dataset.line + " "));
    history.add(snapshot);
  }, error => say(error.message));
}
