// What a search did so far: the nodes that it keeps and gives up, and the visits of its moves.

import { chart } from "./chart.js";
import { el, percent, whole } from "./dom.js";

const [POINTS, MOVES, PAUSE] = [240, 6, 1000];

export class History {
  constructor() {
    this.points = [];
    this.drawn = -Infinity;
    this.text = el("p");
    this.pictures = el("div", { class: "charts" });
    this.element = el("section", {}, el("h2", {}, "Memory and visits so far"), this.text, this.pictures);
  }

  add(snapshot) {
    const last = this.points.at(-1);
    if (last && snapshot.simulations <= last.x) return;
    const { simulations: x, nodes, recycled, pruned, limit, moves } = snapshot;
    this.points.push({ x, nodes, made: nodes + recycled + pruned, limit, visits: new Map(moves.slice(0, 40).map(m => [m.move, m.visits])) });
    if (this.points.length > POINTS) this.points = this.points.filter((_, i) => i % 2 === 1);
    const isEarly = this.points.length < 6;
    if (!isEarly && performance.now() - this.drawn < PAUSE && snapshot.state === "running") return;
    this.drawn = performance.now();
    this.draw(snapshot);
  }

  draw({ nodes, recycled, pruned, limit, moves, simulations }) {
    const gone = recycled + pruned;
    const made = nodes + gone;
    const lost = `${whole(gone)} of the ${whole(made)} nodes made so far are gone (${percent(gone / made)}).`;
    this.text.textContent = recycled > 0
      ? `The tree is full with ${whole(limit)} nodes. A new node takes the place of the one that was not visited for the longest time: ${lost}`
      : pruned > 0 ? `Each new leaf is studied by a small search of its own, whose nodes are dropped at its end: ${lost}`
        : `The tree keeps all of its ${whole(nodes)} nodes; it has room for ${whole(limit)}.`;
    const curve = (name, of) => ({ name, points: this.points.map(point => ({ x: point.x, y: of(point) })) });
    const memory = gone > 0 ? [curve("nodes made", point => point.made), curve("nodes kept", point => point.nodes)]
      : [curve("nodes kept", point => point.nodes)];
    const most = Math.max(...this.points.map(point => point.made));
    const lines = limit <= 1.2 * most ? [{ y: limit, name: "limit" }] : [];
    const best = moves.slice(0, MOVES).map(({ move }) => curve(move, point => (point.visits.get(move) ?? 0) / point.x));
    this.pictures.replaceChildren(
      chart("Nodes made, kept and given up", memory, { x: "simulations", lines }),
      chart("Share of the visits of each move", best, { x: "simulations", range: [0, 1] }));
    this.pictures.dataset.simulations = simulations;
  }
}
