// A position as a picture on which moves are made, by mouse and by keys, from its drawing as data alone.

import { svg, write } from "./dom.js";

/** Where places are, what they are called, and which moves they stand for. */
export class Places {
  constructor(position) {
    const board = position.drawing?.board;
    this.position = position;
    this.board = board;
    this.legal = position.legal;
    if (!board) return;
    this.across = board.columns.length;
    this.down = board.pieces.length / this.across;
    this.slant = board.places === "hexagons" ? 0.5 : 0;
    // Names are compared in small letters. A move begins and ends with the name of a place, or is called like a column.
    this.byName = new Map(board.pieces.map((_, place) => [this.name(place).toLowerCase(), place]));
    this.byPlace = new Map();
    for (const text of this.legal) {
      const first = board.rows.length === 0 ? text.toLowerCase() : text.toLowerCase().match(/^[a-z]+[0-9]+/)?.[0];
      this.byPlace.set(first, [...(this.byPlace.get(first) ?? []), text]);
    }
  }

  name(place) {
    const [column, row] = [place % this.across, Math.floor(place / this.across)];
    return this.board.columns[column] + (this.board.rows[row] ?? "");
  }

  centre(place) {
    const [column, row] = [place % this.across, Math.floor(place / this.across)];
    const line = this.board.bottom_up ? this.down - 1 - row : row;
    return [column + 1 + this.slant * line, line + 1];
  }

  /** The legal moves that begin at a place. */
  moves(place) {
    return this.byPlace.get(this.name(place).toLowerCase()) ?? [];
  }

  /** The place that a move fills. */
  target(text) {
    if (!this.board) return -1;
    const lower = text.toLowerCase();
    if (this.board.rows.length === 0) {
      const column = this.board.columns.findIndex(name => name.toLowerCase() === lower);
      for (let place = column; column >= 0 && place < this.board.pieces.length; place += this.across)
        if (!this.board.pieces[place]) return place;
      return -1;
    }
    return this.byName.get(lower) ?? this.byName.get(lower.match(/[a-z]+[0-9]+$/)?.[0]) ?? -1;
  }

  /** The places that a line fills in turn: a disc rests on those that it dropped before. */
  targets(line) {
    const dropped = new Map();
    return line.map(text => {
      const first = this.target(text);
      if (first < 0 || this.board.rows.length > 0) return first;
      const place = first + this.across * (dropped.get(first) ?? 0);
      dropped.set(first, (dropped.get(first) ?? 0) + 1);
      return place < this.board.pieces.length ? place : -1;
    });
  }
}

function piece(places, place, x, y, is_go) {
  const { owner, label } = places.board.pieces[place];
  const g = svg("g", { class: "piece" });
  if (owner === null) g.append(svg("rect", { class: "block", x: x - 0.4, y: y - 0.4, width: 0.8, height: 0.8 }));
  else if (is_go) g.append(svg("circle", { class: owner === 1 ? "black" : "white", cx: x, cy: y, r: 0.46 }));
  else {
    g.append(svg("circle", { class: owner === 1 ? "one" : "two-piece", cx: x, cy: y, r: 0.4 }));
    // The second player's pieces have a hole: colour is not all that tells them apart.
    if (owner === 2) g.append(svg("circle", { class: "hole", cx: x, cy: y, r: 0.17 }));
  }
  if (label) g.append(svg("text", { class: "number-mark", x, y: y + 0.15 }, label));
  return g;
}

const HEX = [[0, -0.577], [0.5, -0.289], [0.5, 0.289], [0, 0.577], [-0.5, 0.289], [-0.5, -0.289]];

function shape(board, x, y) {
  if (board.places === "squares") return svg("rect", { class: "cell", x: x - 0.5, y: y - 0.5, width: 1, height: 1 });
  if (board.places === "hexagons")
    return svg("polygon", { class: "cell", points: HEX.map(([dx, dy]) => `${x + dx},${y + dy * 0.95}`).join(" ") });
  return svg("g", {});
}

