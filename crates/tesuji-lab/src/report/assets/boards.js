// Boards. Each has a start, plays a move on a position and gives the next one, and draws a position as the body of an
// SVG of the given size. Player 0 moved first and is black. A game tells its board's shape; one without has none here.
"use strict";

const COLOURS = ["#161616", "#fbfbfb"];

const disk = (x, y, r, player) =>
  `<circle class="stone" data-player="${player}" cx="${x}" cy="${y}" r="${r}" fill="${COLOURS[player]}" stroke="#222" stroke-width=".04"/>`;
const ring = (x, y, r, player) =>
  `<circle class="last" cx="${x}" cy="${y}" r="${r}" fill="none" stroke="${COLOURS[1 - player]}" stroke-width=".09"/>`;
const label = (x, y, text, size = 0.42) =>
  `<text x="${x}" y="${y}" font-size="${size}" text-anchor="middle" dominant-baseline="central">${text}</text>`;
const line = (x1, y1, x2, y2) => `<path d="M${x1} ${y1}L${x2} ${y2}"/>`;

// Go: the rules of captures are those of @sabaki/go-board.
function goBoard({ size }) {
  const letters = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
  const edge = size > 11 ? 3 : 2;
  const stars = size < 7 ? [] : size % 2 ? [edge, (size - 1) / 2, size - 1 - edge] : [edge, size - 1 - edge];
  const hasStar = (x, y) => size > 11 || size % 2 === 0 || (x === stars[1]) === (y === stars[1]);
  return {
    width: size + 1.6,
    height: size + 1.6,
    start: { board: GoBoard.fromDimensions(size), last: null },
    play({ board }, move, player) {
      const vertex = board.parseVertex(move);
      return { board: board.makeMove(player === 0 ? 1 : -1, vertex), last: board.has(vertex) ? vertex : null };
    },
    draw({ board, last }) {
      const at = i => i + 1.3, end = at(size - 1);
      let lines = "", texts = "", stones = "";
      for (let i = 0; i < size; i++) {
        lines += line(at(i), at(0), at(i), end) + line(at(0), at(i), end, at(i));
        for (const side of [0.45, size + 1.15]) {
          texts += label(at(i), side, letters[i]) + label(side, at(i), size - i);
        }
      }
      for (const x of stars) for (const y of stars) {
        if (hasStar(x, y)) lines += `<circle cx="${at(x)}" cy="${at(y)}" r=".1" fill="#333"/>`;
      }
      board.signMap.forEach((row, y) => row.forEach((sign, x) => {
        if (sign) stones += disk(at(x), at(y), 0.47, sign > 0 ? 0 : 1);
      }));
      if (last && board.get(last)) stones += ring(at(last[0]), at(last[1]), 0.24, board.get(last) > 0 ? 0 : 1);
      return `<g stroke="#333" stroke-width=".035">${lines}</g>${texts}${stones}`;
    },
    status: ({ board }) => `captured by Black ${board.getCaptures(1)}, by White ${board.getCaptures(-1)}`,
  };
}

