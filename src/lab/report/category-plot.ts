/** Which kinds of questions does a design answer? One band for each category, one row in it for each run. */
import type { Estimate } from "../result.ts";
import { linearAxis } from "./axis.ts";
import { percentInterval } from "./figures.ts";
import type { NamedRun } from "./group-runs.ts";
import { escapeHtml } from "./html.ts";
import { colourClass } from "./marker.ts";
import { drawPoint, figure } from "./plot.ts";

const WIDTH = 400;
const LEFT = 118;
const RIGHT = 16;
const ROW = 13;
const GAP = 14;
const BOTTOM = 24;
/** Longer names are cut, and told whole to who points at them. */
const LONGEST = 17;

export function drawCategories(
  measure: string,
  categories: readonly string[],
  runs: readonly NamedRun[],
): string {
  const estimateOf = (run: NamedRun, category: string): Estimate | undefined =>
    run.summary.byCategory[category]?.[measure];
  const known = categories.filter((category) => runs.some((run) => estimateOf(run, category)));
  const estimates = known.flatMap((category) => runs.flatMap((run) => estimateOf(run, category) ?? []));
  if (known.length === 0) return "";
  const x = linearAxis(
    { values: estimates.flatMap(({ low, high }) => [low, high]), from: LEFT + 8, to: WIDTH - RIGHT - 8 },
    true,
  );
  const band = runs.length * ROW + GAP;
  const bottom = known.length * band;
  const body = [
    ...x.ticks.map(
      (at) =>
        `<path class="grid" d="M${x.place(at)} 4V${bottom}"/><text x="${x.place(at)}" y="${bottom + 16}" text-anchor="middle">${Math.round(100 * at)}</text>`,
    ),
    ...known.map((category, place) => {
      const top = place * band;
      const rows = runs.map((run, row) => {
        const estimate = estimateOf(run, category);
        if (estimate === undefined) return "";
        const y = top + GAP / 2 + (row + 0.5) * ROW;
        const at = [x.place(estimate.mean), y] as const;
        const whisker = `M${x.place(estimate.low)} ${y}H${x.place(estimate.high)}`;
        const says = `${run.label}, category ${category}: ${percentInterval(estimate)}, n ${estimate.count}`;
        return `<g class="${colourClass(run.colour)}">${drawPoint(run.colour, at, whisker, says)}</g>`;
      });
      const rule = place === 0 ? "" : `<path class="grid" d="M0 ${top}H${WIDTH - RIGHT}"/>`;
      return `${rule}${nameText(category, top + band / 2 + 4)}${rows.join("")}`;
    }),
  ];
  return figure("By category", `${measure}, per cent`, body.join(""), WIDTH, bottom + BOTTOM);
}

function nameText(category: string, y: number): string {
  const letters = [...category];
  const shown = letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : category;
  return `<text x="4" y="${y}">${escapeHtml(shown)}<title>${escapeHtml(category)}</title></text>`;
}
