// Every move of the game, judged: a graph, and the largest losses first.

import { post, stream } from "./api.js";
import { chart } from "./chart.js";
import { button, el, percent, say, table } from "./dom.js";
import { words } from "./position.js";

const LISTED = 12;

/** A panel that judges a line; `goTo` is called with a place and the number of moves to show of it. */
export class Sweep {
  constructor(goTo) {
    this.goTo = goTo;
    this.end = null;
    this.moves = [];
    this.place = null;       // The line that is judged.
    this.hints = el("input", { type: "checkbox", checked: true, onchange: () => this.draw() });
    this.body = el("div");
    this.element = el("section", { hidden: true }, el("h2", {}, "The whole game"),
      el("label", {}, this.hints, " Show better moves"), this.body);
  }

  run(place, recipe, simulations) {
    this.stop();
    this.element.hidden = false;
    this.moves = [];
    this.place = place;
    this.end = stream("/api/sweep", { ...place, recipe, simulations }, news => {
      this.moves = news.moves;
      this.draw();
      if (news.done) this.stop();
      if (news.error) say(news.error);
      else if (news.done) say(`All ${news.moves.length} moves are judged.`);
    }, error => say(error.message));
  }

  stop() {
    this.end?.();
    this.end = null;
  }

  draw() {
    const first = m => m.player === 1 ? m.value : 1 - m.value;
    const points = this.moves.map(m => ({
      x: m.number, y: first(m), bad: m.loss > 0.1, text: `${m.number}. ${m.move}: loss ${percent(m.loss)}`,
    }));
    const worst = [...this.moves].sort((a, b) => b.loss - a.loss).slice(0, LISTED).filter(m => m.loss > 0);
    const rows = worst.map(m => ({ cells: [
      button(`${m.number}. ${m.move}`, () => this.goTo(this.place, m.number - 1)), [percent(m.loss), "number"], [percent(m.value), "number"],
      this.hints.checked ? `${m.best} (${percent(m.best_value)})` : "", [this.hints.checked ? m.variation.slice(0, 8).join(" ") : "", "long"],
    ] }));
    this.body.replaceChildren(
      chart("Value for the first player after each move", [{ name: "value", points }],
        { range: [0, 1], x: "moves", choose: point => this.goTo(this.place, point.x) }),
      rows.length > 0 ? table("The largest losses", ["Move", ["Loss", "number"], ["Value", "number"], "Better", "Expected"], rows)
        : el("p", { class: "faint" }, `${this.moves.length} moves are judged; none loses anything yet.`));
  }

  /**
   * The game as SGF, with what was said of it here and in its file: all moves that were judged, if
   * the line is one of theirs.
   */
  async sgf(line, names) {
    const place = line.place();
    const isJudged = this.place && line.isOn(this.place);
    const whole = isJudged && place.moves.length < this.place.moves.length ? this.place : place;
    const file = line.said(words(whole.moves));
    const [black, white] = [names.black || file.black, names.white || file.white];
    return (await post("/api/sgf/write", { ...whole, ...file, black, white, said: isJudged ? this.moves : [] })).sgf;
  }
}
