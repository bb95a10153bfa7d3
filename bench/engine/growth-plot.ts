/** The growth curve as a picture: both axes logarithmic, so that linear growth is a line of slope one. */

export interface Series {
  readonly name: string;
  readonly points: readonly { readonly size: number; readonly ms: number }[];
}

const WIDTH = 640;
const HEIGHT = 400;
const LEFT = 70;
const RIGHT = 72;
const TOP = 56;
const BOTTOM = 48;

/** Colours that can be told apart on white and on black. */
const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .title { font-size: 14px; font-weight: 600 }
  .grid { stroke: #1f2328; stroke-opacity: 0.15 }
  .linear { stroke: #1f2328; stroke-opacity: 0.5; stroke-dasharray: 5 5; fill: none }
  .s0 { stroke: #0969da; fill: #0969da }
  .s1 { stroke: #bc4c00; fill: #bc4c00 }
  .line { fill: none; stroke-width: 2 }
  .label { stroke: none; font-size: 11px }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .grid, .linear { stroke: #e6edf3 }
    .s0 { stroke: #58a6ff; fill: #58a6ff }
    .s1 { stroke: #f0883e; fill: #f0883e }
  }`;

/** A complete SVG document. */
export function plotGrowth(series: readonly Series[]): string {
  const points = series.flatMap((one) => one.points);
  const x = axis(
    points.map(({ size }) => size),
    LEFT,
    WIDTH - RIGHT,
  );
  const y = axis(
    points.map(({ ms }) => ms),
    HEIGHT - BOTTOM,
    TOP,
  );
  const body = [
    `<text class="title" x="${LEFT}" y="20">Search time as a memory grows (both axes logarithmic)</text>`,
    ...x.decades.map((at) => verticalLine(x.place(at), count(at))),
    ...y.decades.map((at) => horizontalLine(y.place(at), `${at} ms`)),
    linearLine(series[0], x, y),
    ...series.flatMap((one, number) => drawSeries(one, number, x, y)),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Search time against number of entries">
<style>${STYLE}
</style>
${body.join("\n")}
</svg>
`;
}

interface Axis {
  readonly decades: readonly number[];
  place(value: number): number;
}

/** From the power of ten below the least value to the one above the greatest. */
function axis(values: readonly number[], from: number, to: number): Axis {
  const low = Math.floor(Math.log10(Math.min(...values)) + 1e-9);
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values)) - 1e-9));
  return {
    decades: Array.from({ length: high - low + 1 }, (_, i) => Number(`1e${low + i}`)),
    place: (value) => round(from + ((Math.log10(value) - low) / (high - low)) * (to - from)),
  };
}

function drawSeries({ name, points }: Series, number: number, x: Axis, y: Axis): string[] {
  const path = points.map(({ size, ms }) => `${x.place(size)},${y.place(ms)}`).join(" ");
  return [
    `<g class="s${number}">`,
    `<polyline class="line" points="${path}"/>`,
    ...points.map(({ size, ms }) => `<circle cx="${x.place(size)}" cy="${y.place(ms)}" r="3.5"/>`),
    ...points.map(({ size, ms }, place) => {
      const text = `${Number(ms.toPrecision(2))} ms`;
      // The first series is labelled above its line, the second below, and the last points beside it.
      if (place === points.length - 1) return label(text, x.place(size) + 8, y.place(ms) + 4, "start");
      return label(text, x.place(size), y.place(ms) + (number === 0 ? -10 : 18), "middle");
    }),
    `<rect x="${LEFT + 300 * number}" y="32" width="12" height="4"/>`,
    "</g>",
    `<text x="${LEFT + 300 * number + 18}" y="38">${name}</text>`,
  ];
}

function label(text: string, x: number, y: number, anchor: string): string {
  return `<text class="label" x="${x}" y="${y}" text-anchor="${anchor}">${text}</text>`;
}

/** What time would be if it grew with size from the first point on. */
function linearLine(series: Series | undefined, x: Axis, y: Axis): string {
  const first = series?.points[0];
  const last = series?.points.at(-1);
  if (first === undefined || last === undefined) return "";
  const top = Math.min((first.ms * last.size) / first.size, y.decades.at(-1) ?? 1);
  const end = (first.size * top) / first.ms;
  return `<path class="linear" d="M${x.place(first.size)} ${y.place(first.ms)}L${x.place(end)} ${y.place(top)}"/>
${label("linear", x.place(end) + 6, y.place(top) + 12, "start")}`;
}

function verticalLine(x: number, label: string): string {
  return `<path class="grid" d="M${x} ${TOP}V${HEIGHT - BOTTOM}"/><text x="${x}" y="${HEIGHT - BOTTOM + 20}" text-anchor="middle">${label}</text>`;
}

function horizontalLine(y: number, label: string): string {
  return `<path class="grid" d="M${LEFT} ${y}H${WIDTH - RIGHT}"/><text x="${LEFT - 8}" y="${y + 4}" text-anchor="end">${label}</text>`;
}

function count(value: number): string {
  if (value >= 1e6) return `${value / 1e6} M`;
  return value >= 1000 ? `${value / 1000} k` : String(value);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