/** Draws a board; `play` is called with the text of a move, `say` with what to tell. `kept` is the place that had the focus. */
export function drawBoard(position, play, say, kept = -1) {
  const places = new Places(position);
  if (!places.board) return drawHeaps(position, play);
  const { board, across, down, slant } = places;
  const is_go = board.places === "points";
  const wide = across + 1 + slant * (down - 1);
  const picture = svg("svg", {
    class: "board " + board.places, viewBox: `0 0 ${wide} ${down + 1}`, role: "group",
    "aria-label": `Board, ${across} by ${down}. Arrow keys move, Enter plays.`,
  });
  if (is_go) {
    for (let i = 0; i < across; i++) picture.append(svg("path", { class: "grid", d: `M${i + 1} 1V${down}` }));
    for (let i = 0; i < down; i++) picture.append(svg("path", { class: "grid", d: `M1 ${i + 1}H${across}` }));
  }
  const names = svg("g", { class: "names", "aria-hidden": "true" });
  board.columns.forEach((name, i) => names.append(svg("text", { x: i + 1, y: board.bottom_up ? down + 0.85 : 0.35 }, name)));
  board.rows.forEach((name, row) => {
    const [x, y] = places.centre(row * across);
    names.append(svg("text", { x: x - 0.72, y: y + 0.1 }, name));
  });
  const groups = [];
  let from = null;
  const choose = place => {
    let moves = places.moves(place);
    if (from !== null) {
      const end = places.name(place).toLowerCase();
      const made = places.moves(from).filter(text => text.toLowerCase().endsWith(end));
      if (made.length > 0) return play(made[0]);
    }
    if (moves.length === 1 && places.target(moves[0]) === place || board.rows.length === 0 && moves.length > 0) return play(moves[0]);
    from = moves.length > 0 ? place : null;
    groups.forEach((g, at) => g.classList.toggle("from", at === from));
    say(moves.length > 0 ? `From ${places.name(place)}: choose where to (${moves.map(text => text.slice(places.name(place).length)).join(", ")}).`
      : `${places.name(place)} is not a legal move.`);
  };
  const focus = place => {
    groups.forEach((g, at) => g.setAttribute("tabindex", at === place ? 0 : -1));
    groups[place].focus();
  };
  const key = (event, place) => {
    const up = board.bottom_up ? across : -across;
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: up, ArrowDown: -up };
    if (event.key === "Enter" || event.key === " ") choose(place);
    else if (event.key in steps) {
      const next = place + steps[event.key];
      const same = Math.floor(next / across) === Math.floor(place / across);
      if (next >= 0 && next < groups.length && (same || Math.abs(steps[event.key]) === across)) focus(next);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const first = kept >= 0 ? kept : Math.floor(down / 2) * across + Math.floor(across / 2);
  board.pieces.forEach((held, place) => {
    const [x, y] = places.centre(place);
    const owner = held ? held.owner === null ? "taken" : `piece of player ${held.owner}` : "empty";
    const g = svg("g", {
      class: "place" + (places.moves(place).length > 0 ? " legal" : ""), role: "button", tabindex: place === first ? 0 : -1,
      "aria-label": `${places.name(place)}${board.rows.length === 0 ? ", row " + (Math.floor(place / across) + 1) : ""}, ${owner}`,
      "data-place": place, onclick: () => choose(place), onkeydown: event => key(event, place),
    }, shape(board, x, y), held ? piece(places, place, x, y, is_go) : null,
    svg("rect", { class: "ring", x: x - 0.48, y: y - 0.48, width: 0.96, height: 0.96 }));
    groups.push(g);
    picture.append(g);
  });
  const last = position.moves.at(-1);
  picture.append(names, svg("g", { class: "marks" }));
  if (kept >= 0) queueMicrotask(() => groups[kept].focus());
  if (last && is_go) mark(picture, places, last);
  return picture;
}

function mark(picture, places, text) {
  const place = places.target(text);
  if (place < 0 || !places.board.pieces[place]) return;
  const [x, y] = places.centre(place);
  picture.append(svg("circle", { class: "last", cx: x, cy: y, r: 0.25 }));
}

/** Heaps from left to right; a click takes everything above and the counter itself. */
function drawHeaps(position, play) {
  const heaps = position.drawing?.heaps;
  if (!heaps) return null;
  const high = Math.max(1, ...heaps.map(heap => heap.length));
  const picture = svg("svg", { class: "board", viewBox: `0 0 ${heaps.length + 1} ${high + 1}`, role: "group", "aria-label": "Heaps" });
  heaps.forEach((heap, h) => heap.forEach((counter, i) => {
    const [x, y, text] = [h + 1, high - heap.length + i + 0.8, `${h + 1}.${heap.length - i}`];
    const is_legal = position.legal.includes(text);
    picture.append(svg("g", {
      class: "place" + (is_legal ? " legal" : ""), role: "button", tabindex: is_legal ? 0 : -1,
      "aria-label": `heap ${h + 1}, counter ${heap.length - i}, ${counter.label} of player ${counter.owner}`,
      onclick: () => is_legal && play(text), onkeydown: event => event.key === "Enter" && is_legal && play(text),
    }, svg("rect", { class: counter.owner === 1 ? "one" : "two-piece", x: x - 0.45, y: y - 0.4, width: 0.9, height: 0.8, rx: 0.1 }),
    svg("text", { class: "number-mark", x, y: y + 0.15 }, counter.label),
    svg("rect", { class: "ring", x: x - 0.48, y: y - 0.45, width: 0.96, height: 0.9 })));
  }));
  picture.append(svg("g", { class: "marks" }));
  return picture;
}

/** Shows shares of visits as discs, or the moves of a variation as numbers. */
export class Marks {
  constructor(picture, position) {
    this.group = picture?.querySelector(".marks");
    this.places = new Places(position);
    this.discs = new Map();
  }

  clear() {
    this.group?.replaceChildren();
    this.discs.clear();
  }

  hideLine() {
    this.numbers?.remove();
    this.group?.classList.remove("line");
  }

  showVisits(moves, best) {
    if (!this.group || !this.places.board) return;
    this.hideLine();
    const all = moves.reduce((sum, m) => sum + m.visits, 0) || 1;
    const seen = new Set();
    for (const m of moves) {
      const place = this.places.target(m.move);
      if (place < 0) continue;
      seen.add(place);
      let disc = this.discs.get(place);
      if (!disc) {
        const [cx, cy] = this.places.centre(place);
        disc = svg("circle", { cx, cy });
        this.discs.set(place, disc);
        this.group.append(disc);
      }
      write(disc, "r", (0.46 * Math.sqrt(m.visits / all)).toFixed(2));
      write(disc, "class", m.move === best ? "heat best" : "heat");
    }
    for (const [place, disc] of this.discs) disc.toggleAttribute("hidden", !seen.has(place));
  }

  /** Shows whose each point will be, as squares; shares are [name, share of the first player]. */
  showOwnership(shares) {
    if (!this.group || !this.places.board) return;
    this.group.replaceChildren(...shares.map(([name, share]) => {
      const [place, sure] = [this.places.target(name), Math.abs(2 * share - 1)];
      if (place < 0 || sure < 0.1) return null;
      const [x, y] = this.places.centre(place);
      const half = 0.3 * sure;
      return svg("rect", { class: share > 0.5 ? "owned black" : "owned white", x: x - half, y: y - half, width: 2 * half, height: 2 * half },
        svg("title", {}, `${name}: the first player's in ${Math.round(100 * share)} %`));
    }).filter(mark => mark));
    this.discs.clear();
  }

  showLine(line) {
    if (!this.group || !this.places.board) return;
    this.numbers?.remove();
    this.numbers = svg("g", {}, this.places.targets(line).map((place, i) => {
      if (place < 0) return null;
      const [x, y] = this.places.centre(place);
      return svg("text", { class: "number-mark", x, y: y + 0.15 }, String(i + 1));
    }));
    this.group.classList.add("line");
    this.group.append(this.numbers);
  }
}
