"use strict";
// The figures stand in the page; the dialogues are packed, and what is asked for is unpacked.
// Whatever a model wrote becomes text by textContent alone, never markup.

const ROW = 64; // height of a row of the list, in pixels, as in the style sheet
const BEYOND = 8; // rows drawn above and below what is seen
const KEPT = 12; // blocks that stay unpacked
const PAUSE = 250; // milliseconds without a key before a search begins

const byId = (id) => document.getElementById(id);
let words = new Map();
let data;
let dialogues = [];
let shown = []; // numbers of the dialogues that pass the filters, in the order of the list
let found = null; // numbers of those that a search found; null: nothing is searched for
let opened = null;
let state = new URLSearchParams();
const blocks = new Map();

// texts

const word = (text) => words.get(text) ?? text;
const _ = (text, values = {}) => word(text).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((each) => each !== null && each !== undefined && each !== ""));
  return made;
}

function called(thing, language) {
  const zh = document.documentElement.lang === "zh";
  const own = zh ? thing.name_zh || thing.name : thing.name;
  const said = language === "zh" ? thing.name_zh || thing.name : thing.name;
  const name = own === said ? own : `${own} (${said})`;
  return el("span", { class: "thing", title: thing.id }, name);
}

const listed = (parts) => parts.flatMap((part, at) => (at ? [word(", "), part] : [part]));
const line = (label, ...what) => el("li", {}, el("b", {}, label), " ", ...what.flat());
const number = (value) => value.toLocaleString(document.documentElement.lang);
const last = (model) => model.split("/").at(-1); // without who made it
const short = (model) => (data.runs.some((run) => run.label !== model && last(run.label) === last(model)) ? model : last(model));
const share = (value) => (value === null || value === undefined ? "" : value.toFixed(2));

// what is packed: 13 bits in two characters of 91

const SIGNS = Array.from({ length: 94 }, (_sign, at) => String.fromCharCode(33 + at)).filter((sign) => !"&<\\".includes(sign));
const VALUES = new Uint8Array(128);
SIGNS.forEach((sign, at) => { VALUES[sign.charCodeAt(0)] = at; });

function decoded(element) {
  const text = element.textContent;
  const bytes = new Uint8Array(Number(element.dataset.bytes));
  let [bits, held, to] = [0, 0, 0];
  for (let at = 0; to < bytes.length; at += 2) {
    bits = (bits << 13) | (VALUES[text.charCodeAt(at)] * 91 + VALUES[text.charCodeAt(at + 1)]);
    for (held += 13; held >= 8 && to < bytes.length; held -= 8) bytes[to++] = (bits >> (held - 8)) & 255;
    bits &= (1 << held) - 1;
  }
  return bytes;
}

