/** The option by which a preset asks a task with a prompt file of its own. */
import { z } from "zod";

export function promptOption(what: string): z.ZodString {
  return z
    .string()
    .min(1)
    .describe(`Id of the prompt file that asks for ${what}; it has the same placeholders as the task's own.`);
}
