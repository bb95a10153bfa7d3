/** A plot as inline SVG: lines or points over two axes, with their intervals. Colours come from the page's style. */
import { type Axis, linearAxis, logAxis } from "./axis.ts";
import { escapeHtml } from "./html.ts";
import { colourClass, marker } from "./marker.ts";

export interface PlotPoint {
  readonly x: number;
  readonly y: number;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  /** What a reader who points at it is told. */
  readonly says: string;
}

export interface PlotSeries {
  readonly colour: number;
  readonly points: readonly PlotPoint[];
}

export interface PlotScale {
  readonly label: string;
  readonly write: (value: number) => string;
  /** "log" places equal ratios equally; "zero" begins at nought; "near" just below the least value. */
  readonly scale: "log" | "zero" | "near";
  readonly ticks?: readonly number[] | undefined;
}

export interface Plot {
  readonly title: string;
  readonly x: PlotScale;
  readonly y: PlotScale;
  readonly hasLines: boolean;
  readonly series: readonly PlotSeries[];
}

const WIDTH = 400;
const HEIGHT = 260;
const LEFT = 56;
const RIGHT = 16;
const TOP = 12;
const BOTTOM = 44;
/** So that intervals at the same place do not hide each other. */
const APART = 3;

/** The whole figure; "" where there is nothing to draw. */
export function drawPlot(plot: Plot): string {
  const points = plot.series.flatMap((one) => one.points);
  if (points.length === 0) return "";
  const x = axisOf(
    plot.x,
    points.map((one) => one.x),
    LEFT + 8,
    WIDTH - RIGHT - 8,
  );
  const y = axisOf(
    plot.y,
    points.flatMap((one) => [one.y, one.low ?? one.y, one.high ?? one.y]),
    HEIGHT - BOTTOM,
    TOP,
  );
  const middle = (LEFT + WIDTH - RIGHT) / 2;
  const body = [
    ...y.ticks.map((at) => horizontal(y.place(at), plot.y.write(at))),
    ...spaced(x, plot.x).map((at) => vertical(x.place(at), plot.x.write(at))),
    `<text class="axis" x="${middle}" y="${HEIGHT - 6}" text-anchor="middle">${escapeHtml(plot.x.label)}</text>`,
    ...plot.series.map((one, number) => {
      const shift = plot.hasLines ? (number - (plot.series.length - 1) / 2) * APART : 0;
      return drawSeries(one, x, y, shift, plot.hasLines);
    }),
  ];
  return figure(plot.title, plot.y.label, body.join(""), WIDTH, HEIGHT);
}

/** A picture with what it shows above it. */
export function figure(title: string, label: string, body: string, width: number, height: number): string {
  const name = escapeHtml(`${title}: ${label}`);
  return `<figure><figcaption><b>${escapeHtml(title)}</b> ${escapeHtml(label)}</figcaption><svg class="plot" viewBox="0 0 ${width} ${height}" role="img" aria-label="${name}">${body}</svg></figure>`;
}

/** An interval, a marker, and what a reader who points at it is told. */
export function drawPoint(
  colour: number,
  at: readonly [number, number],
  whisker: string,
  says: string,
): string {
  return `<g><title>${escapeHtml(says)}</title>${whisker === "" ? "" : `<path class="whisker" d="${whisker}"/>`}${marker(colour, ...at)}</g>`;
}

function axisOf({ scale, ticks }: PlotScale, values: readonly number[], from: number, to: number): Axis {
  const options = { values, from, to };
  const isPositive = values.some((value) => value > 0);
  return scale === "log" && isPositive ? logAxis(options, ticks) : linearAxis(options, scale === "zero");
}

function drawSeries(
  { colour, points }: PlotSeries,
  x: Axis,
  y: Axis,
  shift: number,
  hasLine: boolean,
): string {
  const places = points.map((one) => [round(x.place(one.x) + shift), y.place(one.y)] as const);
  const line =
    hasLine && places.length > 1
      ? `<polyline class="line" points="${places.map((at) => at.join(",")).join(" ")}"/>`
      : "";
  const marks = points.map(({ low, high, says }, number) => {
    const at = places[number] ?? [0, 0];
    const whisker =
      low === undefined || high === undefined || low === high
        ? ""
        : `M${at[0]} ${y.place(low)}V${y.place(high)}`;
    return drawPoint(colour, at, whisker, says);
  });
  return `<g class="${colourClass(colour)}">${line}${marks.join("")}</g>`;
}

/** What would be written over the tick before it is left out. */
function spaced(axis: Axis, { write }: PlotScale): number[] {
  let end = Number.NEGATIVE_INFINITY;
  return axis.ticks.filter((tick) => {
    const half = write(tick).length * 3.4 + 3;
    if (axis.place(tick) - half < end) return false;
    end = axis.place(tick) + half;
    return true;
  });
}

function horizontal(y: number, text: string): string {
  return `<path class="grid" d="M${LEFT} ${y}H${WIDTH - RIGHT}"/><text x="${LEFT - 6}" y="${round(y + 4)}" text-anchor="end">${escapeHtml(text)}</text>`;
}

function vertical(x: number, text: string): string {
  return `<path class="grid" d="M${x} ${TOP}V${HEIGHT - BOTTOM}"/><text x="${x}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${escapeHtml(text)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
