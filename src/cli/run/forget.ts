/** Erases what the options name, after asking, and says what went. */
import { MemoryError } from "../../base/errors.ts";
import { forgetOperation } from "../../operations/rows/forget.ts";
import type { Forgettable } from "../../runtime/forget.ts";
import type { Given } from "../command.ts";
import { confirm } from "../confirm.ts";
import { sayErasure } from "../erasure-text.ts";
import { lastMoment, moment } from "../option-values.ts";
import type { Terminal } from "../terminal.ts";
import { withMemory } from "../with-memory.ts";

export async function forgetThings(given: Given, terminal: Terminal): Promise<number> {
  const what = forgettable(given);
  const { text } = terminal;
  return withMemory(given, terminal, { isNew: false, isQuiet: true }, async ({ memory }) => {
    const named = nameOf(given);
    const question = text({
      en: `Forget ${named} in the scope "${memory.scope}" for good?`,
      zh: `彻底删除范围“${memory.scope}”中的 ${named}？`,
    });
    if (!given.isSet("yes") && !(await confirm(question, terminal))) {
      terminal.note(text({ en: "Nothing was forgotten.", zh: "什么都没有删除。" }));
      return 1;
    }
    const report = await forgetOperation.run(memory, what);
    terminal.give(report);
    sayErasure(report, terminal);
    return 0;
  });
}

const WAYS = ["id", "session", "speaker", "from", "everything"] as const;

function forgettable(given: Given): Forgettable {
  const ways = WAYS.filter((way) => given.isSet(way) || (way === "from" && given.isSet("to")));
  const [way] = ways;
  if (way === undefined || ways.length > 1) {
    throw new MemoryError(
      "option_invalid",
      `What is to be forgotten? ${ways.length === 0 ? "Nothing is named." : `Named are ${ways.join(" and ")}.`} Valid: one of --id, --session, --speaker, --from with --to, --everything.`,
    );
  }
  if (way === "id") return { id: given.text("id") ?? "" };
  if (way === "session") return { session: given.text("session") ?? "" };
  if (way === "speaker") return { speaker: given.text("speaker") ?? "" };
  if (way === "everything") return { everything: true };
  const [from, to] = [moment(given, "from"), lastMoment(given, "to")];
  if (from === undefined || to === undefined || from > to) {
    throw new MemoryError(
      "option_invalid",
      "A span has two ends. Valid: --from DATE --to DATE, in this order.",
    );
  }
  return { from, to };
}

function nameOf(given: Given): string {
  return [...WAYS, "to" as const]
    .filter((option) => given.isSet(option))
    .map((option) => `--${option} ${given.text(option) ?? ""}`.trim())
    .join(" ");
}
