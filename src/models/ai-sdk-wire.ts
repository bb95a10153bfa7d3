/** Our requests as the AI SDK's call options, and its results (v2 to v4) as the raw reply that all adapters judge alike. */
import { z } from "zod";
import type { JsonObject } from "../base/json.ts";
import { type Asked, replyInvalid } from "./failure.ts";
import type { ChatMessage, ChatRequest } from "./model.ts";
import type { RawReply } from "./openai-wire.ts";
import { createThinkFilter, withoutThoughts } from "./think-filter.ts";

type TextPart = { type: "text"; text: string };
type CallPart = { type: "tool-call"; toolCallId: string; toolName: string; input: JsonObject };
type ResultPart = {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  output: { type: "text"; value: string };
};

type AiSdkMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: TextPart[] }
  | { role: "assistant"; content: (TextPart | CallPart)[] }
  | { role: "tool"; content: ResultPart[] };

/** The part of the call options that v2, v3 and v4 share and we use. */
export interface AiSdkCall {
  prompt: AiSdkMessage[];
  maxOutputTokens?: number;
  temperature?: number;
  seed?: number;
  responseFormat?: { type: "json"; schema: JsonObject; name: string };
  tools?: { type: "function"; name: string; description: string; inputSchema: JsonObject }[];
  toolChoice?: { type: "auto" | "none" | "required" } | { type: "tool"; toolName: string };
  abortSignal?: AbortSignal;
  /** v4 only; older models ignore it. */
  reasoning?: "none" | "medium";
}

export function callOptions(request: ChatRequest, signal: AbortSignal | undefined): AiSdkCall {
  const { messages, maxTokens, temperature, seed, shape, tools, toolChoice = "auto", thinking } = request;
  return {
    prompt: messages.map(promptMessage),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(seed === undefined ? {} : { seed }),
    ...(shape === undefined
      ? {}
      : { responseFormat: { type: "json", schema: shape.schema, name: shape.name } }),
    ...(tools === undefined
      ? {}
      : {
          tools: tools.map(({ name, description, input }) => ({
            type: "function",
            name,
            description,
            inputSchema: input,
          })),
          toolChoice:
            typeof toolChoice === "string"
              ? { type: toolChoice }
              : { type: "tool", toolName: toolChoice.name },
        }),
    ...(thinking === undefined ? {} : { reasoning: thinking ? "medium" : "none" }),
    ...(signal === undefined ? {} : { abortSignal: signal }),
  };
}

function promptMessage(message: ChatMessage): AiSdkMessage {
  const part: TextPart = { type: "text", text: message.text };
  switch (message.role) {
    case "system":
      return { role: "system", content: message.text };
    case "user":
      return { role: "user", content: [part] };
    case "tool": {
      const output = { type: "text" as const, value: message.text };
      return {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: message.id, toolName: message.name, output }],
      };
    }
    case "assistant": {
      const calls = (message.toolCalls ?? []).map(
        ({ id, name, input }): CallPart => ({ type: "tool-call", toolCallId: id, toolName: name, input }),
      );
      return { role: "assistant", content: message.text === "" ? calls : [part, ...calls] };
    }
  }
}

/** v2: a number and a word; v3 and v4: an object with the total, and one with the unified word. */
const tokens = z
  .union([z.number(), z.looseObject({ total: z.number().nullish() })])
  .nullish()
  .transform((count) => (typeof count === "number" ? count : (count?.total ?? 0)));
const finish = z
  .union([z.string(), z.looseObject({ unified: z.string() })])
  .nullish()
  .transform((reason) => (typeof reason === "string" ? reason : reason?.unified));
const usage = z.looseObject({ inputTokens: tokens, outputTokens: tokens }).nullish();

const generatedSchema = z.looseObject({
  content: z.array(
    z.looseObject({
      type: z.string(),
      text: z.string().optional(),
      toolCallId: z.string().optional(),
      toolName: z.string().optional(),
      input: z.unknown().optional(),
    }),
  ),
  structuredOutputText: z.string().nullish(),
  finishReason: finish,
  usage,
});

export const vectorsSchema = z.looseObject({
  embeddings: z.array(z.array(z.number())),
  usage: z.looseObject({ tokens: z.number().nullish() }).nullish(),
});
export const rankingSchema = z.looseObject({
  ranking: z.array(z.looseObject({ index: z.number().int(), relevanceScore: z.number() })),
});

/** The SDK's words for why a reply ended, as OpenAI's. */
const FINISH: Readonly<Record<string, string>> = {
  "content-filter": "content_filter",
  "tool-calls": "tool_calls",
};

export function readGenerated(asked: Asked, generated: unknown): RawReply {
  const parsed = generatedSchema.safeParse(generated);
  if (!parsed.success) {
    throw replyInvalid(asked, "sent a result without content.", JSON.stringify(generated), {
      cause: parsed.error,
    });
  }
  const { content, structuredOutputText, finishReason, usage: used } = parsed.data;
  const counted = { inputTokens: used?.inputTokens ?? 0, outputTokens: used?.outputTokens ?? 0 };
  if (finishReason === "error") {
    throw replyInvalid(asked, "ended its reply with an error.", JSON.stringify(content), { usage: counted });
  }
  const text = content.map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("");
  const calls = content.filter((part) => part.type === "tool-call");
  return {
    text: withoutThoughts(structuredOutputText ?? text),
    raw: structuredOutputText ?? text,
    refusal: "",
    toolCalls: calls.map((call) => ({
      id: call.toolCallId,
      function: {
        name: call.toolName,
        arguments: typeof call.input === "string" ? call.input : JSON.stringify(call.input ?? {}),
      },
    })),
    finish: finishReason === undefined ? undefined : (FINISH[finishReason] ?? finishReason),
    usage: counted,
  };
}

const streamPart = z.looseObject({
  type: z.string(),
  delta: z.string().optional(),
  error: z.unknown().optional(),
});

/** Reads a stream to its end and gives back what doGenerate would have. */
export async function joinStream(
  stream: AsyncIterable<object>,
  onText: (piece: string) => void,
): Promise<object> {
  const filter = createThinkFilter();
  const content: object[] = [];
  let text = "";
  let end: object | undefined;
  const tell = (piece: string): void => {
    if (piece !== "") onText(piece);
  };
  for await (const raw of stream) {
    const part = streamPart.parse(raw);
    if (part.type === "text-delta") {
      text += part.delta ?? "";
      tell(filter.push(part.delta ?? ""));
    }
    if (part.type === "tool-call") content.push(raw);
    if (part.type === "finish") end = raw;
    if (part.type === "error") throw part.error;
  }
  tell(filter.end());
  if (end === undefined) throw new Error("the stream ended before the reply did");
  return { ...end, content: [{ type: "text", text }, ...content] };
}
