/** Is it really wanted? Asked where somebody sits at a terminal; a script says --yes. */
import { createInterface } from "node:readline/promises";
import { MemoryError } from "../base/errors.ts";
import type { Terminal } from "./terminal.ts";

export async function confirm(question: string, terminal: Terminal): Promise<boolean> {
  const { input, isInteractive, text } = terminal;
  if (!isInteractive || input === undefined) {
    throw new MemoryError(
      "input_invalid",
      `${question} Nobody is there to be asked. Valid: --yes, if it is meant.`,
    );
  }
  const lines = createInterface({ input, output: process.stderr });
  const left = new AbortController();
  // Ctrl-C and Ctrl-D are answers, too.
  lines.on("SIGINT", () => left.abort());
  lines.on("close", () => left.abort());
  try {
    const shown = `${question} ${text({ en: "[y/N]", zh: "[是/否]" })} `;
    const answer = await lines.question(shown, { signal: left.signal });
    return /^\s*(y|yes|是|好|确定)\s*$/i.test(answer);
  } catch (error) {
    if (left.signal.aborted) return false;
    throw error;
  } finally {
    lines.close();
  }
}
