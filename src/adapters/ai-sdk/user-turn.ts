/**
 * Where does a prompt stand in the conversation? At the last thing the user said, or some tool calls after it: a model is
 * asked once for every step of an answer, and the history comes along each time. Only what is said since the last message
 * of the user is this turn's; all before was kept when it was said.
 */
import { z } from "zod";
import { type PromptMessage, textsOf } from "./language-model.ts";

export interface UserTurn {
  /** What the user said last. */
  readonly text: string;
  /** The place of that message. */
  readonly place: number;
  /** Whether the answer has begun: tools were called for it. */
  readonly isOngoing: boolean;
  /** What the assistant has said in it so far. */
  readonly answered: readonly string[];
  /** What tools recalled for it (memory-tools.ts). */
  readonly recalled: readonly { readonly content: string }[];
}

/** undefined: the user said nothing in words. */
export function userTurn(prompt: readonly PromptMessage[]): UserTurn | undefined {
  const place = prompt.findLastIndex(({ role }) => role === "user");
  const message = prompt[place];
  if (message === undefined) return undefined;
  const text = textsOf(message.content).join("\n");
  if (text.trim() === "") return undefined;
  const since = prompt.slice(place + 1);
  const said = since.filter(({ role }) => role === "assistant");
  return {
    text,
    place,
    isOngoing: since.some(({ role }) => role === "tool"),
    answered: said.flatMap(({ content }) => textsOf(content)),
    recalled: since.flatMap(({ content }) => recalledBy(content)),
  };
}

const resultSchema = z.object({
  type: z.literal("tool-result"),
  output: z.object({
    type: z.literal("json"),
    value: z.object({ memories: z.array(z.object({ text: z.string() })) }),
  }),
});

function recalledBy(content: PromptMessage["content"]): { readonly content: string }[] {
  if (typeof content === "string") return [];
  return content.flatMap((part) => {
    const found = resultSchema.safeParse(part);
    return found.success ? found.data.output.value.memories.map(({ text }) => ({ content: text })) : [];
  });
}