// Pieces on squares or hexagons. A position is a list of pieces; the last of them was placed or moved last.
function cellBoard({ shape, columns, rows, moves, bottomUp, start }) {
  const hex = shape === "hexagons", w = Math.sqrt(3) / 2;
  const y0 = y => (bottomUp ? rows - 1 - y : y);
  const centre = (x, y) => (hex ? [w * (x + y / 2) + 1.2, 0.75 * y + 1.2] : [x + 1.3, y0(y) + 1.3]);
  const cell = text => [text.charCodeAt(0) - 97, parseInt(text.slice(1), 10) - 1];
  const same = ([a, b], [c, d]) => a === c && b === d;
  const corner = ([x, y], i) => [x + 0.5 * Math.sin(i * Math.PI / 3), y - 0.5 * Math.cos(i * Math.PI / 3)];
  const path = points => "M" + points.map(p => p.map(n => n.toFixed(3)).join(" ")).join("L");
  const ways = {
    place(pieces, move, player) {
      // The swap of Hex: the first stone, mirrored, becomes the second player's.
      const at = move === "swap" ? [...pieces[0].at].reverse() : cell(move);
      return [...(move === "swap" ? [] : pieces), { at, player }];
    },
    drop(pieces, move, player) {
      const x = parseInt(move, 10) - 1;
      return [...pieces, { at: [x, pieces.filter(p => p.at[0] === x).length], player }];
    },
    step(pieces, move, player) {
      const [, from, to] = move.match(/^([a-z]\d+)([a-z]\d+)$/).map((t, i) => (i ? cell(t) : t));
      return [...pieces.filter(p => !same(p.at, from) && !same(p.at, to)), { at: to, player, from }];
    },
    domino: (pieces, move, player) => [...pieces, { at: cell(move), player, domino: true }],
  };
  const pieces = (start || []).flatMap((row, y) =>
    [...row].flatMap((c, x) => (c === "." ? [] : [{ at: [x, y], player: c === "x" ? 0 : 1 }])));
  return {
    width: hex ? w * (columns + (rows - 1) / 2) + 1.5 : columns + 1.6,
    height: hex ? 0.75 * rows + 1.7 : rows + 1.6,
    start: { pieces, moved: false },
    play: (position, move, player) => ({ pieces: ways[moves](position.pieces, move, player), moved: true }),
    draw({ pieces, moved }) {
      let body = "", sides = ["", ""];
      for (let y = 0; y < rows; y++) for (let x = 0; x < columns; x++) {
        const c = centre(x, y);
        if (!hex) {
          const dark = moves !== "drop" && (x + y) % 2 === 0;
          body += `<rect x="${c[0] - 0.5}" y="${c[1] - 0.5}" width="1" height="1" fill="${dark ? "#0002" : "#fff3"}" stroke="#0005" stroke-width=".03"/>`;
          if (moves === "drop") body += `<circle cx="${c[0]}" cy="${c[1]}" r=".42" fill="#0002"/>`;
          continue;
        }
        const part = (...ids) => path(ids.map(i => corner(c, i)));
        body += `<path d="${part(0, 1, 2, 3, 4, 5)}Z" fill="#fff3" stroke="#0006" stroke-width=".03"/>`;
        if (y === 0) sides[0] += part(5, 0, 1);
        if (y === rows - 1) sides[0] += part(4, 3, 2);
        if (x === 0) sides[1] += part(5, 4, 3);
        if (x === columns - 1) sides[1] += part(0, 1, 2);
      }
      // The first player connects the black sides, top and bottom.
      sides.forEach((d, i) => { if (d) body += `<path d="${d}" fill="none" stroke="${COLOURS[i]}" stroke-width=".13"/>`; });
      for (let x = 0; x < columns; x++) {
        const [cx] = centre(x, 0);
        body += label(hex ? cx - 0.3 : cx, hex ? 0.35 : bottomUp ? rows + 1.2 : 0.45, moves === "drop" ? x + 1 : String.fromCharCode(97 + x));
      }
      if (moves !== "drop") for (let y = 0; y < rows; y++) {
        const [cx, cy] = centre(0, y);
        body += label(hex ? cx - 0.75 : 0.45, cy, y + 1);
      }
      pieces.forEach(({ at, player, domino, from }, i) => {
        const [x, y] = centre(...at), r = hex ? 0.34 : 0.4;
        const isLast = moved && i === pieces.length - 1;
        if (domino) {
          const [width, height] = player === 0 ? [0.8, 1.8] : [1.8, 0.8];
          body += `<rect class="stone" data-player="${player}" x="${x - 0.4}" y="${y - 0.4}" width="${width}" height="${height}" rx=".15" fill="${COLOURS[player]}" stroke="#222" stroke-width=".04"/>`;
          if (isLast) body += ring(x + width / 2 - 0.4, y + height / 2 - 0.4, 0.2, player);
          return;
        }
        if (isLast && from) {
          const [fx, fy] = centre(...from);
          body += `<g stroke="#06c" stroke-width=".08">${line(fx, fy, x, y)}</g>`;
        }
        body += disk(x, y, r, player) + (isLast ? ring(x, y, r / 2, player) : "");
      });
      return body;
    },
    status: () => "",
  };
}

// Heap-Go: columns of blue and red counters; who removes a counter gains its weight.
function heapBoard({ heaps }) {
  const counters = heaps.map(heap => (heap.match(/[br]\d+/g) ?? []).reverse().map(c => ({ red: c[0] === "r", weight: +c.slice(1) })));
  const highest = Math.max(...counters.map(heap => heap.length));
  return {
    width: heaps.length + 0.6,
    height: highest * 0.5 + 1.3,
    start: { left: counters.map(heap => heap.length), score: 0, last: null },
    play({ left, score }, move, player) {
      const [heap, height] = move.split(".").map(Number);
      let after = height, gain = 0, stopped = false;
      while (after > 0 && !stopped) {
        const counter = counters[heap - 1][--after];
        gain += counter.weight;
        stopped = counter.red === (player === 0);
      }
      left = left.map((n, i) => (i === heap - 1 ? after : n));
      return { left, score: score + (player === 0 ? gain : -gain), last: heap - 1 };
    },
    draw({ left, last }) {
      let body = "";
      counters.forEach((heap, i) => {
        heap.slice(0, left[i]).forEach(({ red, weight }, j) => {
          const y = 0.3 + (highest - 1 - j) * 0.5;
          body += `<rect class="stone" x="${i + 0.4}" y="${y}" width=".8" height=".44" rx=".08" fill="${red ? "#c0392b" : "#2468b0"}"/>`;
          body += `<text x="${i + 0.8}" y="${y + 0.23}" font-size=".3" text-anchor="middle" dominant-baseline="central" fill="#fff">${weight}</text>`;
        });
        body += label(i + 0.8, highest * 0.5 + 0.7, i + 1, 0.4);
        if (i === last) body += `<g stroke="#161616" stroke-width=".1">${line(i + 0.4, highest * 0.5 + 0.4, i + 1.2, highest * 0.5 + 0.4)}</g>`;
      });
      return body;
    },
    status: ({ score }) => `score of the first player ${score}`,
  };
}

const BOARDS = { go: goBoard, cells: cellBoard, heaps: heapBoard };
