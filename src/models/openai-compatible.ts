/**
 * Any OpenAI-compatible URL as a `ChatModel`. One call is one request, except that a field the model says it does not
 * support is left out (or weakened, for `response_format`) and the request sent again; the model remembers that.
 */
import { MemoryError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { silent, type Trace } from "../base/trace.ts";
import type { Endpoint } from "./endpoints.ts";
import { networkFailure, RAW_LIMIT, replyInvalid, streamFailure } from "./failure.ts";
import { fingerprint } from "./fingerprint.ts";
import { createHttp, type Http, type HttpDeps } from "./http.ts";
import { isJsonObject } from "./json-object.ts";
import { type ChatModel, type ChatOptions, type ChatRequest, NO_USAGE } from "./model.ts";
import {
  type Abilities,
  chatBody,
  chunkSchema,
  judgeReply,
  type RawReply,
  type RawToolCall,
  readCompletion,
} from "./openai-wire.ts";
import { createThinkFilter } from "./think-filter.ts";

export interface OpenAiDeps extends HttpDeps {
  readonly trace?: Trace | undefined;
  /** Further fields of every request's body, for what an endpoint has of its own. */
  readonly extra?: JsonObject | undefined;
  /** For requests that do not say themselves whether the model should think aloud first. */
  readonly thinking?: boolean | undefined;
}

const PATH = "/chat/completions";

export function openAiCompatible(endpoint: Endpoint, deps: OpenAiDeps = {}): ChatModel {
  const { trace = silent, extra = {} } = deps;
  const http = createHttp(endpoint, deps);
  const abilities: Abilities = {
    json: endpoint.json,
    maxTokensField: endpoint.maxTokensField ?? "max_tokens",
    refused: new Set(),
  };

  const bodyOf = (request: ChatRequest, streamed: boolean): JsonObject => {
    const stream = streamed ? { stream: true, stream_options: { include_usage: true } } : {};
    const all = { ...chatBody(endpoint, request, abilities), ...extra, ...stream };
    return Object.fromEntries(Object.entries(all).filter(([name]) => !abilities.refused.has(name)));
  };

  const send = async (request: ChatRequest, { onText, signal }: ChatOptions): Promise<RawReply> => {
    for (;;) {
      const body = bodyOf(request, onText !== undefined);
      try {
        if (onText !== undefined) return await readStream(http, body, signal, onText);
        return readCompletion(http.asked, await http.post(PATH, body, signal));
      } catch (error) {
        const words = refusedField(error);
        if (words === undefined) throw error;
        const learned = learn(abilities, body, words);
        // Another call may have learned it meanwhile; what would be sent unchanged cannot be helped.
        if (JSON.stringify(bodyOf(request, onText !== undefined)) === JSON.stringify(body)) throw error;
        if (learned === undefined) continue;
        trace({
          type: "warning-raise",
          code: "model_refused",
          message: `"${endpoint.model}" of ${endpoint.name} ${learned}`,
        });
      }
    }
  };

  return {
    id: endpoint.model,
    provider: endpoint.name,
    settings: fingerprint(endpoint.baseUrl, extra, deps.thinking),
    get json() {
      return abilities.json;
    },
    async generate(request, options = {}) {
      const thinking = request.thinking ?? deps.thinking;
      return judgeReply(http.asked, await send({ ...request, thinking }, options));
    },
  };
}

async function readStream(
  http: Http,
  body: JsonObject,
  signal: AbortSignal | undefined,
  onText: (piece: string) => void,
): Promise<RawReply> {
  const filter = createThinkFilter();
  const calls = new Map<number, RawToolCall>();
  let reply: Omit<RawReply, "toolCalls"> = {
    text: "",
    raw: "",
    refusal: "",
    finish: undefined,
    usage: NO_USAGE,
  };
  const tell = (piece: string): void => {
    if (piece === "") return;
    reply = { ...reply, text: reply.text + piece };
    onText(piece);
  };
  for await (const data of http.stream(PATH, body, signal)) {
    const chunk = readChunk(http, data);
    const choice = chunk.choices?.[0];
    const piece = choice?.delta?.content ?? "";
    tell(filter.push(piece));
    for (const call of choice?.delta?.tool_calls ?? []) joinCall(calls, call);
    reply = {
      ...reply,
      raw: reply.raw.length < RAW_LIMIT ? reply.raw + piece : reply.raw,
      refusal: reply.refusal + (choice?.delta?.refusal ?? ""),
      finish: choice?.finish_reason ?? reply.finish,
      usage: chunk.usage.inputTokens + chunk.usage.outputTokens > 0 ? chunk.usage : reply.usage,
    };
  }
  tell(filter.end());
  if (reply.finish == null) {
    const cut = networkFailure(http.asked, signal, new Error("the stream ended before the reply did"));
    throw new MemoryError(cut.code, cut.message, {
      cause: cut,
      details: { ...cut.details, raw: reply.raw },
    });
  }
  return { ...reply, toolCalls: [...calls.values()] };
}

function readChunk(http: Http, data: string) {
  const parsed = chunkSchema.safeParse(parseOr(data));
  if (!parsed.success) {
    throw replyInvalid(http.asked, "sent something else than a piece of a reply.", data, {
      cause: parsed.error,
    });
  }
  // The status was sent long ago: a server that fails now can only say so in the stream.
  if (parsed.data.error != null) throw streamFailure(http.asked, data);
  return parsed.data;
}

function joinCall(calls: Map<number, RawToolCall>, piece: RawToolCall): void {
  const index = piece.index ?? calls.size;
  const known = calls.get(index);
  if (known === undefined) {
    calls.set(index, piece);
    return;
  }
  const [before, after] = [known.function.arguments, piece.function.arguments];
  const joined = typeof before === "string" && typeof after === "string" ? before + after : (after ?? before);
  calls.set(index, { ...known, function: { ...known.function, arguments: joined } });
}

const OPTIONAL = [
  "temperature",
  "seed",
  "stream_options",
  "reasoning_effort",
  "thinking",
  "enable_thinking",
  "chat_template_kwargs",
];
const UNSUPPORTED =
  /unsupported|not (be )?support|does not support|unrecognized|unknown (field|param|name)|extra (inputs|fields)|not permitted|unavailable now|不支持/i;

/** The words by which an endpoint refused a field, if that is what it did. */
function refusedField(error: unknown): string | undefined {
  if (!MemoryError.is(error) || error.code !== "model_refused") return undefined;
  const { status, message, field, providerCode } = error.details;
  if (status !== 400 && status !== 422) return undefined;
  const words = `${providerCode ?? ""} ${field ?? ""} ${message ?? ""}`;
  return UNSUPPORTED.test(words) ? words : undefined;
}

/** What the refusal of `body` teaches, as the end of a sentence; undefined if it teaches nothing new. */
function learn(abilities: Abilities, body: JsonObject, words: string): string | undefined {
  const names = (name: string): boolean => words.includes(name);

  const format = body.response_format;
  if (format !== undefined && ["response_format", "json_schema", "json_object"].some(names)) {
    // Judged by what was sent: calls at once that all sent a schema teach one thing, not three.
    const sent = isJsonObject(format) && format.type === "json_schema" ? "schema" : "object";
    if (abilities.json !== sent) return undefined;
    abilities.json = sent === "schema" ? "object" : "none";
    return `takes no such response_format; from now on it is asked for JSON by ${abilities.json === "object" ? "json_object" : "words only"}.`;
  }
  const used = abilities.maxTokensField;
  const other = used === "max_tokens" ? "max_completion_tokens" : "max_tokens";
  if (used in body && names(used) && !abilities.refused.has(other)) {
    abilities.refused.add(used);
    abilities.maxTokensField = other;
    return `does not take "${used}"; from now on it gets "${other}".`;
  }
  const refused = OPTIONAL.find((name) => name in body && names(name) && !abilities.refused.has(name));
  if (refused === undefined) return undefined;
  abilities.refused.add(refused);
  return `does not take "${refused}"; from now on it is left out.`;
}

function parseOr(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
