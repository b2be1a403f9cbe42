// The page of caulk serve. All it knows is the setting and the path, which its
// address holds; the server says what they come to.
"use strict";

const $ = (id) => document.getElementById(id);
let algorithms = [];
let place = { flags: "", start: 0, path: [] }; // path: [{Label, Body}]
let state = null; // the server's last answer
let drawnFor = null; // what the diagram shows
let turn = 0; // answers that come late are dropped
let soon = 0; // a diagram is drawn when no move follows at once

async function ask(what, extra) {
  const response = await fetch("api/" + what, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ Flags: place.flags, Start: place.start, Path: place.path, ...extra }),
  });
  const answer = await response.json().catch(() => ({ error: "the server did not answer as expected" }));
  if (!response.ok) throw new Error(answer.error || response.statusText);
  return answer;
}

function say(text, bad) {
  $("status").textContent = text;
  $("status").classList.toggle("bad", Boolean(bad));
}

// element makes an element with text and attributes.
function element(name, text, attributes = {}) {
  const e = document.createElement(name);
  if (text !== undefined) e.textContent = text;
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  return e;
}

// A link holds the flags, the start and the labels of the moves; a body stands
// behind the label where that alone would not do.
function link() {
  const moves = place.path.map((m) => (m.Body ? [m.Label, m.Body] : m.Label));
  return "#" + encodeURIComponent(JSON.stringify({ f: place.flags, s: place.start, p: moves }));
}

function readLink(hash) {
  const { f, s, p } = JSON.parse(decodeURIComponent(hash.slice(1)));
  if (typeof f !== "string" || !Array.isArray(p)) throw new Error("it lacks the flags or the path");
  return {
    flags: f,
    start: Number.isInteger(s) ? s : 0,
    path: p.map((m) => (Array.isArray(m) ? { Label: String(m[0]), Body: String(m[1]) } : { Label: String(m), Body: "" })),
  };
}

// go shows a place; says is what to tell of it.
async function go(next, says) {
  const before = place;
  place = next;
  const mine = ++turn;
  let answer;
  try {
    answer = await ask("state");
  } catch (e) {
    if (mine === turn) {
      place = before;
      say(e.message, true);
    }
    return false;
  }
  if (mine !== turn) return false;
  state = answer;
  if (location.hash !== link()) history.pushState(null, "", link());
  show();
  const wrong = state.Wrong || [];
  say(says || (wrong.length ? wrong[0] : state.Moves.length ? "" : "nothing more can happen here"), wrong.length > 0);
  mark();
  clearTimeout(soon);
  soon = setTimeout(diagram, 150);
  return true;
}

const moved = (m) => ({ Label: m.Label, Body: m.Ambiguous ? m.Body : "" });
const make = (m) => go({ ...place, path: [...place.path, moved(m)] });
const jump = (n) => go({ ...place, path: place.path.slice(0, n) });

function show() {
  document.title = "caulk: " + state.Title;
  $("label").textContent = state.Label;
  $("command").textContent = state.Command;
  $("undo").disabled = $("again").disabled = place.path.length === 0;

  $("moves").replaceChildren(...state.Moves.map((m, i) => {
    const li = element("li", undefined, m.Fault ? { class: "fault" } : {});
    const button = element("button", m.Label, { title: m.Body || m.Label, "data-move": i });
    if (m.Ambiguous) button.append(" " + m.Body);
    if (m.Leads) button.append(element("small", m.Leads));
    button.onclick = () => make(m);
    li.append(button);
    return li;
  }));
  if (!state.Moves.length) $("moves").replaceChildren(element("li", "none"));

  $("agents").replaceChildren(...(state.Agents || []).map((a) => {
    const div = element("div", undefined, { class: a.Moved ? "agent moved" : "agent" });
    div.append(element("b", a.ID + " " + a.Kind), element("code", a.Label + (a.Crashed ? " (crashed)" : "")));
    div.append(element("div", a.State, { class: "state" }));
    for (const c of a.Changes || []) div.append(element("span", c, { class: "change" }));
    return div;
  }));
  $("observer").replaceChildren();
  if (state.Observer) {
    $("observer").append(element("b", "observer"), element("div", state.Observer, { class: "state" }));
    for (const c of state.Observes || []) $("observer").append(element("span", c, { class: "change" }));
  }
  $("network").replaceChildren(...(state.Network || []).map((m) =>
    element("li", m.Label + (m.Copies > 1 ? " × " + m.Copies : "") + (m.New ? "  new" : ""), { title: m.Body, class: m.New ? "new" : "" })));
  if (!(state.Network || []).length) $("network").replaceChildren(element("li", "empty"));

  $("wrong").replaceChildren(...(state.Wrong || []).map((w) => element("li", w, { class: "bad" })));
  $("properties").replaceChildren(...(state.Properties || []).map((p) => {
    const tr = element("tr", undefined, { title: p.Doc || p.Name });
    const bad = /^(fails|panics)/.test(p.Here);
    tr.append(element("td", p.Name), element("td", p.Kind), element("td", p.Here, bad ? { class: "bad" } : {}));
    return tr;
  }));

  const steps = [{ Label: "the start", Leads: "" }, ...state.Path];
  $("path").replaceChildren(...steps.map((m, i) => {
    const li = element("li");
    const button = element("button", m.Label + (m.Leads ? "  " + m.Leads : ""), i === steps.length - 1 ? { "aria-current": "step" } : {});
    button.onclick = () => jump(i);
    li.append(button);
    return li;
  }));
  $("sequence").innerHTML = state.Sequence || "";
  if (!state.Sequence) $("sequence").textContent = "The path is too long to be drawn.";

  const starts = state.Starts || [];
  $("startbox").hidden = starts.length < 2;
  $("start").replaceChildren(...starts.map((s, i) => element("option", i + ": " + s, { value: i })));
  $("start").value = place.start;
}

