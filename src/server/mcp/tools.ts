/**
 * Which tools does a model see? One for each row of the table that says how it is told to a model: eight, so that choosing
 * between them costs little. What a row gives back is given back whole, for programs; the model reads a few words of it.
 */
import { invariant } from "../../base/errors.ts";
import { type CallOperation, OPERATIONS } from "../../operations/index.ts";
import { askOperation } from "../../operations/rows/ask.ts";
import { feedbackOperation } from "../../operations/rows/feedback.ts";
import { forgetOperation } from "../../operations/rows/forget.ts";
import { getOperation } from "../../operations/rows/get.ts";
import { listOperation } from "../../operations/rows/list.ts";
import { recallOperation } from "../../operations/rows/recall.ts";
import { rememberOperation } from "../../operations/rows/remember.ts";
import { statusOperation } from "../../operations/rows/status.ts";
import type { Tool } from "./tool.ts";
import {
  printAnswer,
  printEntry,
  printErased,
  printFeedback,
  printFound,
  printPage,
  printRemembered,
  printStatus,
} from "./tool-text.ts";

/** How the model is told what came of it; of other rows it reads the JSON. */
const TOLD: readonly Tool[] = [
  toolOf(rememberOperation, printRemembered),
  toolOf(recallOperation, printFound),
  toolOf(askOperation, printAnswer),
  toolOf(feedbackOperation, printFeedback),
  toolOf(getOperation, printEntry),
  toolOf(listOperation, printPage),
  toolOf(forgetOperation, printErased),
  toolOf(statusOperation, printStatus),
];

export const OPERATION_TOOLS: readonly Tool[] = OPERATIONS.flatMap((row) =>
  row.kind !== "call" || row.tool === null
    ? []
    : [TOLD.find(({ name }) => name === row.name) ?? toolOf(row, (output) => JSON.stringify(output))],
);

function toolOf<Input, Output>(
  row: CallOperation<Input, Output>,
  print: (output: Output, given: unknown) => string,
): Tool {
  const { name, effect, isIdempotent, input, output } = row;
  return {
    name,
    description: row.tool ?? row.summary.en,
    effect,
    isIdempotent,
    input,
    output,
    async run(memory, given, call) {
      const made = await row.run(memory, given, call);
      invariant(typeof made === "object" && made !== null, `The operation ${name} gave back no object`);
      return { structured: Object.fromEntries(Object.entries(made)), text: print(made, given) };
    },
  };
}
