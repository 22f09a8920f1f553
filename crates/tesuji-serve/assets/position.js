// The game on the board: what was played, and what may be played.

import { post } from "./api.js";

export class Line {
  /** `comments` are by the number of moves that they follow. */
  constructor(query, comments = {}) {
    this.comments = comments;
    this.game = query.get("game") || "go:9";
    this.komi = query.get("komi") || null;
    this.moves = (query.get("moves") ?? "").split(/[ +]/).filter(text => text);
    this.undone = [];
    this.position = null;
    this.shown = [[], []];   // The moves of the last position that was loaded, and those undone.
  }

  place() {
    return { game: this.game, komi: this.komi, moves: this.moves.join(" ") };
  }

  /** Whether one of this line and that place leads to the other. */
  isOn(place) {
    const [a, b] = [this.place().moves, place.moves].map(moves => moves && `${moves} `);
    return this.game === place.game && this.komi === place.komi && (a.startsWith(b) || b.startsWith(a));
  }

  async load() {
    const asked = [[...this.moves], [...this.undone]];
    this.position = await post("/api/position", this.place());
    this.shown = asked;
    return this.position;
  }

  /** Back to the position that was loaded last. */
  restore() {
    [this.moves, this.undone] = this.shown.map(list => [...list]);
  }

  play(text) {
    this.moves.push(text);
    this.undone = [];
  }

  undo() {
    if (this.moves.length > 0) this.undone.push(this.moves.pop());
  }

  redo() {
    if (this.undone.length > 0) this.moves.push(this.undone.pop());
  }

  goTo(ply) {
    const all = [...this.moves, ...this.undone.toReversed()];
    this.moves = all.slice(0, ply);
    this.undone = all.slice(ply).toReversed();
  }

  address() {
    const query = new URLSearchParams({ game: this.game });
    if (this.komi) query.set("komi", this.komi);
    query.set("moves", this.moves.join(" "));
    return "#" + query;
  }
}
