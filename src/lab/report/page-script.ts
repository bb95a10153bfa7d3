/**
 * What does the page do when it is touched? Sorts tables, and lists the questions of two runs. All text from results is set as
 * text, never as markup; a question's hits are built when it is opened, so that thousands of questions cost nothing.
 */
import { QUESTION_LOGIC } from "./question-logic.ts";

const SORTING = `
for (const table of document.querySelectorAll("table")) {
  table.querySelectorAll("thead button").forEach((button, column) => {
    button.addEventListener("click", () => {
      const head = button.parentElement;
      const isDown = head.getAttribute("aria-sort") !== "descending";
      for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
      const body = table.tBodies[0];
      const value = (row) => {
        const cell = row.cells[column];
        return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
      };
      const order = (x, y) => typeof x === "number" && typeof y === "number" ? x - y
        : typeof x === typeof y ? x.localeCompare(y, "en", { numeric: true }) : typeof x === "number" ? 1 : -1;
      const rows = [...body.rows].sort((x, y) => order(value(x), value(y)));
      body.append(...(isDown ? rows.reverse() : rows));
    });
  });
}
`;

const QUESTIONS = String.raw`
const data = JSON.parse(document.getElementById("questions-data").textContent);
const at = (name) => document.getElementById("questions-" + name);
const make = (tag, name, text) => {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text !== undefined) made.textContent = text;
  return made;
};
const option = (value, text) => new Option(text, value);
const percent = (value) => (value === null ? "–" : (100 * value).toFixed(1));
const PAGE = 50;
let group = data.groups[0];
let known = new Map();
let rows = [];

function chooseGroup() {
  const [place, run] = at("a").value.split("/").map(Number);
  const isNew = group !== data.groups[place] || known.size === 0;
  group = data.groups[place];
  if (!isNew) return;
  known = textsOfRefs(group);
  at("b").replaceChildren(...group.runs.map(({ label }, other) => option(other, label)));
  at("b").value = group.runs.length > 1 && run === 0 ? "1" : "0";
  at("measure").replaceChildren(...group.measures.map((name, number) => option(number, name)));
  at("measure").value = String(group.main);
  const categories = [...new Set(group.questions.map(({ category }) => category))];
  categories.sort((x, y) => x.localeCompare(y, "en", { numeric: true }));
  at("category").replaceChildren(option("", "all categories"), ...categories.map((name) => option(name, name)));
}

function list() {
  chooseGroup();
  const measure = Number(at("measure").value);
  const [a, b] = [Number(at("a").value.split("/")[1]), Number(at("b").value)];
  const found = compareQuestions(group, a, b, {
    measure, category: at("category").value, differing: at("differing").checked, search: at("search").value,
  });
  rows = found.rows;
  const name = group.measures[measure];
  at("totals").textContent = rows.length + " questions listed. Of all " + found.compared +
    (at("category").value === "" ? "" : " of the category") + " that expect an answer and are measured in both, B is better in " + found.gains + ", worse in " + found.losses + ", the same in " +
    (found.compared - found.gains - found.losses) + "; mean " + name + ": A " + percent(found.means[0]) +
    ", B " + percent(found.means[1]) + ".";
  at("list").replaceChildren();
  more(measure);
}

function more(measure) {
  const shown = at("list").childElementCount;
  at("list").append(...rows.slice(shown, shown + PAGE).map((row) => card(row, measure)));
  const left = rows.length - at("list").childElementCount;
  at("more").hidden = left <= 0;
  at("more").textContent = "Show " + Math.min(PAGE, left) + " more of " + left;
}

function card(row, measure) {
  const { question, values: [x, y] } = row;
  const box = make("details", "card");
  const head = make("summary");
  const trend = x === null || y === null || x === y ? "same" : y > x ? "gain" : "loss";
  head.append(make("span", "values " + trend, percent(x) + " → " + percent(y)), make("span", "asked", question.text),
    make("span", "dim", "category " + question.category + (question.abstains ? ", cannot be answered" : "") + " · " + question.id));
  box.append(head);
  box.addEventListener("toggle", () => { if (box.open && box.childElementCount === 1) box.append(inside(row, measure)); });
  return box;
}

function inside({ question, a, b }, measure) {
  const box = make("div", "inside");
  if (question.answers.length > 0) box.append(make("p", "", "Answer: " + question.answers.join(" / ")));
  const evidence = new Set(question.evidence);
  const found = [a, b].map((line) => new Set(line ? line.h.flatMap(([memory]) => group.memories[memory][0]) : []));
  const refs = make("ul", "evidence");
  for (const ref of evidence) {
    const item = make("li");
    const text = known.get(question.case + "\n" + ref);
    item.append(make("span", "ref is-evidence", ref), make("span", "dim", " " + ["A", "B"].map((side, place) =>
      side + (found[place].has(ref) ? " found" : " missed")).join(", ")));
    if (text !== undefined) item.append(make("span", "text", " " + text));
    refs.append(item);
  }
  box.append(make("p", "", evidence.size === 0 ? "No evidence is labelled." : "Evidence (among the hits shown here):"), refs);
  const sides = make("div", "sides");
  sides.append(hits("A", at("a").selectedOptions[0].textContent, a, evidence, measure),
    hits("B", at("b").selectedOptions[0].textContent, b, evidence, measure));
  box.append(sides);
  return box;
}

function hits(side, label, line, evidence, measure) {
  const box = make("section");
  box.append(make("h4", "", side + ": " + label));
  if (!line) {
    box.append(make("p", "dim", "Not asked in this run."));
    return box;
  }
  if (line.c) box.append(make("p", "dim", "By the corrected labels: " + percent(line.c[measure])));
  if (line.a !== undefined) box.append(make("p", "", "The model answered: " + line.a));
  if (line.e !== undefined) box.append(make("p", "loss", "It failed: " + line.e));
  const items = make("ol");
  for (const [memory, score, tokens] of line.h) {
    const [refs, text] = group.memories[memory];
    const item = make("li", refs.some((ref) => evidence.has(ref)) ? "has-evidence" : "");
    for (const ref of refs.slice(0, 12)) item.append(make("span", evidence.has(ref) ? "ref is-evidence" : "ref", ref), " ");
    if (refs.length > 12) item.append("+" + (refs.length - 12) + " ");
    item.append(make("span", "dim", "score " + score + ", " + tokens + " tokens"), make("div", "text", text));
    items.append(item);
  }
  box.append(line.h.length === 0 ? make("p", "dim", "Nothing was found.") : items);
  return box;
}

data.groups.forEach(({ name, runs }, place) => {
  const names = make("optgroup");
  names.label = name;
  names.append(...runs.map(({ label }, run) => option(place + "/" + run, label)));
  at("a").append(names);
});
for (const name of ["a", "b", "measure", "category", "differing"]) at(name).addEventListener("change", list);
let waiting;
at("search").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(list, 150); });
at("more").addEventListener("click", () => more(Number(at("measure").value)));
list();
`;

export const PAGE_SCRIPT = `"use strict";\n(() => {${SORTING}${QUESTION_LOGIC}${QUESTIONS}})();`;
