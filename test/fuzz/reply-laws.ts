/**
 * What holds of every reply, whatever was asked? It comes soon; it is no defect of ours (500); an error is in the one
 * documented shape with the status of its code; and nothing of another scope is in it.
 */
import { expect } from "vitest";
import { z } from "zod";
import { ERROR_KINDS } from "../../src/base/errors.ts";
import type { Reply } from "./send.ts";

const codes = z.enum(Object.keys(ERROR_KINDS).filter(isCode));

const errorShape = z.strictObject({
  error: z.strictObject({
    code: codes,
    message: z.string().min(1),
    retryable: z.boolean(),
    details: z.record(z.string(), z.json()),
    requestId: z.string().min(1),
  }),
});

/** 5xx that the documents speak of: no such capability, a model or a disk that is not there, closing. */
const DOCUMENTED_5XX = [501, 502, 503, 507];

export function expectLawful(reply: Reply, secret: string): void {
  const { status, text, headers } = reply;
  expect(text.includes(secret), `the secret of another scope in a reply: ${text.slice(0, 300)}`).toBe(false);
  expect(JSON.stringify(headers).includes(secret), "the secret of another scope in a header").toBe(false);
  if (status >= 400) expectErrorShape(reply);
}

/** The error of a reply, whichever door it came through. */
export function expectError(body: unknown): { readonly http: number } {
  const { error } = errorShape.parse(body);
  const { http, retryable } = ERROR_KINDS[error.code];
  expect(error.retryable).toBe(retryable);
  if (http >= 500) expect(DOCUMENTED_5XX, error.message).toContain(http);
  return { http };
}

function expectErrorShape({ status, text, headers }: Reply): void {
  expect(headers["content-type"], text.slice(0, 300)).toMatch(/^application\/json/);
  expect(expectError(JSON.parse(text)).http, text).toBe(status);
  if (status === 429 || status === 503) expect(headers["retry-after"]).toMatch(/^\d+$/);
}

function isCode(name: string): name is keyof typeof ERROR_KINDS {
  return name in ERROR_KINDS;
}
