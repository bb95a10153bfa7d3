/** What would taking up a conversation cost? */
import { MemoryError } from "../../base/errors.ts";
import { Memory } from "../../runtime/memory.ts";
import { openInMemory } from "../../storage/memory.ts";
import type { Given } from "../command.ts";
import { readConversation } from "../conversation/read.ts";
import { meantMemory } from "../meant-memory.ts";
import { amount, wholeNumber } from "../option-values.ts";
import type { Terminal } from "../terminal.ts";
import { stoppable } from "../underway.ts";

export async function estimateFile(given: Given, terminal: Terminal): Promise<number> {
  const [input, output] = [amount(given, "price-in"), amount(given, "price-out")];
  if ((input === undefined) !== (output === undefined)) {
    throw new MemoryError("option_invalid", "A price has two sides. Valid: --price-in with --price-out.");
  }
  const price = input === undefined || output === undefined ? undefined : { input, output };
  const sample = wholeNumber(given, "sample");
  const { turns } = await readConversation(given.argument("FILE"), {
    conversation: given.text("conversation"),
  });
  const { preset, scope, model, trace } = await meantMemory(given, terminal, { isNew: true });
  // Nothing is kept, so no file is opened or made.
  const storage = await openInMemory();
  const memory = await Memory.open({ storage, preset, scope, model, env: terminal.env, trace });
  try {
    // Not through its row: a file may hold more turns than one request may bring.
    const cost = await stoppable((signal) => memory.estimate(turns, { sample, price, signal }));
    terminal.give({ preset: memory.preset, ...cost });
    const { say, text, paint } = terminal;
    say(
      text({
        en: `${cost.turns} turns through ${memory.preset}: ${cost.calls} calls, ${cost.inputTokens} tokens read, about ${cost.outputTokens} written${cost.money === null ? "" : `, about ${cost.money.toFixed(2)} in money`}.`,
        zh: `${cost.turns} 轮经过 ${memory.preset}：${cost.calls} 次调用，输入 ${cost.inputTokens} 词元，输出约 ${cost.outputTokens} 词元${cost.money === null ? "" : `，约需 ${cost.money.toFixed(2)}`}。`,
      }),
    );
    for (const [task, { calls, inputTokens, outputTokens }] of Object.entries(cost.byTask))
      say(paint("dim", `  ${task}: ${calls} × · ${inputTokens} → ${outputTokens}`));
    if (cost.sampled < cost.turns)
      terminal.note(
        text({
          en: `Reckoned from the first ${cost.sampled} turns.`,
          zh: `由前 ${cost.sampled} 轮推算。`,
        }),
      );
    return 0;
  } finally {
    await memory.close();
  }
}
