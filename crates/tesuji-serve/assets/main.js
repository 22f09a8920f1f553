// Which page the address names.

import { el, say } from "./dom.js";
import { playPage } from "./play.js";
import { treePage } from "./tree.js";
import { laboratoryPage } from "./laboratory.js";
import { experimentPage } from "./experiment.js";
import { newPage } from "./form.js";
import { comparePage } from "./compare.js";

const TITLES = { laboratory: "Laboratory", experiment: "Experiment", new: "New experiment", compare: "Comparison", tree: "Tree" };
const PAGES = { play: playPage, game: playPage, tree: treePage, laboratory: laboratoryPage, experiment: experimentPage,
  new: newPage, compare: comparePage };

let leave = null;
let visits = 0;

/** `#game=go:9&moves=E5+C5` and the like: the first key names the page. */
function show() {
  const hash = location.hash.slice(1) || "play";
  const query = new URLSearchParams(hash);
  const name = [...query.keys()][0];
  leave?.();
  leave = null;
  const visit = ++visits;
  const main = document.getElementById("main");
  // What a page adds after it was left comes into an element that nobody sees.
  const own = el("div");
  main.replaceChildren(own);
  say("");
  for (const link of document.querySelectorAll("nav a"))
    if (link.hash === "#" + (name === "game" ? "play" : name)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  document.title = `${TITLES[name] ?? "Play and analyse"} – tesuji`;
  // Who follows a link goes on reading there.
  if (visit > 1) main.focus();
  const page = PAGES[name] ?? playPage;
  const isLeft = () => visit !== visits;
  Promise.resolve(page(own, query, isLeft)).then(end => {
    if (isLeft()) end?.();
    else leave = end;
  }).catch(error => {
    if (isLeft()) return;
    own.append(el("p", { class: "warn" }, error.message));
    say(error.message);
  });
}

document.getElementById("skip").addEventListener("click", () => document.getElementById("main").focus());
addEventListener("hashchange", show);
show();
