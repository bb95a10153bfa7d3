/**
 * What two doors gave, made comparable. What was there before has the same ids and times in every copy and stays as it is;
 * what a door made itself gets a name by the order it appears in, and a time that is simply "now".
 */

const ID = /\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const ISO = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\b/g;

export interface Names {
  /** Of ids that are not in the seed. */
  readonly made: Map<string, string>;
  readonly isSeed: (id: string) => boolean;
  /** Times from here on are new. */
  readonly since: number;
}

/** How long it took, and a sum over what holds times. */
const LEFT_OUT: readonly string[] = ["ms", "sha256"];

export function comparable(value: unknown, names: Names): unknown {
  if (typeof value === "string") return text(value, names);
  if (typeof value === "number") return number(value, names);
  if (Array.isArray(value)) return value.map((part) => comparable(part, names));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([field]) => !LEFT_OUT.includes(field));
  return Object.fromEntries(fields.map(([field, part]) => [text(field, names), comparable(part, names)]));
}

/** Some scores fade from one second to the next, by far less than shows here. */
function number(value: number, { since }: Names): unknown {
  if (value >= since && value < since + 1e9) return "now";
  return Number.isInteger(value) ? value : Number(value.toPrecision(4));
}

function text(value: string, { made, isSeed, since }: Names): string {
  return value
    .replace(ID, (id) => {
      if (isSeed(id)) return id;
      const name = made.get(id) ?? `new-${made.size + 1}`;
      made.set(id, name);
      return name;
    })
    .replace(ISO, (moment) => (Date.parse(moment) >= since ? "now" : moment));
}
