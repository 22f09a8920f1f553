// The game on the board: what was played, and what may be played.

import { post } from "./api.js";

/** The moves of a line of text. */
export const words = text => text.split(/[ +]/).filter(word => word);

export class Line {
  /** `file` has the names, the result, the moves and the comments of a loaded game. */
  constructor(query, file = null) {
    this.file = file;
    this.game = query.get("game") || "go:9";
    this.komi = query.get("komi") || null;
    this.moves = words(query.get("moves") ?? "");
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

  /**
   * What the loaded file says of a game with these moves: comments as far as its moves are the same,
   * the names if one game goes on with the other, the result if all moves are the same.
   */
  said(moves) {
    if (!this.file) return { comments: {} };
    const own = words(this.file.moves);
    let same = own.findIndex((text, i) => text !== moves[i]);
    if (same < 0) same = own.length;
    const comments = Object.fromEntries(Object.entries(this.file.comments).filter(([ply]) => ply <= same));
    const isPart = same === Math.min(own.length, moves.length), isWhole = same === own.length && same === moves.length;
    const { black, white, result } = this.file;
    return { comments, ...(isPart ? { black, white } : {}), ...(isWhole ? { result } : {}) };
  }

  /** The comment of the loaded file on this position. */
  comment() {
    return this.said(this.moves).comments[this.moves.length] ?? "";
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
