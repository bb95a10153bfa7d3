/**
 * What does a failed request mean to us? The one place where statuses and providers' words become codes. `details` keeps
 * the status, the provider's own code and sentence, the field it names, and the wait it asks for; keys are cut out.
 */
import { z } from "zod";
import { type ErrorCode, MemoryError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { abortedError } from "./abort.ts";
import type { Usage } from "./model.ts";
import { redact } from "./redact.ts";
import { type Headers, retryAfterMs } from "./retry-after.ts";

/** Who was asked, as error messages name it, and which strings must never appear in them. */
export interface Asked {
  readonly model: string;
  readonly provider: string;
  readonly secrets: readonly (string | undefined)[];
}

export interface FailedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

const TOO_LARGE =
  /context.?(length|window|size)|maximum (context|input|request|sequence|prompt)|too (long|large|many (tokens|inputs))|(exceed|larger than|longer than|above).{0,60}(limit|length|token|maximum|batch|context)|batch size.{0,40}(invalid|larger|exceed)|range of input length|string_above_max_length|(超过|超出).{0,20}(长度|上限|限制|最大)/i;
const OUT_OF_QUOTA =
  /insufficient_quota|insufficient.{0,10}balance|exceeded your current quota|billing|arrearage|余额不足|欠费/i;

/** Where the server itself is in trouble, "exceeds the limit" may be said of its queue. */
const SPEAKS_OF_INPUT = /context|token|input|batch|prompt|sequence|输入|长度/i;
const TOO_OFTEN = /rate.?limit|too many requests|限流|频率/i;

export function responseFailure(
  asked: Asked,
  response: FailedResponse,
  now: number,
  cause?: unknown,
): MemoryError {
  const { status } = response;
  const said = providerError(response.body, asked.secrets);
  const wait = retryAfterMs(response.headers, now) ?? waitInWords(said.words) ?? waitInWords(response.body);
  const [code, advice] = judge(status, said, wait);
  const answered = `answered ${status}${said.message === "" ? "" : `: ${said.message}`}`;
  return failed(asked, code, `${answered} ${advice}`, { ...detailsOf(asked, said, wait), status }, cause);
}

/** An error told within a stream, whose status was sent long ago: only its words say what it means. */
export function streamFailure(asked: Asked, data: string): MemoryError {
  const said = providerError(data, asked.secrets);
  const wait = waitInWords(said.words) ?? waitInWords(data);
  const told = Number(said.code);
  const unsaid = TOO_OFTEN.test(said.words) || wait !== undefined ? 429 : 503;
  const [code, advice] = judge(told >= 400 && told < 600 ? told : unsaid, said, wait);
  return failed(asked, code, `broke off its reply: ${said.message} ${advice}`, detailsOf(asked, said, wait));
}

function failed(
  asked: Asked,
  code: ErrorCode,
  what: string,
  details: JsonObject,
  cause?: unknown,
): MemoryError {
  const kept = cause === undefined ? undefined : withoutSecrets(cause, asked.secrets);
  return new MemoryError(code, `"${asked.model}" of ${asked.provider} ${what}`, { details, cause: kept });
}

function detailsOf(asked: Asked, said: ProviderError, wait: number | undefined): JsonObject {
  return {
    model: asked.model,
    provider: asked.provider,
    message: said.message,
    ...(said.code === undefined ? {} : { providerCode: said.code }),
    ...(said.field === undefined ? {} : { field: said.field }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
}

function judge(
  status: number,
  { words }: ProviderError,
  wait: number | undefined,
): readonly [code: ErrorCode, advice: string] {
  const tooLarge = TOO_LARGE.test(words) && (status < 500 || SPEAKS_OF_INPUT.test(words));
  if (status === 413 || (status !== 429 && tooLarge)) {
    return ["text_too_large", "Valid: less text in one call."];
  }
  if (status === 401 || status === 403) return ["model_refused", "Valid: a key that may use this model."];
  if (status === 402 || (status === 429 && wait === undefined && OUT_OF_QUOTA.test(words))) {
    return ["model_refused", "Valid: an account with credit left; waiting does not help."];
  }
  if (status === 429) return ["model_rate_limited", "Valid: fewer calls at once, or waiting."];
  if (status === 404) return ["model_refused", "Valid: a base URL and a model name that exist there."];
  if (status === 408 || status === 409 || status === 425 || (status >= 500 && status !== 501)) {
    return ["model_unavailable", "Trying again may help."];
  }
  return ["model_refused", "The request itself must change."];
}

/** A request that got no whole answer: no connection, a cut one, or an abort. */
export function networkFailure(asked: Asked, signal: AbortSignal | undefined, error: unknown): MemoryError {
  if (signal?.aborted === true) return abortedError(signal, `The call to "${asked.model}"`);
  const reason = redact(reasonOf(error), asked.secrets);
  return failed(
    asked,
    "model_unavailable",
    `could not be reached, or broke off: ${reason}. Valid: a server that runs at the endpoint's base URL.`,
    { model: asked.model, provider: asked.provider },
    error,
  );
}

/** Longest raw text kept in an error's details. */
export const RAW_LIMIT = 20_000;

interface InvalidOptions {
  readonly cause?: unknown;
  /** What the useless answer cost. */
  readonly usage?: Usage | undefined;
}

/** A whole answer that is of no use; its text is kept, and what it cost. */
export function replyInvalid(
  asked: Asked,
  problem: string,
  raw: string,
  { cause, usage }: InvalidOptions = {},
): MemoryError {
  const kept = redact(raw.slice(0, RAW_LIMIT), asked.secrets);
  const spent = usage === undefined ? {} : { usage: { ...usage } };
  const details = { model: asked.model, provider: asked.provider, raw: kept, ...spent };
  return failed(asked, "reply_invalid", problem, details, cause);
}

const usageSchema = z.object({ inputTokens: z.number(), outputTokens: z.number() });

/** What a failed call consumed, where its answer said so. */
export function usageOf(error: unknown): Usage | undefined {
  return MemoryError.is(error) ? usageSchema.safeParse(error.details.usage).data : undefined;
}

/** Some say the wait in their sentence or in a field of it only: "Please try again in 1.2s.", "retryDelay": "32s". */
function waitInWords(message: string): number | undefined {
  const pattern = /(?:(?:try again|retry) in |"retryDelay":\s*")(\d+(?:\.\d+)?) ?(ms|s|m)\b/i;
  const [, amount, unit] = pattern.exec(message) ?? [];
  const factor = { ms: 1, s: 1000, m: 60_000 }[unit ?? ""];
  return factor === undefined ? undefined : Number(amount) * factor;
}

const text = z.union([z.string(), z.number().transform(String)]).nullish();
const inner = z.looseObject({ message: text, code: text, type: text, param: text });
const bodySchema = z.looseObject({
  error: z.union([inner, z.string()]).optional(),
  message: text,
  code: text,
  detail: z.unknown().optional(),
});

interface ProviderError {
  /** Short enough to be shown. */
  readonly message: string;
  /** All of it, with the code, for those who look for something in it. */
  readonly words: string;
  readonly code: string | undefined;
  readonly field: string | undefined;
}

/** Providers agree on `{ error: { message, code, param } }` only roughly; what is not JSON is taken as it stands. */
function providerError(body: string, secrets: readonly (string | undefined)[]): ProviderError {
  const json = jsonOr(body);
  const parsed = bodySchema.safeParse(Array.isArray(json) ? json[0] : json);
  const say = (all: string, code?: string | null, field?: string | null): ProviderError => ({
    message: sentence(all, secrets),
    words: `${code ?? ""} ${all}`,
    code: code ?? undefined,
    field: field ?? undefined,
  });
  if (!parsed.success) return say(body);
  const { error, message, code, detail } = parsed.data;
  if (typeof error === "object") {
    return say(error.message ?? "", error.code ?? error.type, error.param);
  }
  return say(error ?? message ?? (detail === undefined ? body : JSON.stringify(detail)), code);
}

function sentence(words: string, secrets: readonly (string | undefined)[]): string {
  const line = redact(words.replace(/\s+/g, " ").trim(), secrets);
  const short = line.length > 300 ? `${line.slice(0, 300)}…` : line;
  return short === "" || /[.!?。！？…]$/.test(short) ? short : `${short}.`;
}

function jsonOr(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The error as it is, or, where a key stands in it or in what caused it, only its name and cleaned words. */
function withoutSecrets(error: unknown, secrets: readonly (string | undefined)[]): unknown {
  if (!(error instanceof Error)) return typeof error === "string" ? redact(error, secrets) : error;
  const chain: Error[] = [];
  for (let at: unknown = error; at instanceof Error && chain.length < 10; at = at.cause) chain.push(at);
  const clean = (text: string): boolean => redact(text, secrets) === text;
  if (chain.every(({ message, stack }) => clean(message) && clean(stack ?? ""))) return error;
  const bare = new Error(redact(reasonOf(error), secrets));
  bare.name = error.name;
  return bare;
}

/** `fetch failed` says nothing; the reason lies in its causes. */
function reasonOf(error: unknown): string {
  const parts: string[] = [];
  for (let at = error; at instanceof Error && parts.length < 4; at = at.cause) {
    const code = "code" in at && typeof at.code === "string" ? at.code : "";
    parts.push(at.message || code || at.name);
  }
  return parts.length === 0 ? String(error) : parts.join(": ");
}
