/**
 * What comes of a call? The reply of the tool, or the error as the reply: a model reads why it was refused and what would be
 * valid, and a program finds the code where every door has it. Clients of the first generation hold the structured part of
 * an error against the tool's output, and fail; they find the same JSON in the text.
 */
import { randomUUID } from "node:crypto";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Effect } from "../../operations/index.ts";
import type { Memory } from "../../runtime/memory.ts";
import { errorBody, logUnexpected } from "../error-reply.ts";
import type { Tool } from "./tool.ts";

/** Who asks, as a door knows it. */
export interface Asker {
  /** The memory to do it with; refuses with the reason if whoever asks may not. */
  memoryFor(effect: Effect): Promise<Memory>;
  /** Under which the log knows what went wrong; undefined: one is made. */
  readonly requestId?: string | undefined;
  readonly log: (line: string) => void;
  /** Whether it speaks the protocol from before 2026. */
  readonly isLegacy: boolean;
}

export async function callTool(
  tool: Tool,
  given: unknown,
  asker: Asker,
  signal: AbortSignal,
): Promise<CallToolResult> {
  try {
    const memory = await asker.memoryFor(tool.effect);
    const { structured, text } = await tool.run(memory, given, { signal });
    return { content: [{ type: "text", text }], structuredContent: { ...structured } };
  } catch (error) {
    const requestId = asker.requestId ?? randomUUID();
    logUnexpected(error, requestId, asker.log);
    const body = errorBody(error, requestId);
    return {
      isError: true,
      content: [{ type: "text", text: JSON.stringify(body) }],
      ...(asker.isLegacy ? {} : { structuredContent: { ...body } }),
    };
  }
}
