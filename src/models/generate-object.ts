/**
 * Ask for data, get data. The reply is held to a zod schema: natively where the model can, by words where it cannot; then
 * parsed, repaired and validated; a bad one is shown to the model with what was wrong, once; then it is an error with the
 * raw text kept, so that the caller can fall back and nothing is lost (peers: swallowed replies lose memories).
 */
import type { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import { silent, type Trace } from "../base/trace.ts";
import { replyInvalid, usageOf } from "./failure.ts";
import { type Fit, type FitRepair, fitReply } from "./fit-reply.ts";
import { type InstructionLanguage, JSON_INSTRUCTIONS } from "./json-instructions.ts";
import { addUsage } from "./middleware.ts";
import {
  type CallOptions,
  type ChatMessage,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  NO_USAGE,
  type ReplyShape,
  type Usage,
} from "./model.ts";
import { toReplyShape } from "./reply-schema.ts";

export interface ObjectRequest<T> extends Omit<ChatRequest, "shape" | "tools" | "toolChoice"> {
  readonly schema: z.ZodType<T>;
  /** Name of the shape: letters, digits, _ and -. */
  readonly name: string;
  /** Of the protocol's own sentences; the prompt's language (default English). */
  readonly language?: InstructionLanguage | undefined;
}

export interface ObjectOptions extends CallOptions {
  readonly trace?: Trace | undefined;
}

export interface ObjectReply<T> {
  readonly value: T;
  /** Of all tries together. */
  readonly usage: Usage;
  /** What had to be forgiven; empty for a clean reply. */
  readonly repairs: readonly FitRepair[];
  /** The reply broke off, twice; what is here was whole, but more may be missing. */
  readonly truncated: boolean;
  /** The text the value was read from. */
  readonly raw: string;
}

/** What one try gave: an answer that fits, or what was wrong with it. */
interface Try<T> {
  readonly text: string;
  /** For the error, where there is no text: what came instead. */
  readonly raw: string;
  readonly usage: Usage;
  readonly fit: Fit<T>;
  readonly cached: boolean;
}

export async function generateObject<T>(
  model: ChatModel,
  request: ObjectRequest<T>,
  options: ObjectOptions = {},
): Promise<ObjectReply<T>> {
  const { trace = silent, ...call } = options;
  const { schema, name, language = "en", ...chat } = request;
  const shape = toReplyShape(name, schema);
  const words = JSON_INSTRUCTIONS[language];
  const asked = { model: model.id, provider: model.provider, secrets: [] };
  const ask = async (messages: readonly ChatMessage[], more: CallOptions = {}): Promise<Try<T>> => {
    const reply = await replyOrRaw(model, { ...chat, messages, shape }, { ...call, ...more });
    const fit: Fit<T> =
      reply.text === ""
        ? { ok: false, problem: "It was empty." }
        : fitReply(schema, shape.schema, reply.text);
    return { ...reply, fit };
  };

  const messages =
    model.json === "schema" ? chat.messages : withInstruction(chat.messages, words.format(shape.schema));
  let first = await ask(messages);
  let usage = first.usage;
  if (first.cached && !isGood(first.fit)) {
    // A remembered bad reply would stay bad for ever; a new one may be good.
    first = await ask(messages, { fresh: true });
    usage = addUsage(usage, first.usage);
  }
  if (isGood(first.fit)) return result(first, usage);

  const problem = first.fit.ok ? "It breaks off before its end." : first.fit.problem;
  trace(
    warning(model, `sent a reply for "${name}" that could not be used: ${problem} It is asked once more.`),
  );
  const second = await ask([
    ...messages,
    ...(first.text === "" ? [] : [{ role: "assistant" as const, text: first.text }]),
    { role: "user", text: words.again(problem, shape.schema) },
  ]);
  usage = addUsage(usage, second.usage);
  if (isGood(second.fit)) return result(second, usage);

  const partial = [second, first].find((one) => one.fit.ok);
  if (partial !== undefined) {
    trace(
      warning(model, `broke off its reply for "${name}" twice; what was whole is used, the rest is missing.`),
    );
    return result(partial, usage);
  }
  const left = second.fit.ok ? "" : second.fit.problem;
  const raw = second.raw || first.raw;
  throw replyInvalid(asked, `sent no usable reply for "${name}", twice. ${left}`, raw, { usage });
}

function isGood<T>(fit: Fit<T>): boolean {
  return fit.ok && !fit.truncated;
}

function result<T>({ fit, raw }: Try<T>, usage: Usage): ObjectReply<T> {
  if (!fit.ok) throw new MemoryError("invariant", "A reply that does not fit was taken for one that does.");
  return { value: fit.value, usage, repairs: fit.repairs, truncated: fit.truncated, raw };
}

/** An empty or unreadable reply counts as a bad one, to be asked for again; other errors are the caller's. */
async function replyOrRaw(
  model: ChatModel,
  request: ChatRequest & { readonly shape: ReplyShape },
  options: CallOptions,
): Promise<Omit<Try<never>, "fit">> {
  try {
    const reply: ChatReply = await model.generate(request, options);
    const { text, usage, cached = false } = reply;
    return { text, raw: text, usage, cached };
  } catch (error) {
    if (!MemoryError.is(error) || error.code !== "reply_invalid") throw error;
    const raw = error.details.raw;
    const usage = usageOf(error) ?? NO_USAGE;
    return { text: "", raw: typeof raw === "string" ? raw : "", usage, cached: false };
  }
}

/** Joins the instruction to the system message, which stays the same from call to call and so can be cached by the server. */
function withInstruction(messages: readonly ChatMessage[], instruction: string): ChatMessage[] {
  const [first, ...others] = messages;
  if (first?.role !== "system") return [{ role: "system", text: instruction }, ...messages];
  return [{ role: "system", text: `${first.text}\n\n${instruction}` }, ...others];
}

function warning(model: ChatModel, message: string) {
  return { type: "warning-raise", code: "reply_invalid", message: `"${model.id}" ${message}` } as const;
}
