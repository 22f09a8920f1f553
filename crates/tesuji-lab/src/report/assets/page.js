// The games of the report: a list to choose from, and a board to play through.
"use strict";

(async () => {
  const $ = id => document.getElementById(id);
  const packed = $("games-data");
  if (!packed) return;

  // The data is JSON, compressed (zlib) and in base64.
  const bytes = Uint8Array.from(atob(packed.textContent.trim()), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const data = await new Response(stream).json();
  // A move, a value or a share is one character each, counted from this one.
  const BASE = 35;
  const codes = text => [...text].map(c => c.codePointAt(0) - BASE);

  const escape = text => String(text).replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);
  const games = data.matches.flatMap((match, m) => match.games.map(game => ({
    ...game, match, id: `${m + 1}.${game.opening}.${game.replica}.${game.a_first ? 1 : 2}`,
    players: game.a_first ? [match.a, match.b] : [match.b, match.a],
  })));

  // The list.
  const PAGE = 100;
  let shown = [], limit = PAGE, current = null, ply = 0, positions = [], board = null;

  function filter() {
    const words = $("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    const match = $("match") ? $("match").value : "", winner = $("winner").value;
    shown = games.filter(game =>
      (match === "" || game.match === data.matches[match]) &&
      (winner === "" || game.a_value === +winner) &&
      words.every(word => game.text.includes(word)));
    limit = PAGE;
    list();
  }
  for (const game of games) {
    game.text = [game.id, game.match.name, ...game.players, game.result, game.ending, game.note].join(" ").toLowerCase();
  }
  function list() {
    $("games").innerHTML = shown.slice(0, limit).map(game =>
      `<tr data-id="${game.id}"${game === current ? ' class="chosen"' : ""}><td><button>${game.id}</button></td>` +
      (data.matches.length > 1 ? `<td>${escape(game.match.name)}</td>` : "") +
      `<td>${escape(game.players[0])}</td><td>${escape(game.players[1])}</td><td>${escape(game.result)}</td>` +
      `<td>${game.length}</td><td>${escape(game.ending)}</td></tr>`).join("");
    $("count").textContent = `${Math.min(limit, shown.length)} of ${shown.length} games`;
    $("more").hidden = shown.length <= limit;
  }

  // The board.
  function open(game, at) {
    current = game;
    game.list ??= codes(game.moves).map(code => game.match.moves[code]);
    const { board: shape } = game.match;
    board = shape && BOARDS[shape.board] ? BOARDS[shape.board](shape) : null;
    positions = board ? [board.start] : [];
    $("slider").max = game.list.length;
    $("players").innerHTML = ["Black", "White"].map((colour, i) =>
      `<span class="dot dot-${i}"></span>${colour}, ${i ? "second" : "first"}: <b>${escape(game.players[i])}</b>`).join(" ");
    $("about").textContent = [`Game ${game.id}`, game.match.game, `result ${game.result}`, `ended by ${game.ending}`, game.note]
      .filter(Boolean).join(" · ");
    const kept = game.given > 0 ? `The first ${game.given} moves were given to both.` : "";
    $("given").textContent = kept;
    $("moves").innerHTML = game.list.map((move, i) =>
      `<li class="${i < game.given ? "given" : ""}"><button data-ply="${i + 1}">${escape(move)}</button></li>`).join("");
    const isGo = shape?.board === "go";
    $("sgf").hidden = !isGo;
    if (isGo) {
      $("sgf-text").textContent = sgf(game);
      const link = $("sgf-link");
      link.href = "data:application/x-go-sgf;charset=utf-8," + encodeURIComponent(sgf(game));
      link.download = `game-${game.id}.sgf`;
    }
    curve(game);
    $("viewer").hidden = false;
    document.querySelectorAll("#games tr").forEach(row => row.classList.toggle("chosen", row.dataset.id === game.id));
    show(at ?? game.list.length);
  }

  function show(to) {
    ply = Math.max(0, Math.min(current.list.length, to));
    for (let i = positions.length; board && i <= ply; i++) {
      positions[i] = board.play(positions[i - 1], current.list[i - 1], (i - 1) % 2);
    }
    $("board").innerHTML = board
      ? `<svg viewBox="0 0 ${board.width} ${board.height}" role="img" aria-label="The position after ${ply} moves">${board.draw(positions[ply])}</svg>`
      : "";
    $("slider").value = ply;
    $("status").textContent = status();
    const items = $("moves").children;
    for (let i = 0; i < items.length; i++) items[i].classList.toggle("now", i + 1 === ply);
    if (ply > 0) $("moves").scrollTop = items[ply - 1].offsetTop - items[0].offsetTop - 60;
    const cursor = $("cursor");
    if (cursor) cursor.setAttribute("transform", `translate(${ply})`);
  }

  function status() {
    const parts = [`Move ${ply} of ${current.list.length}`];
    if (ply > 0) {
      const { value, share } = figures(current, ply - 1);
      parts.push(`${ply % 2 ? "Black" : "White"} ${current.list[ply - 1]}`);
      if (value !== null) parts.push(`value ${(value / 100).toFixed(2)} for ${ply % 2 ? "Black" : "White"}`);
      if (share !== null) parts.push(`${share} % of the simulations`);
    }
    if (board) parts.push(board.status(positions[ply]));
    return parts.filter(Boolean).join(" · ");
  }

  // What the search that found this move said: hundredths, from the side of its player; 101 stands for nothing.
  function figures(game, i) {
    const read = text => {
      const code = text ? text.codePointAt(i) - BASE : NaN;
      return code >= 0 && code <= 100 ? code : null;
    };
    return { value: read(game.values), share: read(game.shares) };
  }

  // The values of both players' searches, from the side of Black.
  function curve(game) {
    const n = Math.max(1, game.list.length), paths = ["", ""];
    game.list.forEach((_, i) => {
      const { value } = figures(game, i);
      if (value !== null) paths[i % 2] += `${paths[i % 2] ? "L" : "M"}${i + 1} ${i % 2 ? value : 100 - value}`;
    });
    $("curve").hidden = !(paths[0] || paths[1]);
    $("curve-plot").innerHTML =
      `<svg viewBox="0 -4 ${n} 108" preserveAspectRatio="none" role="img" aria-label="Values of the searches, from the side of Black">` +
      `<path class="half" d="M0 50H${n}"/>` +
      paths.map((d, i) => `<path class="values values-${i}" d="${d}"/>`).join("") + `<path id="cursor" d="M0 0V100"/></svg>`;
  }

  // SGF, with what the searches said as comments.
  function sgf(game) {
    const text = s => String(s).replace(/[\\\]]/g, c => "\\" + c);
    const { size } = game.match.board;
    const point = move => {
      const [x, y] = GoBoard.fromDimensions(size).parseVertex(move);
      return x < 0 ? "" : String.fromCharCode(97 + x, 97 + y);
    };
    const nodes = game.list.map((move, i) => {
      const { value, share } = figures(game, i);
      const said = [value === null ? "" : `value ${(value / 100).toFixed(2)}`, share === null ? "" : `${share} % of the simulations`];
      const comment = said.filter(Boolean).join(", ");
      return `;${i % 2 ? "W" : "B"}[${point(move)}]` + (comment ? `C[${comment}]` : "");
    });
    const komi = game.match.komi ?? 0;
    // Tromp and Taylor's rules without suicide, in the words of KataGo.
    const rules = { ko: "POSITIONAL", scoring: "AREA", suicide: false, tax: "NONE" };
    return `(;GM[1]FF[4]CA[UTF-8]AP[tesuji]SZ[${size}]KM[${komi}]RU[${JSON.stringify(rules)}]PB[${text(game.players[0])}]PW[${text(game.players[1])}]` +
      `RE[${text(game.result)}]\n${nodes.join("\n")})\n`;
  }

  const go = { first: () => 0, back: () => ply - 1, forward: () => ply + 1, last: () => Infinity };
  for (const id of Object.keys(go)) $(id).addEventListener("click", () => show(go[id]()));
  const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };
  document.addEventListener("keydown", event => {
    if (!current || !keys[event.key] || event.target.matches("input, select, summary")) return;
    event.preventDefault();
    show(go[keys[event.key]]());
  });
  $("slider").addEventListener("input", event => show(+event.target.value));
  $("moves").addEventListener("click", event => {
    if (event.target.dataset.ply) show(+event.target.dataset.ply);
  });
  $("curve-plot").addEventListener("click", event => {
    const box = $("curve-plot").getBoundingClientRect();
    show(Math.round((event.clientX - box.left) / box.width * current.list.length));
  });
  $("games").addEventListener("click", event => {
    const row = event.target.closest("tr");
    if (!row) return;
    open(games.find(game => game.id === row.dataset.id));
    $("viewer").scrollIntoView();
  });
  $("more").addEventListener("click", () => { limit += PAGE; list(); });
  for (const id of ["filter", "match", "winner"]) $(id)?.addEventListener("input", filter);

  // `report.html#1.0.0.1-30` opens a game at a move.
  const [, id, at] = location.hash.match(/^#([\d.]+)(?:-(\d+))?$/) ?? [];
  filter();
  const first = games.find(game => game.id === id) ?? games[0];
  if (first) open(first, at === undefined ? undefined : +at);

  // The report of a running experiment is written anew now and then.
  const again = +document.body.dataset.again;
  if (again > 0) setTimeout(() => {
    if (current) location.hash = `${current.id}-${ply}`;
    location.reload();
  }, 1000 * again);
})();
