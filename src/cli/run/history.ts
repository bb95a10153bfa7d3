/** What became of a memory, step by step. */
import type { JsonObject } from "../../base/json.ts";
import { historyOperation } from "../../operations/rows/history.ts";
import type { EventOutput } from "../../operations/schemas/entry.ts";
import type { Given } from "../command.ts";
import { eventNumber } from "../event-number.ts";
import { minuteOf } from "../memory-text.ts";
import { wholeNumber } from "../option-values.ts";
import type { Terminal } from "../terminal.ts";
import { withMemory } from "../with-memory.ts";

/** So much of a value is shown. */
const SHOWN = 60;

export async function showHistory(given: Given, terminal: Terminal): Promise<number> {
  const after = given.text("after");
  const options = {
    limit: wholeNumber(given, "limit"),
    after: after === undefined ? undefined : eventNumber(after, "--after"),
    looks: given.isSet("looks"),
  };
  return withMemory(given, terminal, { isNew: false, isQuiet: true }, async ({ memory }) => {
    const id = given.argument("ID");
    const { events } = await historyOperation.run(memory, { id, ...options });
    terminal.give({ id, events });
    for (const event of events) sayEvent(event, terminal);
    if (events.length === 0) terminal.say(terminal.text({ en: "(nothing)", zh: "（没有记录）" }));
    return 0;
  });
}

function sayEvent(
  { seq, at, operation, actor, cause, before, after }: EventOutput,
  terminal: Terminal,
): void {
  const { say, paint } = terminal;
  say(
    `${paint("cyan", String(seq))}  ${minuteOf(at)}  ${operation}  ${paint("dim", `(${actor}, ${cause})`)}`,
  );
  for (const key of Object.keys({ ...before, ...after }))
    say(paint("dim", `        ${key}: ${shown(before, key)} → ${shown(after, key)}`));
}

function shown(fields: JsonObject | null, key: string): string {
  const value = fields?.[key];
  if (value === undefined) return "∅";
  const text = JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
