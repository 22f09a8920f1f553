// The moves that a search looks at, kept current while it goes on.

import { button, el, interval, percent, whole, write } from "./dom.js";

const SHOWN = 24;
const HEADS = ["Move", "Visits", "Value", "95 %", "Prior", "AMAF"];

export class Candidates {
  constructor(title, play, show) {
    this.body = el("tbody");
    this.about = el("p", { class: "faint" });
    this.line = el("p");
    this.title = el("h2", {}, title);
    this.play = play;
    this.show = show;
    this.rows = [];
    this.shownMove = null;
    this.element = el("section", { class: "candidates" }, this.title, this.about, this.line,
      el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": title }, this.table = el("table", { "aria-label": title },
        el("thead", {}, el("tr", {}, HEADS.map((head, i) => el("th", { scope: "col", class: i > 0 ? "number" : null }, head)))), this.body)));
  }

  row() {
    const make = button("", () => this.play(make.textContent));
    const cells = HEADS.map((_, i) => el("td", { class: i > 0 ? "number" : null }));
    const whisker = interval(0.5, 0.5, 0.5);
    cells[0].append(make);
    cells[3].append(whisker);
    const row = el("tr", {}, cells);
    const look = is_on => () => { this.shownMove = is_on ? make.textContent : null; this.show(this.shownMove); };
    row.addEventListener("mouseenter", look(true));
    row.addEventListener("mouseleave", look(false));
    make.addEventListener("focus", look(true));
    make.addEventListener("blur", look(false));
    return { row, make, cells, whisker };
  }

  update(snapshot) {
    const moves = snapshot.moves.slice(0, SHOWN);
    while (this.rows.length < moves.length) {
      const row = this.row();
      this.rows.push(row);
      this.body.append(row.row);
    }
    this.rows.forEach(({ row, make, cells, whisker }, i) => {
      const m = moves[i];
      if (row.hidden !== !m) row.hidden = !m;
      if (!m) return;
      const texts = [null, whole(m.visits), m.proven ?? percent(m.value), null, percent(m.prior),
        m.amaf === null ? "" : percent(m.amaf)];
      if (make.textContent !== m.move) make.textContent = m.move;
      texts.forEach((text, k) => { if (text !== null && cells[k].textContent !== text) cells[k].textContent = text; });
      row.classList.toggle("best", m.move === snapshot.best);
      const x = part => (2 + 96 * part).toFixed(1);
      const [, line, dot] = whisker.children;
      write(line, "x1", x(m.lo));
      write(line, "x2", x(m.hi));
      write(dot, "cx", x(m.value));
      write(whisker, "aria-label", `${percent(m.lo, 0)} to ${percent(m.hi, 0)}`);
    });
    // Columns that the recipe does not use take no room.
    this.table.classList.toggle("no-prior", moves.every(m => m.prior === null));
    this.table.classList.toggle("no-amaf", moves.every(m => m.amaf === null));
    const about = snapshot.best === undefined ? "The search begins."
      : `${snapshot.state}: ${whole(snapshot.simulations)} simulations, ${whole(snapshot.rate)} a second, value ${percent(snapshot.value)}, `
        + `${whole(snapshot.nodes)} nodes, ${(snapshot.bytes / 1048576).toFixed(1)} MiB, depth ${snapshot.depth}`;
    const line = snapshot.variation ? "Expected: " + snapshot.variation.join(" ") : "";
    if (this.about.textContent !== about) this.about.textContent = about;
    if (this.line.textContent !== line) this.line.textContent = line;
  }
}
