/**
 * The report as one page that needs nothing else: no server, no network, no file beside it. Its own policy forbids it to load
 * anything, and to run any script but its own.
 */
import { createHash } from "node:crypto";
import { datasetPlots, MOST_DRAWN } from "./dataset-plots.ts";
import { datasetTables, datasetText } from "./dataset-tables.ts";
import { type Cut, embedQuestions } from "./embedded-questions.ts";
import type { Group } from "./group-runs.ts";
import { embeddedJson, escapeHtml } from "./html.ts";
import type { ReportParts } from "./markdown.ts";
import { markerPicture } from "./marker.ts";
import { MEANINGS } from "./measure-names.ts";
import { PAGE_SCRIPT } from "./page-script.ts";
import { PAGE_STYLE } from "./page-style.ts";
import { tableHtml } from "./table-html.ts";

/** A page of more opens slowly, and cannot be sent by mail. */
const MOST_BYTES = 4_000_000;

export function reportHtml({ facts, groups, unfinished }: ReportParts): string {
  const embedded = embedQuestions(groups, MOST_BYTES);
  const scriptHash = createHash("sha256").update(PAGE_SCRIPT).digest("base64");
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${scriptHash}'; base-uri 'none'; form-action 'none'`;
  const links = groups.map(({ id, dataset }) => `<a href="#${id}">${escapeHtml(dataset.name)}</a>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Benchmark report</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<h1>Benchmark report</h1>
<nav>${links.join(" ")} <a href="#questions">Question by question</a></nav>
<h3>What was run</h3>
<dl class="facts">${facts.shared.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join("")}</dl>
${tableHtml(facts.table)}
${unfinished.length === 0 ? "" : `<p class="note">Not finished, and not in here: ${escapeHtml(unfinished.join(", "))}.</p>`}
<details class="fold"><summary>What the measures mean</summary><dl class="facts">${MEANINGS.map(([name, meaning]) => `<dt>${name}</dt><dd>${meaning}</dd>`).join("")}</dl></details>
${groups.map(groupHtml).join("\n")}
${questionsHtml(embedded.cut)}
<script type="application/json" id="questions-data">${embeddedJson(embedded)}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

function groupHtml(group: Group): string {
  const [front, ...others] = datasetTables(group).map((table) => {
    const note = table.note === undefined ? "" : `<p class="note">${escapeHtml(table.note)}</p>`;
    const inside = `${note}${tableHtml(table)}`;
    return table.isFolded === true
      ? `<details class="fold"><summary>${escapeHtml(table.title)}</summary>${inside}</details>`
      : `<h3>${escapeHtml(table.title)}</h3>${inside}`;
  });
  return `<section id="${group.id}">
<h2>${escapeHtml(group.dataset.name)}</h2>
<p>${escapeHtml(datasetText(group))}</p>
${front ?? ""}
${plotsHtml(group)}
${others.join("\n")}
</section>`;
}

function plotsHtml(group: Group): string {
  const plots = datasetPlots(group);
  if (plots.length === 0) return "";
  const drawn = group.runs.slice(0, MOST_DRAWN);
  const keys = drawn.map(({ label, colour }) => `<li>${markerPicture(colour)}${escapeHtml(label)}</li>`);
  const left = group.runs.length - drawn.length;
  const note =
    left === 0
      ? ""
      : `<p class="note">Drawn are the best ${drawn.length}; ${left} more are in the tables.</p>`;
  return `<h3>Plots</h3>${note}<div><ul class="legend">${keys.join("")}</ul><div class="plots">${plots.join("\n")}</div></div>`;
}

function questionsHtml({ hits, text, questions }: Cut): string {
  const some = questions === null ? "" : `, and the first ${questions} questions of each data set`;
  const select = (name: string, label: string): string =>
    `<label>${label}<select id="questions-${name}"></select></label>`;
  return `<section id="questions">
<h2>Question by question</h2>
<p class="note">Two runs of one data set beside each other, as each question was asked last. Shown are the first ${hits} hits and the first ${text} characters of each text${some}; results.jsonl of the runs has everything. An interval of the difference: neuromem bench diff.</p>
<div class="controls">${select("a", "Run A")}${select("b", "Run B")}${select("measure", "Measure")}${select("category", "Category")}
<label>Search<input type="search" id="questions-search"></label>
<label class="check"><input type="checkbox" id="questions-differing">only where they differ</label></div>
<p id="questions-totals" aria-live="polite"></p>
<div id="questions-list"></div>
<button class="more" id="questions-more" type="button" hidden></button>
<noscript><p>This part needs JavaScript.</p></noscript>
</section>`;
}
