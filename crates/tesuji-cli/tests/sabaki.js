#!/usr/bin/env node
// Sabaki's own engine and board code, without its window, plays a game of tesuji against itself.
//
//     npm install --prefix sabaki @sabaki/gtp @sabaki/go-board
//     NODE_PATH=sabaki/node_modules node crates/tesuji-cli/tests/sabaki.js TESUJI [SIZE]
//
// The script ends with status 1 at the first answer that Sabaki could not use.
"use strict";

const { Controller } = require("@sabaki/gtp");
const Board = require("@sabaki/go-board");

(async () => {
  const [program, size = "9"] = process.argv.slice(2);
  const engine = new Controller(program, ["gtp", "--size", size, "--playouts", "100"]);
  engine.start();
  const ask = async (name, ...args) => {
    const { content, error } = await engine.sendCommand({ name, args });
    if (error) throw new Error(`${name}: ${content}`);
    return content;
  };

  console.log(`${await ask("name")} ${await ask("version")}, protocol ${await ask("protocol_version")}`);
  const commands = (await ask("list_commands")).split("\n");
  for (const name of ["kata-analyze", "genmove", "undo", "final_score", "loadsgf"]) {
    if (!commands.includes(name)) throw new Error(`there is no ${name}`);
  }
  for (const [name, value] of [["boardsize", size], ["clear_board"], ["komi", "7.5"]]) {
    await ask(name, ...(value ? [value] : []));
  }

  // Each move must be legal on Sabaki's board, too.
  let board = Board.fromDimensions(+size), passes = 0, moves = 0;
  while (passes < 2 && moves < 1000) {
    const move = (await ask("genmove", moves % 2 ? "W" : "B")).toUpperCase();
    if (move === "RESIGN") break;
    passes = move === "PASS" ? passes + 1 : 0;
    if (move !== "PASS") {
      board = board.makeMove(moves % 2 ? -1 : 1, board.parseVertex(move), { preventOverwrite: true, preventSuicide: true });
    }
    moves++;
  }
  console.log(`${moves} moves, score ${await ask("final_score")}`);
  await engine.stop();
})().catch(error => {
  console.error(error);
  process.exit(1);
});
