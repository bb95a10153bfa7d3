/** A table as part of the page: its first column stays in sight, and a touch on a head sorts by it. */
import { escapeHtml } from "./html.ts";
import { markerPicture } from "./marker.ts";
import { type Cell, isNumeric, type Table } from "./table.ts";

export function tableHtml({ head, rows }: Pick<Table, "head" | "rows">): string {
  const side = head.map((_, place) => (isNumeric(rows, place) ? ' class="number"' : ""));
  const heads = head.map(
    (text, place) => `<th scope="col"${side[place]}><button type="button">${headHtml(text)}</button></th>`,
  );
  const body = rows.map(
    (cells) => `<tr>${cells.map((cell, place) => cellHtml(cell, place, side[place] ?? "")).join("")}</tr>`,
  );
  return `<div class="scroll" tabindex="0"><table><thead><tr>${heads.join("")}</tr></thead><tbody>${body.join("\n")}</tbody></table></div>`;
}

/** The number of questions stands below the measure's name. */
function headHtml(text: string): string {
  return escapeHtml(text).replace(/, (n \d+)$/, "<small>$1</small>");
}

function cellHtml({ text, value, isBest, colour }: Cell, place: number, side: string): string {
  const key = colour === undefined ? "" : markerPicture(colour);
  // The interval is read after the value: it stands behind it, paler.
  const inside = escapeHtml(text).replace(/^(\S+) (\(.*)$/, '$1 <span class="interval">$2</span>');
  if (place === 0) return `<th scope="row">${key}${escapeHtml(text)}</th>`;
  const data = value === undefined ? "" : ` data-value="${value}"`;
  return `<td${side}${data}>${isBest === true ? `<span class="best">${inside}</span>` : inside}</td>`;
}
