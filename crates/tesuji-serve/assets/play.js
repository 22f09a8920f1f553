// Play and analyse any game, by people and recipes in any mix.

import { get, post, postSgf, stream } from "./api.js";
import { Backups } from "./backups.js";
import { Marks, Places, drawBoard } from "./board.js";
import { Candidates } from "./candidates.js";
import { button, el, field, percent, say } from "./dom.js";
import { Line } from "./position.js";
import { Setup } from "./setup.js";
import { Sweep } from "./sweep.js";

const GAMES = ["go:9", "go:13", "go:19", "hex:7", "hex:11", "connect-four", "tic-tac-toe", "domineering:6x6", "knightthrough",
  "heap-go:3x4", "p-game:3,8"];

export async function playPage(main, query, isLeft) {
  const known = await get("/api/list");
  let line = new Line(query);
  let busy = 0;            // Counts positions: what belongs to an earlier one is dropped.
  let board = null;
  let shown = "";          // The address of the position on the board.
  let marks = null;
  let running = [];        // Searches: { id, end, snapshot }
  let analysing = false;

  const recipes = el("datalist", { id: "recipes" }, known.recipes.map(r => el("option", { value: r.name }, r.about)));
  const games = el("datalist", { id: "games" }, GAMES.map(name => el("option", { value: name })));
  const agent = (value, label) => el("input", { value, list: "recipes", size: 22, "aria-label": label, spellcheck: "false" });
  const game = el("input", { value: line.game, list: "games", size: 14 });
  const komi = el("input", { value: line.komi ?? "", size: 4 });
  const seats = [agent("", "First player"), agent("", "Second player")];
  seats.forEach(seat => { seat.placeholder = "a person"; seat.addEventListener("change", () => refresh()); });
  const simulations = el("input", { type: "number", min: 1, max: 10000000, value: 1000 });
  const analysts = [agent("grave,playout=uniform", "Analyse by"), agent("", "And by")];
  const moves = el("input", { value: line.moves.join(" "), size: 40, spellcheck: "false" });

  const holder = el("div", { id: "board" });
  const turn = el("p", { id: "turn" });
  const beside = el("div", { class: "row", id: "beside" });
  const list = el("div", { class: "row" });
  const legal = el("details", {}, el("summary", {}, "All legal moves"), list);
  const sides = el("div", { class: "side" });
  const heaps = el("div");
  const file = el("input", { type: "file", accept: ".sgf", onchange: () => load() });
  const comment = el("p", { id: "comment" });
  const heat = el("select", { id: "heat", onchange: () => showHeat() },
    [["visits", "Visits"], ["owners", "Ownership"], ["none", "Nothing"]].map(([value, text]) => el("option", { value }, text)));
  const backups = new Backups();
  const setup = new Setup((position, put) => holder.replaceChildren(drawBoard(position, put, say, focusedPlace())), async (text, warnings) => {
    shown = "";
    if (text !== null) setLine(text);
    await refresh();
    if (warnings.length > 0) say(warnings.join(". "));
  });
  const stones = button("Set up stones", () => { endSearches(); sides.replaceChildren(); setup.begin(line.position, line.place()); }, { id: "set-up" });
  const sweep = new Sweep((judged, ply) => {
    if (!line.isOn(judged)) setGame(judged);
    else if (line.moves.join(" ").length < judged.moves.length) setLine(judged.moves);
    line.goTo(ply);
    refresh();
  });

  const analyse = button("Analyse", () => { analysing = !analysing; refresh(); }, { id: "analyse" });
  const hold = button("Stop", () => order(hold.textContent === "Stop" ? "pause" : "resume"), { id: "hold", disabled: true });
  const explore = button("Explore the tree", () => {
    const id = running[0].id;
    running.shift().end();
    location.hash = `#tree=${id}`;
  }, { disabled: true });
  const again = () => { line = new Line(new URLSearchParams({ game: game.value.trim(), komi: komi.value.trim() })); refresh(); };

  main.append(recipes, games, el("div", { class: "two" },
    el("div", {}, turn, holder, setup.element, beside, el("div", { class: "row" },
      button("Undo", () => { line.undo(); refresh(); }, { id: "undo" }), button("Redo", () => { line.redo(); refresh(); }),
      button("To the start", () => { line.goTo(0); refresh(); }), field("On the board", heat)),
    comment, legal, heaps),
    el("div", {},
      el("div", { class: "row" }, field("Game", game), field("Komi", komi), button("New game", again, { id: "new-game" })),
      el("div", { class: "row" }, field("First player", seats[0]), field("Second player", seats[1]), field("Simulations a move", simulations)),
      el("div", { class: "row" }, field("Analyse by", analysts[0]), field("And by", analysts[1]), analyse, hold, explore),
      sides, backups.element,
      el("details", {}, el("summary", {}, "Set up, files, the whole game"),
        el("div", { class: "row" }, field("Moves", moves), button("Set up", () => { setLine(moves.value); refresh(); }), stones),
        el("div", { class: "row" }, field("Load SGF", file), button("Save SGF", () => save()),
          button("Copy the address", () => navigator.clipboard?.writeText(location.href).then(() => say("Copied.")))),
        el("div", { class: "row" }, button("Judge every move", () => sweep.run(line.place(), analysts[0].value, +simulations.value)),
          button("Stop judging", () => sweep.stop()),
          button("Compare backups", () => backups.show(line.place(), analysts[0].value, +simulations.value)))),
      sweep.element)));

  const focusedPlace = () => holder.contains(document.activeElement) ? +(document.activeElement.dataset.place ?? -1) : -1;

  /** Another game than before. */
  function setGame(place, loaded = null) {
    line = new Line(new URLSearchParams({ game: place.game, komi: place.komi ?? "", moves: place.moves }), loaded);
    game.value = place.game;
    komi.value = place.komi ?? "";
  }

  function setLine(text) {
    line.moves = text.split(/\s+/).filter(word => word);
    line.undone = [];
  }

  /** Marks the board: by the visits of the first search, or by ownership. */
  async function showHeat() {
    marks?.clear();
    if (heat.value === "owners" && line.position?.is_go) {
      const address = shown;
      const { ownership } = await post("/api/ownership", line.place()).catch(error => { say(error.message); return {}; });
      if (ownership && address === shown && heat.value === "owners") marks.showOwnership(ownership);
    } else if (heat.value === "visits" && running[0]?.snapshot) {
      marks.showVisits(running[0].snapshot.moves, running[0].snapshot.best);
    }
  }

  function endSearches() {
    for (const search of running) {
      search.end();
      post(`/api/searches/${search.id}`, { order: "end" }).catch(() => {});
    }
    running = [];
    hold.disabled = explore.disabled = true;
    hold.textContent = "Stop";
  }

  async function order(word) {
    hold.textContent = word === "pause" ? "Go on" : "Stop";
    await Promise.all(running.map(search => post(`/api/searches/${search.id}`, { order: word })));
  }

  async function search(recipe, most, panel, ended) {
    const now = busy;
    const { id } = await post("/api/searches", { ...line.place(), recipe, simulations: most, seed: line.moves.length });
    if (now !== busy) return void post(`/api/searches/${id}`, { order: "end" }).catch(() => {});
    const entry = { id, snapshot: null };
    const redraw = () => {
      const held = panel.shownMove && entry.snapshot?.variations?.[panel.shownMove];
      if (held) marks.showLine(held);
      else if (heat.value !== "visits") marks.hideLine();
      else if (running[0]?.snapshot) marks.showVisits(running[0].snapshot.moves, running[0].snapshot.best);
    };
    panel.show = redraw;
    entry.end = stream(`/api/searches/${id}/events`, null, snapshot => {
      entry.snapshot = snapshot;
      panel.update(snapshot);
      redraw();
      if (snapshot.state === "ended") ended?.(snapshot);
    }, error => say(error.message));
    running.push(entry);
    hold.disabled = explore.disabled = false;
  }

  function play(text) {
    line.play(text);
    refresh();
  }

  /** Shows the position anew; the place of the board that has the focus keeps it. */
  async function refresh() {
    const now = ++busy;
    endSearches();
    let position;
    try {
      position = await line.load();
    } catch (error) {
      if (now === busy) line.restore();
      return say(error.message);
    }
    if (now !== busy || isLeft()) return;
    const address = line.address();
    history.replaceState(null, "", address);
    moves.value = position.moves.join(" ");
    if (address !== shown) {
      shown = address;
      board = drawBoard(position, play, say, focusedPlace());
      holder.replaceChildren(board ?? el("pre", {}, position.text));
      list.replaceChildren(...position.legal.slice(0, 400).map(text => button(text, () => play(text))));
      if (!board) legal.open = true;
      // A pass and the like have no place on the board.
      const places = new Places(position);
      const others = board && places.board ? position.legal.filter(text => places.target(text) < 0) : [];
      beside.replaceChildren(...others.slice(0, 8).map(text => button(text === "PASS" ? "Pass" : text, () => play(text))));
      thermographs(position, address);
    }
    // A board stays where it is while its seats change: a click that has begun there ends there.
    marks = new Marks(board, position);
    showHeat();
    backups.hide();
    stones.hidden = !position.is_go;
    heat.querySelector("[value=owners]").disabled = !position.is_go;
    comment.textContent = line.comment();
    sides.replaceChildren();
    analyse.textContent = analysing ? "End the analysis" : "Analyse";
    if (position.result !== null) {
      const who = position.result > 0.5 ? "The first player wins." : position.result < 0.5 ? "The second player wins." : "A draw.";
      turn.textContent = `The game is over. ${who}`;
      return say(turn.textContent);
    }
    const seat = seats[position.to_move - 1].value.trim();
    turn.textContent = `Move ${position.moves.length + 1}: player ${position.to_move} to move` + (seat ? ` (${seat} thinks).` : ".");
    say((position.moves.length > 0 ? `${position.moves.at(-1)} was played. ` : "") + turn.textContent);
    try {
      if (seat) {
        const panel = new Candidates(seat, () => {}, () => {});
        sides.append(panel.element);
        await search(seat, +simulations.value, panel, snapshot => { if (now === busy) play(snapshot.best); });
      } else if (analysing) {
        for (const analyst of analysts.map(input => input.value.trim()).filter(text => text)) {
          const panel = new Candidates(analyst, text => play(text), () => {});
          sides.append(panel.element);
          await search(analyst, null, panel);
        }
      }
    } catch (error) {
      say(error.message);
      turn.textContent = error.message;
    }
  }

  async function thermographs(position, address) {
    heaps.replaceChildren();
    const drawn = position.drawing?.heaps?.filter(heap => heap.length > 0);
    if (!drawn?.length) return;
    const texts = drawn.map(heap => heap.toReversed().map(counter => (counter.owner === 1 ? "b" : "r") + counter.label.replace(/\D/g, "")).join(""));
    try {
      const { svg } = await post("/api/thermographs", { heaps: texts });
      if (address !== shown) return;
      const picture = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
      heaps.replaceChildren(el("figure", {}, el("img", { src: picture, alt: "Thermographs of " + texts.join(", "), width: "100%" }),
        el("figcaption", {}, "Thermographs of the heaps")));
    } catch { /* a sum without thermographs */ }
  }

  async function load() {
    try {
      const said = await postSgf("/api/sgf/read", file.files[0]);
      setGame(said, said);
      await refresh();
      say(`${said.black || "Black"} against ${said.white || "White"}, ${said.result || "no result"}. ${said.warnings.join(". ")}`);
    } catch (error) {
      say(error.message);
    }
  }

  async function save() {
    try {
      const text = await sweep.sgf(line, { black: seats[0].value, white: seats[1].value });
      const link = el("a", { href: URL.createObjectURL(new Blob([text], { type: "application/x-go-sgf" })), download: "game.sgf" });
      link.click();
    } catch (error) {
      say(error.message);
    }
  }

  await refresh();
  return () => { busy++; endSearches(); sweep.stop(); };
}
