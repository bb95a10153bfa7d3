/**
 * What does a failed request mean to us? The one place where statuses and providers' words become codes. `details` keeps
 * the status, the provider's own code and sentence, the field it names, and the wait it asks for; keys are cut out.
 */
import { z } from "zod";
import { MemoryError } from "../base/errors.ts";
import { abortedError } from "./abort.ts";
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

export function responseFailure(
  asked: Asked,
  response: FailedResponse,
  now: number,
  cause?: unknown,
): MemoryError {
  const { status } = response;
  const said = providerError(response.body, asked.secrets);
  const wait = retryAfterMs(response.headers, now) ?? waitInWords(said.message);
  const who = `"${asked.model}" of ${asked.provider}`;
  const answered = `answered ${status}${said.message === "" ? "" : `: ${said.message}`}`;
  const details = {
    status,
    model: asked.model,
    provider: asked.provider,
    message: said.message,
    ...(said.code === undefined ? {} : { providerCode: said.code }),
    ...(said.field === undefined ? {} : { field: said.field }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
  const words = `${said.code ?? ""} ${said.message}`;
  const fail = (code: Parameters<typeof kindOf>[0], advice: string): MemoryError =>
    new MemoryError(kindOf(code), `${who} ${answered} ${advice}`, { details, cause });

  if (status === 413 || (status !== 429 && TOO_LARGE.test(words))) {
    return fail("large", "Valid: less text in one call.");
  }
  if (status === 401 || status === 403) return fail("refused", "Valid: a key that may use this model.");
  if (status === 402 || (status === 429 && wait === undefined && OUT_OF_QUOTA.test(words))) {
    return fail("refused", "Valid: an account with credit left; waiting does not help.");
  }
  if (status === 429) return fail("limited", "Valid: fewer calls at once, or waiting.");
  if (status === 404) return fail("refused", "Valid: a base URL and a model name that exist there.");
  if (status === 408 || status === 409 || status === 425 || (status >= 500 && status !== 501)) {
    return fail("unavailable", "Trying again may help.");
  }
  return fail("refused", "The request itself must change.");
}

/** A request that got no whole answer: no connection, a cut one, or an abort. */
export function networkFailure(asked: Asked, signal: AbortSignal | undefined, error: unknown): MemoryError {
  if (signal?.aborted === true) return abortedError(signal, `The call to "${asked.model}"`);
  const reason = redact(reasonOf(error), asked.secrets);
  return new MemoryError(
    "model_unavailable",
    `"${asked.model}" of ${asked.provider} could not be reached, or broke off: ${reason}. Valid: a server that runs at the endpoint's base URL.`,
    { cause: error, details: { model: asked.model, provider: asked.provider } },
  );
}

/** Longest raw text kept in an error's details. */
const RAW_LIMIT = 20_000;

/** A whole answer that is of no use; its text is kept. */
export function replyInvalid(asked: Asked, problem: string, raw: string, cause?: unknown): MemoryError {
  return new MemoryError("reply_invalid", `"${asked.model}" of ${asked.provider} ${problem}`, {
    cause,
    details: {
      model: asked.model,
      provider: asked.provider,
      raw: redact(raw.slice(0, RAW_LIMIT), asked.secrets),
    },
  });
}

function kindOf(kind: "large" | "refused" | "limited" | "unavailable") {
  const codes = {
    large: "text_too_large",
    refused: "model_refused",
    limited: "model_rate_limited",
    unavailable: "model_unavailable",
  } as const;
  return codes[kind];
}

/** Some say the wait in their sentence only: "Please try again in 1.2s." */
function waitInWords(message: string): number | undefined {
  const [, amount, unit] = /(?:try again|retry) in (\d+(?:\.\d+)?) ?(ms|s|m)\b/i.exec(message) ?? [];
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
  readonly message: string;
  readonly code: string | undefined;
  readonly field: string | undefined;
}

/** Providers agree on `{ error: { message, code, param } }` only roughly; what is not JSON is taken as it stands. */
function providerError(body: string, secrets: readonly (string | undefined)[]): ProviderError {
  const parsed = bodySchema.safeParse(jsonOr(body));
  if (!parsed.success) return { message: sentence(body, secrets), code: undefined, field: undefined };
  const { error, message, code, detail } = parsed.data;
  if (typeof error === "object") {
    return {
      message: sentence(error.message ?? "", secrets),
      code: error.code ?? error.type ?? undefined,
      field: error.param ?? undefined,
    };
  }
  const words = error ?? message ?? (detail === undefined ? body : JSON.stringify(detail));
  return { message: sentence(words, secrets), code: code ?? undefined, field: undefined };
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

/** `fetch failed` says nothing; the reason lies in its causes. */
function reasonOf(error: unknown): string {
  const parts: string[] = [];
  for (let at = error; at instanceof Error && parts.length < 4; at = at.cause) {
    const code = "code" in at && typeof at.code === "string" ? at.code : "";
    parts.push(at.message || code || at.name);
  }
  return parts.length === 0 ? String(error) : parts.join(": ");
}
