/** How long does the server want to be left alone? `Retry-After` in seconds or as a date (RFC 9110 §10.2.3), or the finer `retry-after-ms`. */

export interface Headers {
  get(name: string): string | null | undefined;
}

export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const ms = numberIn(headers.get("retry-after-ms"));
  if (ms !== undefined) return ms;
  const header = headers.get("retry-after");
  const seconds = numberIn(header);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(header ?? "");
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function numberIn(header: string | null | undefined): number | undefined {
  return header != null && /^\s*\d+(\.\d+)?\s*$/.test(header) ? Number(header) : undefined;
}
