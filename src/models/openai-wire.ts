/** What goes over the wire of an OpenAI-compatible chat endpoint, and what comes back: bodies from requests, replies from bodies. */
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import { type Json, type JsonObject, jsonObjectSchema } from "../base/json.ts";
import type { Endpoint } from "./endpoints.ts";
import { type Asked, replyInvalid } from "./failure.ts";
import { readJson } from "./json-repair.ts";
import type { ChatMessage, ChatReply, ChatRequest, JsonSupport, ToolCall, Usage } from "./model.ts";
import { withoutThoughts } from "./think-filter.ts";

/** What a model turned out not to take; starts as the endpoint's row says. */
export interface Abilities {
  json: JsonSupport;
  maxTokensField: "max_tokens" | "max_completion_tokens";
  readonly refused: Set<string>;
}

export function chatBody(endpoint: Endpoint, request: ChatRequest, abilities: Abilities): JsonObject {
  const { tools, toolChoice = "auto", thinking } = request;
  const body: Record<string, Json | undefined> = {
    model: endpoint.model,
    messages: request.messages.map(wireMessage),
    temperature: request.temperature,
    seed: request.seed,
    [abilities.maxTokensField]: request.maxTokens,
    response_format: request.shape && responseFormat(request.shape, abilities.json),
    tools: tools?.map(({ name, description, input }) => ({
      type: "function",
      function: { name, description, parameters: input },
    })),
    tool_choice:
      tools === undefined
        ? undefined
        : typeof toolChoice === "string"
          ? toolChoice
          : { type: "function", function: { name: toolChoice.name } },
    ...(thinking === undefined ? {} : endpoint.thinking?.[thinking ? "on" : "off"]),
  };
  const kept = Object.entries(body).filter(
    ([name, value]) => value !== undefined && !abilities.refused.has(name),
  );
  return jsonObjectSchema.parse(Object.fromEntries(kept));
}

function responseFormat(shape: NonNullable<ChatRequest["shape"]>, json: JsonSupport): Json | undefined {
  if (json === "none") return undefined;
  if (json === "object") return { type: "json_object" };
  return {
    type: "json_schema",
    json_schema: { name: shape.name, schema: shape.schema, strict: shape.strict },
  };
}

function wireMessage(message: ChatMessage): JsonObject {
  if (message.role === "tool") return { role: "tool", tool_call_id: message.id, content: message.text };
  if (message.role !== "assistant" || message.toolCalls === undefined || message.toolCalls.length === 0) {
    return { role: message.role, content: message.text };
  }
  const calls = message.toolCalls.map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  return { role: "assistant", content: message.text === "" ? null : message.text, tool_calls: calls };
}

const contentSchema = z
  .union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))])
  .nullish()
  .transform((content) =>
    typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join(""),
  );
const toolCallSchema = z.looseObject({
  index: z.number().nullish(),
  id: z.string().nullish(),
  function: z.looseObject({
    name: z.string().nullish(),
    arguments: z.union([z.string(), jsonObjectSchema]).nullish(),
  }),
});
const messageSchema = z.looseObject({
  content: contentSchema,
  refusal: z.string().nullish(),
  tool_calls: z.array(toolCallSchema).nullish(),
});
const usageSchema = z
  .looseObject({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() })
  .nullish()
  .transform(
    (usage): Usage => ({
      inputTokens: usage?.prompt_tokens ?? 0,
      outputTokens: usage?.completion_tokens ?? 0,
    }),
  );
const completionSchema = z.looseObject({
  choices: z.array(z.looseObject({ message: messageSchema, finish_reason: z.string().nullish() })),
  usage: usageSchema,
});

/** One event of a streamed completion. */
export const chunkSchema = z.looseObject({
  choices: z
    .array(z.looseObject({ delta: messageSchema.partial().nullish(), finish_reason: z.string().nullish() }))
    .nullish(),
  usage: usageSchema,
  error: z.unknown().optional(),
});

/** A call as it comes: one piece, or pieces to be joined. */
export type RawToolCall = z.infer<typeof toolCallSchema>;

/** A completion before it is judged; streams are joined into one of these. */
export interface RawReply {
  /** Without thoughts. */
  readonly text: string;
  /** With them, as it came; kept where the text turns out to be of no use. */
  readonly raw: string;
  readonly refusal: string;
  readonly toolCalls: readonly RawToolCall[];
  readonly finish: string | null | undefined;
  readonly usage: Usage;
}

export function readCompletion(asked: Asked, body: unknown): RawReply {
  const parsed = completionSchema.safeParse(body);
  const choice = parsed.success ? parsed.data.choices[0] : undefined;
  if (!parsed.success || choice === undefined) {
    throw replyInvalid(asked, "sent a reply without a choice in it.", JSON.stringify(body), {
      cause: parsed.error,
    });
  }
  return {
    text: withoutThoughts(choice.message.content),
    raw: choice.message.content,
    refusal: choice.message.refusal ?? "",
    toolCalls: choice.message.tool_calls ?? [],
    finish: choice.finish_reason,
    usage: parsed.data.usage,
  };
}

/** Refusals and empty replies become errors here, so a caller never takes them for an answer. */
export function judgeReply(asked: Asked, raw: RawReply): ChatReply {
  if (raw.finish === "content_filter" || raw.refusal !== "") {
    throw new MemoryError(
      "model_refused",
      `"${asked.model}" of ${asked.provider} refused to answer${raw.finish === "content_filter" ? " (content filter)" : ""}.`,
      {
        details: {
          model: asked.model,
          provider: asked.provider,
          raw: raw.refusal || raw.text,
          usage: { ...raw.usage },
        },
      },
    );
  }
  const toolCalls = raw.toolCalls.map((call, index) => readToolCall(asked, call, index, raw.usage));
  const cut = raw.finish === "length" || raw.finish === "max_tokens";
  if (raw.text.trim() === "" && toolCalls.length === 0) {
    const reason = cut ? "used up maxTokens before its answer began; allow more" : "sent an empty reply";
    throw replyInvalid(asked, `${reason}.`, raw.raw, { usage: raw.usage });
  }
  const finish = toolCalls.length > 0 ? "tools" : cut ? "length" : "stop";
  return { text: raw.text, toolCalls, finish, usage: raw.usage };
}

function readToolCall(asked: Asked, call: RawToolCall, index: number, usage: Usage): ToolCall {
  const given = call.function.arguments ?? {};
  const input = typeof given === "string" ? readInput(given) : given;
  const name = call.function.name ?? "";
  if (input === undefined || name === "") {
    const problem = "called a tool with an input that is no JSON object.";
    throw replyInvalid(asked, problem, JSON.stringify(call), { usage });
  }
  return { id: call.id || `call_${index}`, name, input };
}

function readInput(text: string): JsonObject | undefined {
  if (text.trim() === "") return {};
  for (const { value, truncated } of readJson(text)) {
    const object = jsonObjectSchema.safeParse(value);
    // Half an input could do half of something else.
    if (object.success && !Array.isArray(value) && !truncated) return object.data;
  }
  return undefined;
}
