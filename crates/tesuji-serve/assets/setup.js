// Stones that are put on a board of Go one by one.

import { post } from "./api.js";
import { button, el, say } from "./dom.js";

const KINDS = ["Black", "White", "None"];

/**
 * A panel; `draw` shows a position and calls back with the name of a place, `done` gets the moves
 * that lead there, and warnings.
 */
export class Setup {
  constructor(draw, done) {
    this.draw = draw;
    this.done = done;
    this.kind = "Black";
    const choice = (group, words, chosen, choose) => el("fieldset", {}, el("legend", {}, group), words.map(word => el("label", {},
      el("input", { type: "radio", name: group, value: word, checked: word === chosen, onchange: () => choose(word) }), ` ${word}`)));
    this.next = "Black";
    this.element = el("div", { class: "panel row", hidden: true, id: "stones" },
      choice("Stone", KINDS, "Black", word => { this.kind = word; }), choice("To move", KINDS.slice(0, 2), "Black", word => { this.next = word; }),
      button("Play from here", () => this.finish()), button("Cancel", () => this.end(null)));
  }

  begin(position, place) {
    this.place = place;
    this.position = position;
    this.owners = position.drawing.board.pieces.map(piece => piece?.owner ?? 0);
    this.element.hidden = false;
    this.show();
    say("Choose a place to put a stone there, or to take it away.");
  }

  names() {
    const { columns, rows } = this.position.drawing.board;
    return this.owners.map((_, at) => columns[at % columns.length] + rows[Math.floor(at / columns.length)]);
  }

  show() {
    const names = this.names();
    const board = { ...this.position.drawing.board, pieces: this.owners.map(owner => owner > 0 ? { owner, label: "" } : null) };
    this.draw({ ...this.position, moves: [], legal: names, drawing: { board } }, name => this.put(names.indexOf(name)));
  }

  put(at) {
    const owner = KINDS.indexOf(this.kind) + 1;
    this.owners[at] = owner === 3 || this.owners[at] === owner ? 0 : owner;
    this.show();
    say(`${this.names()[at]}: ${["empty", "black", "white"][this.owners[at]]}.`);
  }

  async finish() {
    const of = player => this.names().filter((_, at) => this.owners[at] === player);
    try {
      const { moves, warnings } = await post("/api/setup", { ...this.place, black: of(1), white: of(2), to_move: KINDS.indexOf(this.next) + 1 });
      this.end(moves, warnings);
    } catch (error) {
      say(error.message);
    }
  }

  end(moves, warnings = []) {
    this.element.hidden = true;
    this.done(moves, warnings);
  }
}