// diagram draws the labels, and marks the one that is shown. A diagram that is
// only a part is drawn anew around each label.
async function diagram() {
  const key = place.flags + " " + place.start;
  if (!drawnFor || drawnFor.key !== key || (drawnFor.part && !mark())) {
    const mine = turn;
    $("drawn").textContent = "…";
    try {
      const d = await ask("diagram", { Around: state.Label });
      if (mine !== turn) return;
      $("diagram").innerHTML = d.SVG;
      $("drawn").textContent = d.Says;
      drawnFor = { key, part: d.Says !== "" };
    } catch (e) {
      if (mine !== turn) return;
      $("diagram").replaceChildren();
      $("drawn").textContent = e.message;
      drawnFor = null;
      return;
    }
    for (const node of $("diagram").querySelectorAll(".node")) {
      node.setAttribute("tabindex", "0");
      node.setAttribute("role", "button");
      const label = node.querySelector("title").textContent;
      node.onclick = () => find("label", label);
      node.onkeydown = (e) => { if (e.key === "Enter") find("label", label); };
    }
  }
  mark();
}

// mark marks the node of the state that is shown; false if there is none.
function mark() {
  let found = null;
  for (const node of $("diagram").querySelectorAll(".node")) {
    const here = node.querySelector("title").textContent === (state.Label || "");
    node.classList.toggle("here", here);
    if (here) found = node;
  }
  return found !== null;
}

async function find(to, label) {
  say("searching …");
  try {
    const a = await ask("find", { To: to, Label: label || "", Path: [] });
    const loop = a.LoopFrom === null || a.LoopFrom === undefined ? "" : ` (moves ${a.LoopFrom + 1} to ${a.Path.length} may repeat for ever)`;
    await go({ ...place, start: a.Start, path: a.Path }, (to === "label" ? "the shortest path to " + label : a.Says) + loop);
    if (to === "violation") $("status").classList.add("bad");
  } catch (e) {
    say(e.message, to === "violation" && /panic/.test(e.message));
  }
}

async function randomWalk() {
  for (let i = 0; i < 20 && state.Moves.length && !(state.Wrong || []).length; i++) {
    const m = state.Moves[Math.floor(Math.random() * state.Moves.length)];
    if (!(await make(m))) return;
  }
}

function keep(name, type, content) {
  const a = element("a", undefined, { download: name, href: URL.createObjectURL(new Blob([content], { type })) });
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

async function download(what) {
  if (what === "sequence") return keep("path.svg", "image/svg+xml", state.Sequence);
  if (what === "svg") return keep("diagram.svg", "image/svg+xml", $("diagram").innerHTML);
  try {
    const f = await ask("file", { As: what });
    keep(f.Name, f.Type, f.Content);
  } catch (e) {
    say(e.message, true);
  }
}

function begin() {
  return go({ flags: ("--algo " + $("algo").value + " " + $("flags").value).trim(), start: Number($("start").value) || 0, path: [] });
}

// fill puts a place's flags into the form.
function fill() {
  const [, algo, rest] = place.flags.match(/^--algo[ =](\S+)\s*(.*)$/) || [null, null, place.flags];
  if (algo) $("algo").value = algo;
  $("flags").value = rest;
  about();
}

function about() {
  const a = algorithms.find((a) => a.Name === $("algo").value);
  $("summary").textContent = a ? a.Summary + (a.Hole ? " — " + a.Hole : "") : "";
  $("summary").title = a ? a.Doc : "";
}

async function fromAddress() {
  if (location.hash.length < 2) return false;
  try {
    const next = readLink(location.hash);
    if (!(await go(next))) return false;
    fill();
  } catch (e) {
    say("the link is damaged: " + e.message, true);
    return false;
  }
  return true;
}

$("setting").onsubmit = (e) => { e.preventDefault(); begin(); };
$("algo").onchange = () => { $("flags").value = ""; $("start").value = 0; about(); begin(); };
$("start").onchange = begin;
$("undo").onclick = () => jump(place.path.length - 1);
$("again").onclick = () => jump(0);
$("violation").onclick = () => find("violation");
$("end").onclick = () => find("end");
$("random").onclick = randomWalk;
$("download").onchange = (e) => { const what = e.target.value; e.target.value = ""; if (what) download(what); };
$("link").onclick = async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    say("the link is copied");
  } catch {
    say("copy the address of this page: it holds the setting and the path");
  }
};
window.onpopstate = fromAddress;
document.onkeydown = (e) => {
  if (e.target.closest("input, select, textarea") || e.ctrlKey || e.metaKey || e.altKey || !state) return;
  if (/^[1-9]$/.test(e.key) && state.Moves[e.key - 1]) make(state.Moves[e.key - 1]);
  else if (e.key === "Backspace" && place.path.length) jump(place.path.length - 1);
  else if (e.key === "Home") jump(0);
  else if (e.key === "v") find("violation");
  else if (e.key === "e") find("end");
  else if (e.key === "r") randomWalk();
  else return;
  e.preventDefault();
};

(async () => {
  const answer = await (await fetch("api/algorithms")).json();
  algorithms = answer.algorithms;
  $("algo").replaceChildren(...algorithms.map((a) => element("option", a.Name, { value: a.Name, title: a.Summary })));
  place = { flags: answer.flags, start: 0, path: [] };
  fill();
  if (!(await fromAddress())) await go(place, $("status").textContent);
})();