async function unpacked(id) {
  const bytes = decoded(byId(id));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

async function block(at) {
  let kept = blocks.get(at);
  blocks.delete(at);
  kept ??= unpacked(`block-${at}`);
  blocks.set(at, kept); // the latest stands last
  if (blocks.size > KEPT) blocks.delete(blocks.keys().next().value);
  return kept;
}

// which dialogues are listed

const caseOf = (each) => data.cases[each.case];
const FACETS = [
  ["task", () => _("task"), (each) => [caseOf(each).task]],
  ["language", () => _("language"), (each) => [caseOf(each).language]],
  ["run", () => _("run"), (each) => [data.runs[each.run].id]],
  ["kind", () => _("kind"), (each) => [caseOf(each).kind]],
  ["area", () => _("area"), (each) => [caseOf(each).area]],
  ["difficulty", () => _("difficulty"), (each) => [caseOf(each).difficulty]],
  ["end", () => _("how it ended"), (each) => [each.end || "cut off"]],
  ["flag", () => _("safety flag"), (each) => each.flags],
  ["rule", () => _("rule that the patient broke"), (each) => each.rules],
  ["judged", () => _("judged"), (each) => [each.unscored ? "not wholly" : "wholly"]],
];
const SEVERAL = new Set(["flag", "rule"]);
const NONE = "-";
const ANY = "*";

const ORDERS = {
  "": () => 0,
  "score": (a, b) => first(a) - first(b),
  "-score": (a, b) => first(b) - first(a),
  "turns": (a, b) => a.turns - b.turns,
  "-turns": (a, b) => b.turns - a.turns,
};

function first(each) {
  const metric = state.get("metric");
  return (metric ? each.scores[metric] : Object.values(each.scores)[0]) ?? -1;
}

function fits(values, wanted) {
  const has = values.filter(Boolean);
  if (wanted === ANY) return has.length > 0;
  return wanted === NONE ? !has.length : has.includes(wanted);
}

function scoreFits(each) {
  const [low, high] = [state.get("low"), state.get("high")];
  if (!low && !high) return true;
  const metric = state.get("metric");
  const scores = metric ? [each.scores[metric]] : Object.values(each.scores);
  return scores.some(
    (score) => score !== null && score !== undefined && score >= Number(low || 0) && score <= Number(high || 1),
  );
}

function list() {
  const wanted = FACETS.map(([name, , of]) => [name, state.get(name), of]).filter(([, value]) => value);
  const passing = dialogues.filter((each) => (!found || found.has(each.number)) && scoreFits(each));
  const counts = new Map(FACETS.map(([name]) => [name, new Map()]));
  const kept = [];
  for (const each of passing) {
    const misses = wanted.filter(([, value, of]) => !fits(of(each), value)).map(([name]) => name);
    if (!misses.length) kept.push(each);
    if (misses.length > 1) continue;
    for (const [name, , of] of FACETS) {
      if (misses.length && misses[0] !== name) continue; // counted as if this filter were not set
      const values = of(each).filter(Boolean);
      const count = counts.get(name);
      for (const value of values.length ? values : [NONE]) count.set(value, (count.get(value) ?? 0) + 1);
      if (values.length) count.set(ANY, (count.get(ANY) ?? 0) + 1);
    }
  }
  const order = Object.hasOwn(ORDERS, state.get("sort") ?? "") ? ORDERS[state.get("sort") ?? ""] : ORDERS[""];
  shown = kept.sort((a, b) => order(a, b) || a.number - b.number).map((each) => each.number);
  offer(counts);
  byId("count").textContent = _("{shown} of {all} dialogues", {
    shown: number(shown.length),
    all: number(dialogues.length),
  });
  draw(true);
}

function label(facet, value) {
  if (value === ANY) return _("any");
  if (value === NONE) return SEVERAL.has(facet) ? _("none") : _("not known");
  if (facet !== "run") return word(value);
  const run = data.runs.find((one) => one.id === value);
  return run ? `${run.label}, ${run.setting}` : value;
}

function offer(counts) {
  for (const [name] of FACETS) {
    const select = byId(`filter-${name}`);
    const now = state.get(name) ?? "";
    const values = [...counts.get(name).keys()].filter((value) => value !== ANY || SEVERAL.has(name));
    if (now && !values.includes(now)) values.push(now);
    values.sort((a, b) => (a < b ? -1 : 1)); // what begins with a sign stands first
    if (name === "run") values.sort((a, b) => label(name, a).localeCompare(label(name, b)));
    select.replaceChildren(
      el("option", { value: "" }, _("all")),
      ...values.map((value) =>
        el("option", { value }, `${label(name, value)} (${number(counts.get(name).get(value) ?? 0)})`),
      ),
    );
    select.value = now;
  }
}

// the list: only the rows that are seen are in the page

function draw(anew = false) {
  const box = byId("list");
  const rows = byId("rows");
  if (anew) {
    rows.style.height = `${shown.length * ROW}px`;
    if (box.scrollTop > shown.length * ROW) box.scrollTop = 0;
  }
  const from = Math.max(0, Math.floor(box.scrollTop / ROW) - BEYOND);
  const to = Math.min(shown.length, Math.ceil((box.scrollTop + box.clientHeight) / ROW) + BEYOND);
  const drawn = [];
  for (let at = from; at < to; at++) drawn.push(row(at));
  rows.replaceChildren(...drawn);
  const active = opened === null ? -1 : shown.indexOf(opened);
  if (active >= from && active < to) box.setAttribute("aria-activedescendant", `row-${active}`);
  else box.removeAttribute("aria-activedescendant");
  byId("none").hidden = shown.length > 0;
}

function row(at) {
  const each = dialogues[shown[at]];
  const about = caseOf(each);
  const scores = Object.entries(each.scores).map(([metric, score]) =>
    el("span", { class: "score", title: word(metric) }, score === null ? "—" : share(score)),
  );
  const made = el(
    "div",
    {
      id: `row-${at}`,
      role: "option",
      "aria-selected": String(shown[at] === opened),
      "aria-posinset": at + 1,
      "aria-setsize": shown.length,
      "data-number": shown[at],
    },
    el("span", { class: "what", lang: about.language, title: about.name }, about.called),
    el("span", { class: "scores" }, scores),
    el(
      "span",
      { class: "quiet" },
      [short(data.runs[each.run].label), word(each.end || "cut off"), _("{count} turns", { count: each.turns })].join(" · "),
    ),
    el(
      "span",
      { class: "signs" },
      each.flags.length ? el("span", { class: "sign flag", title: each.flags.map(word).join(word(", ")) }, "⚑") : "",
      each.rules.length ? el("span", { class: "sign rule", title: each.rules.map(word).join(word(", ")) }, "!") : "",
      each.failed ? el("span", { class: "sign failed", title: _("broke off") }, "×") : "",
    ),
  );
  made.style.top = `${at * ROW}px`;
  return made;
}

function reveal(at) {
  const box = byId("list");
  if (at * ROW < box.scrollTop) box.scrollTop = at * ROW;
  if ((at + 1) * ROW > box.scrollTop + box.clientHeight) box.scrollTop = (at + 1) * ROW - box.clientHeight;
}

function step(by) {
  if (!shown.length) return;
  const now = opened === null ? -1 : shown.indexOf(opened);
  const at = Math.min(shown.length - 1, Math.max(0, now + by));
  reveal(at);
  go({ open: dialogues[shown[at]].key });
}

// a search reads every transcript; a later one stops it

let search = 0;

const terms = (text) => [...text.matchAll(/"([^"]+)"|\S+/g)].map((each) => each[1] ?? each[0]);

async function seek(text) {
  const mine = ++search;
  const wanted = terms(text.toLowerCase());
  if (!wanted.length) {
    found = null;
    byId("searching").textContent = "";
    return list();
  }
  const inBlock = new Map();
  for (const each of dialogues) {
    if (!inBlock.has(each.block)) inBlock.set(each.block, []);
    inBlock.get(each.block).push(each);
  }
  const hits = new Set();
  let read = 0;
  for (const [at, members] of inBlock) {
    const held = await (blocks.get(at) ?? unpacked(`block-${at}`)); // not kept: all would be
    if (mine !== search) return;
    for (const each of members) {
      const said = (held[each.at].dialogue.turns ?? []).map((turn) => `${turn.patient}\n${turn.doctor ?? ""}`);
      const whole = [caseOf(each).called, caseOf(each).name, ...said].join("\n").toLowerCase();
      if (wanted.every((term) => whole.includes(term))) hits.add(each.number);
    }
    read += members.length;
    byId("searching").textContent = _("searching: {done} of {all}", { done: number(read), all: number(dialogues.length) });
  }
  byId("searching").textContent = "";
  found = hits;
  list();
}

// a dialogue

function unit(text, points) {
  // offsets are of code points, JavaScript's of UTF-16
  if (!/[\ud800-\udbff]/.test(text)) return points;
  let at = 0;
  for (let n = 0; n < points && at < text.length; n++) at += text.codePointAt(at) > 0xffff ? 2 : 1;
  return at;
}

function marked(text, violations, searched) {
  const ranges = violations
    .filter((each) => Number.isInteger(each.start) && Number.isInteger(each.stop) && each.start < each.stop)
    .map((each) => ({
      from: unit(text, each.start),
      to: unit(text, each.stop),
      kind: "violation",
      title: word(each.rule),
    }));
  for (const term of searched) {
    const pattern = new RegExp(term.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"), "giu");
    for (const hit of text.matchAll(pattern)) {
      ranges.push({ from: hit.index, to: hit.index + hit[0].length, kind: "hit", title: null });
    }
  }
  const cuts = [...new Set([0, text.length, ...ranges.flatMap((each) => [each.from, each.to])])]
    .filter((at) => at >= 0 && at <= text.length)
    .sort((a, b) => a - b);
  return cuts.slice(1).map((to, at) => {
    const piece = text.slice(cuts[at], to);
    const over = ranges.filter((each) => each.from <= cuts[at] && each.to >= to);
    if (!over.length) return piece;
    const kinds = [...new Set(over.map((each) => each.kind))].join(" ");
    const titles = [...new Set(over.map((each) => each.title).filter(Boolean))].join(word("; "));
    return el("mark", { class: kinds, title: titles || null }, piece);
  });
}

function age(years) {
  if (years >= 2) return _("{n} years", { n: Math.floor(years) });
  if (years >= 1 / 6) return _("{n} months", { n: Math.floor(years * 12) });
  return _("{n} days", { n: Math.floor(years * 365.25) });
}

function people(persona, language) {
  const rows = [
    line(_("age"), age(persona.age)),
    line(_("sex"), word(persona.sex)),
    line(_("who speaks"), word(persona.speaker ?? "patient")),
    line(_("manner of speaking"), word(persona.style ?? "plain")),
  ];
  if (persona.history?.length) {
    rows.push(line(_("history"), listed(persona.history.map((each) => called(each, language)))));
  }
  return el("ul", { class: "plain" }, rows);
}

// what ids stand for, of all that a dialogue and its case name
function names(value, language, found = new Map()) {
  if (value === null || typeof value !== "object") return found;
  if (typeof value.id === "string" && typeof value.name === "string") found.set(value.id, called(value, language).textContent);
  for (const each of Object.values(value)) names(each, language, found);
  return found;
}

function whenTold(dialogue) {
  const told = new Map();
  for (const turn of dialogue.turns ?? []) {
    for (const each of turn.instruction.tell ?? []) {
      if (!told.has(each.id)) told.set(each.id, _("turn {n}, unasked", { n: turn.number }));
    }
    for (const each of turn.instruction.supplies ?? []) {
      if (each.releases && !told.has(each.releases)) told.set(each.releases, _("turn {n}, when asked", { n: turn.number }));
    }
  }
  return told;
}

function findings(dialogue, about, language) {
  const told = whenTold(dialogue);
  const out = new Map((dialogue.plan.left_out ?? []).map((each) => [each.id, each.reason]));
  const has = new Set([...(dialogue.plan.told ?? []), ...(dialogue.plan.further ?? [])]);
  const rows = (about.findings ?? []).map((each) => {
    const state = told.get(each.id) ?? (has.has(each.id) ? _("not told") : word(out.get(each.id) ?? "not this patient's"));
    return el(
      "tr",
      { class: has.has(each.id) ? null : "quiet" },
      el("td", {}, called(each, language)),
      el("td", {}, state),
      el("td", { class: "n" }, share(each.frequency)),
      el("td", { class: "n" }, share(each.discrimination)),
      el("td", {}, (each.sources ?? []).join(word(", "))),
    );
  });
  return table([_("finding"), _("told"), _("frequency"), _("discrimination"), _("sources")], rows, [2, 3]);
}

function facts(about, dialogue, language) {
  const asked = new Set((dialogue.plan.questions ?? []).map(([attribute, id]) => `${attribute} ${id}`));
  const rows = (about.facts ?? []).map((each) =>
    el(
      "tr",
      {},
      el("td", {}, word(each.attribute)),
      el("td", {}, called(each, language)),
      el("td", {}, asked.has(`${each.attribute} ${each.id}`) ? _("yes") : ""),
      el("td", {}, (each.sources ?? []).join(word(", "))),
    ),
  );
  return table([_("attribute"), _("fact"), _("asked about"), _("sources")], rows, []);
}

function table(heads, rows, numeric) {
  const head = el("tr", {}, heads.map((each, at) => el("th", { scope: "col", class: numeric.includes(at) ? "n" : null }, each)));
  return el("div", { class: "wide" }, el("table", {}, el("thead", {}, head), el("tbody", {}, rows)));
}

function byTurn(dialogue) {
  const keys = new Map();
  for (const turn of dialogue.turns ?? []) {
    for (const each of turn.judgements ?? []) {
      if (each.metric === "safety" || each.applies === false) continue;
      const name = JSON.stringify([each.metric, each.judge]);
      if (!keys.has(name)) keys.set(name, new Map());
      keys.get(name).set(turn.number, each.score ?? null);
    }
  }
  if (!keys.size) return null;
  const turns = dialogue.turns.map((turn) => turn.number);
  const head = el(
    "tr",
    {},
    el("th", { scope: "col" }, _("score by turn")),
    turns.map((n) => el("th", { class: "n", scope: "col" }, el("button", { type: "button", "data-turn": n }, String(n)))),
  );
  const rows = [...keys].map(([name, scores]) => {
    const [metric, judge] = JSON.parse(name);
    const cells = turns.map((n) => el("td", { class: "n" }, scores.has(n) ? String(scores.get(n) ?? "—") : ""));
    return el("tr", {}, el("th", { scope: "row" }, word(metric), " ", el("span", { class: "quiet" }, judge)), cells);
  });
  return el("div", { class: "wide" }, el("table", { class: "turns" }, el("thead", {}, head), el("tbody", {}, rows)));
}

function instructed(instruction, language) {
  const rows = [line(_("the patient is to"), word(instruction.intent))];
  if (instruction.attribute) rows.push(line(_("asks about"), word(instruction.attribute), word(": "), called(instruction.fact ?? { name: "" }, language)));
  if (instruction.tell?.length) rows.push(line(_("released"), listed(instruction.tell.map((each) => called(each, language)))));
  for (const each of instruction.supplies ?? []) {
    const from = each.source === "filler" ? _("made up, as the graph has nothing on it") : _("by the graph");
    rows.push(line(_("supplied"), called(each.about, language), `${word(": ")}${word(each.answer)} (${from})`));
  }
  const filler = (topic) => (instruction.filler?.includes(topic) ? `${word(topic)} (${_("made up, as the graph has nothing on it")})` : word(topic));
  if (instruction.topics?.length) rows.push(line(_("answers on"), instruction.topics.map(filler).join(word(", "))));
  if (instruction.vague) rows.push(line(_("on purpose"), word("vague")));
  if (instruction.withheld?.length) rows.push(line(_("withheld on purpose"), listed(instruction.withheld.map((each) => called(each, language)))));
  if (instruction.fabricated?.length) rows.push(line(_("fabricated on purpose"), listed(instruction.fabricated.map((each) => called(each, language)))));
  return el("ul", { class: "plain meta" }, rows);
}

function understood(reading, language) {
  if (!reading) return null;
  const things = (name, label) => (reading[name]?.length ? [line(label, listed(reading[name].map((each) => called(each, language))))] : []);
  const rows = [
    ...things("asked", _("asks for")),
    ...(reading.topics?.length ? [line(_("asks about"), reading.topics.map(word).join(word(", ")))] : []),
    ...things("diagnoses", reading.final ? _("diagnoses, and ends with it") : _("considers")),
    ...(reading.said_diagnosis ? [line(_("in its words"), reading.said_diagnosis)] : []),
    ...things("treatments", _("advises")),
    ...things("advised_against", _("advises against")),
  ];
  const signs = [
    [reading.open, _("invites more")],
    [reading.vague, _("asks, but not for what")],
    [reading.urgent, _("sends to urgent care")],
    [reading.unknown, _("says that it does not know")],
    [reading.refused, _("declines")],
  ].filter(([is]) => is).map(([, text]) => text);
  if (signs.length) rows.push(line(_("also"), signs.join(word(", "))));
  return rows.length ? el("ul", { class: "plain meta" }, rows) : null;
}

function judged(turn, task) {
  return (turn.judgements ?? []).map((each) => {
    const most = task === "diagnosis" && each.metric === "correctness" ? 3 : 2;
    const score = each.score ?? null;
    const said = each.metric === "safety" ? "" : score !== null ? _("{score} of {most}", { score, most }) : each.applies === false ? _("nothing to score") : _("not scored");
    return el(
      "div",
      { class: "judgement" },
      el("p", {}, el("b", {}, word(each.metric)), " ", said ? el("span", { class: score === null ? "score missing" : "score" }, said) : "", " ",
        el("span", { class: "quiet" }, each.judge), " ", (each.flags ?? []).map((flag) => el("span", { class: "tag flag" }, `⚑ ${word(flag)}`))),
      el("p", { class: "reason" }, each.reason),
      each.facts?.length ? el("details", {}, el("summary", {}, _("{count} facts behind it", { count: each.facts.length })), el("ul", {}, each.facts.map((fact) => el("li", {}, fact)))) : "",
    );
  });
}

function round(turn, dialogue, each, searched, known) {
  const language = caseOf(each).language;
  const broken = turn.violations ?? [];
  const speaker = dialogue.plan.persona.speaker ?? "patient";
  return el(
    "section",
    { class: "turn", id: `turn-${turn.number}`, "aria-label": _("turn {n}", { n: turn.number }), tabindex: "-1" },
    el("h3", {}, _("turn {n}", { n: turn.number })),
    el("div", { class: "said patient" },
      el("p", { class: "who" }, word(speaker)),
      el("p", { class: "text", lang: language }, marked(turn.patient, broken, searched)),
      broken.length ? el("ul", { class: "plain broken" }, broken.map((one) => el("li", {}, el("b", {}, word(one.rule)), word(": "), known.get(one.about) ?? one.about))) : "",
      data.runs[each.run].director === null ? "" : el("details", {}, el("summary", {}, _("what the director let it say")), instructed(turn.instruction, language))),
    el("div", { class: "said doctor" },
      el("p", { class: "who" }, _("doctor")),
      el("p", { class: "text", lang: language }, turn.doctor ? marked(turn.doctor, [], searched) : el("i", { class: "quiet" }, _("no reply"))),
      turn.reading ? el("details", {}, el("summary", {}, _("what was read in it")), understood(turn.reading, language) ?? "—") : ""),
    el("div", { class: "judgements" }, judged(turn, caseOf(each).task)),
  );
}

function written(each, held, about) {
  const { dialogue } = held;
  const { task, language } = caseOf(each);
  const run = data.runs[each.run];
  const place = [task, language, caseOf(each).kind, caseOf(each).area, caseOf(each).difficulty].filter(Boolean).map(word);
  const searched = terms(state.get("search") ?? "");
  const known = names([about, dialogue], language);
  const cast = [
    line(_("run"), `${run.label} (${run.setting})`),
    line(_("doctor"), run.doctor),
    line(_("patient"), run.patient),
    line(_("manner of the patient"), run.manner.map(word).join(word(", ")) || _("none")),
    line(_("director"), run.director ?? _("none")),
    line(_("judges"), run.judges.join(word(", "))),
    line(_("case"), about.id),
    line(_("drawn from"), word(about.origin ?? "graph")),
  ];
  return el(
    "article",
    {},
    el("h2", { lang: language, tabindex: "-1", id: "opened" }, caseOf(each).called),
    el("p", { class: "quiet" }, place.join(" · "), caseOf(each).name === caseOf(each).called ? "" : ` · ${caseOf(each).name}`, ` · ${about.target.id}`),
    el("p", {}, el("b", {}, word(each.end || "cut off")), " ", _("after {count} turns", { count: each.turns }), " ",
      el("span", { class: "quiet" }, _("{seconds} s", { seconds: held.seconds }))),
    el("p", { class: "chips" }, Object.entries(each.scores).map(([metric, score]) =>
      el("span", { class: score === null ? "score missing" : "score" }, `${word(metric)} ${score === null ? _("not scored") : share(score)}`))),
    dialogue.failure ? el("p", { class: "alarm" }, dialogue.failure) : "",
    held.error ? el("p", { class: "alarm" }, held.error) : "",
    byTurn(dialogue),
    el("details", {}, el("summary", {}, _("who the patient is")), people(dialogue.plan.persona, language)),
    el("details", {}, el("summary", {}, task === "diagnosis" ? _("what the disease has, and what was told of it") : _("what the graph says of the drug")),
      task === "diagnosis" ? findings(dialogue, about, language) : facts(about, dialogue, language)),
    el("details", {}, el("summary", {}, _("who played")), el("ul", { class: "plain" }, cast)),
    (dialogue.turns ?? []).map((turn) => round(turn, dialogue, each, searched, known)),
  );
}

async function open(key) {
  const each = dialogues.find((one) => one.key === key);
  const pane = byId("transcript");
  document.body.classList.toggle("reading", Boolean(key));
  if (!each) {
    opened = null;
    pane.replaceChildren(el("p", { class: "quiet" }, key ? _("no dialogue of this report has this address") : _("choose a dialogue of the list")));
    return draw();
  }
  opened = each.number;
  draw();
  const about = caseOf(each);
  const [held, cases] = await Promise.all([block(each.block), block(about.block)]);
  if (opened !== each.number) return;
  pane.replaceChildren(written(each, held[each.at], cases[about.at]));
  pane.scrollTop = 0;
  if (matchMedia("(max-width: 60rem)").matches) scrollTo(0, 0);
}

// the address says what is shown, so that it can be sent to somebody

function read() {
  const [view, ...rest] = location.hash.slice(1).split("&");
  const reads = view === "dialogues";
  byId("results").hidden = reads;
  byId("dialogues").hidden = !reads;
  for (const link of document.querySelectorAll("header nav a")) {
    if ((link.getAttribute("href") === "#dialogues") === reads) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (!reads) {
    document.body.classList.remove("reading");
    if (view) byId(view)?.scrollIntoView();
    return;
  }
  const before = state;
  state = new URLSearchParams(rest.join("&"));
  const differs = (names) => names.some((name) => (before.get(name) ?? "") !== (state.get(name) ?? ""));
  for (const field of byId("filters").elements) {
    if (field.name && document.activeElement !== field) field.value = state.get(field.name) ?? "";
  }
  const key = state.get("open") ?? "";
  if (differs(["search"])) seek(state.get("search") ?? "").catch(broken);
  else list();
  if (differs(["open", "search"]) || !byId("transcript").firstChild) open(key).catch(broken);
  const at = opened === null ? -1 : shown.indexOf(opened);
  if (at >= 0 && differs(["open"])) reveal(at);
}

function go(changes, { quietly = false } = {}) {
  const next = new URLSearchParams(state);
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  const hash = `#dialogues${next.size ? `&${next}` : ""}`;
  if (quietly) {
    history.replaceState(null, "", hash);
    read();
  } else {
    location.hash = hash; // 'hashchange' reads it
  }
}

function broken(error) {
  byId("searching").textContent = _("the dialogues of this page cannot be read ({why}); write the report again", { why: error.message });
}

// what people do

function fields() {
  const facets = FACETS.map(([name, text]) =>
    el("label", { class: "facet" }, text(), el("select", { id: `filter-${name}`, name })),
  );
  const metrics = [...new Set(dialogues.flatMap((each) => Object.keys(each.scores)))];
  const metric = el("select", { name: "metric" }, el("option", { value: "" }, _("any")), metrics.map((each) => el("option", { value: each }, word(each))));
  const bound = (name, hint) => el("input", { type: "number", name, min: 0, max: 1, step: "any", placeholder: hint, "aria-label": hint });
  const sorts = [["", _("order of the logs")], ["score", _("lowest score first")], ["-score", _("highest score first")], ["turns", _("shortest first")], ["-turns", _("longest first")]];
  byId("facets").replaceChildren(
    ...facets,
    el("label", { class: "facet" }, _("score"), metric),
    el("div", { class: "facet bounds", role: "group", "aria-label": _("score from 0 to 1") }, bound("low", _("at least")), bound("high", _("at most"))),
    el("label", { class: "facet" }, _("order"), el("select", { name: "sort" }, sorts.map(([value, text]) => el("option", { value }, text)))),
    el("button", { type: "reset" }, _("show all")),
  );
}

function listen() {
  const filters = byId("filters");
  let waiting = 0;
  filters.addEventListener("submit", (event) => event.preventDefault());
  filters.addEventListener("reset", (event) => {
    event.preventDefault();
    for (const field of filters.elements) if (field.name) field.value = "";
    go(Object.fromEntries([...filters.elements].filter((each) => each.name).map((each) => [each.name, ""])));
  });
  filters.addEventListener("change", ({ target }) => {
    if (target.tagName === "SELECT") go({ [target.name]: target.value }, { quietly: true });
  });
  filters.addEventListener("input", ({ target }) => {
    if (target.tagName === "SELECT") return;
    clearTimeout(waiting);
    waiting = setTimeout(() => go({ [target.name]: target.value }, { quietly: true }), PAUSE);
  });
  byId("list").addEventListener("scroll", () => draw());
  byId("rows").addEventListener("click", (event) => {
    const chosen = event.target.closest("[data-number]");
    if (chosen) go({ open: dialogues[Number(chosen.dataset.number)].key });
  });
  byId("back").addEventListener("click", () => go({ open: "" }));
  byId("transcript").addEventListener("click", (event) => {
    const turn = event.target.closest("[data-turn]");
    if (!turn) return;
    const target = byId(`turn-${turn.dataset.turn}`);
    target.scrollIntoView({ block: "start" });
    target.focus({ preventScroll: true });
  });
  addEventListener("hashchange", read);
  addEventListener("resize", () => draw());
  document.addEventListener("keydown", press);
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.closest("input, select, textarea");
  const inList = event.target === byId("list");
  if (event.key === "Escape") {
    if (byId("keys").open) return; // closes by itself
    if (typing) typing.blur();
    else if (opened !== null) {
      go({ open: "" });
      byId("list").focus();
    }
    return;
  }
  if (typing) return;
  const keys = {
    "/": () => {
      if (byId("dialogues").hidden) go({});
      setTimeout(() => byId("search").focus());
    },
    "?": () => byId("keys").showModal(),
    "1": () => { location.hash = "#results"; },
    "2": () => go({}),
    "j": () => step(1),
    "k": () => step(-1),
    ...(inList ? { ArrowDown: () => step(1), ArrowUp: () => step(-1), PageDown: () => step(10), PageUp: () => step(-10), Home: () => step(-shown.length), End: () => step(shown.length), Enter: () => byId("opened")?.focus() } : {}),
  };
  if (!Object.hasOwn(keys, event.key)) return;
  if (["j", "k"].includes(event.key) && byId("dialogues").hidden) return;
  event.preventDefault();
  keys[event.key]();
}

async function start() {
  data = await unpacked("index");
  words = new Map(Object.entries(data.words));
  const names = Object.keys(data.columns);
  const rows = names.length ? data.columns[names[0]].length : 0;
  for (let at = 0; at < rows; at++) {
    const each = { number: at };
    for (const name of names) each[name] = data.columns[name][at];
    dialogues.push(each);
  }
  fields();
  listen();
  read();
  document.body.classList.add("ready");
}

start().catch(broken);
