/**
 * What can go wrong, as a closed set of codes. One class, one table: a caller decides by `code`, a retry by
 * `retryable`, a server by `http`, a shell by `exit`. Messages say what was wrong, where, and what would be valid.
 */
import type { JsonObject } from "./json.ts";

interface ErrorKind {
  readonly http: number;
  readonly exit: number;
  readonly retryable: boolean;
}

const config = { http: 400, exit: 2, retryable: false };
const input = { http: 400, exit: 2, retryable: false };
const missing = { http: 404, exit: 4, retryable: false };
const conflict = { http: 409, exit: 5, retryable: false };
const unsupported = { http: 501, exit: 6, retryable: false };
const storage = { http: 503, exit: 7, retryable: false };
const model = { http: 502, exit: 8, retryable: false };

export const ERROR_KINDS = {
  preset_invalid: config,
  option_invalid: config,
  unknown_name: config,
  missing_dependency: config,

  input_invalid: input,
  text_invalid: input,
  text_too_large: { ...input, http: 413 },
  vector_invalid: input,
  dimension_mismatch: input,
  embedder_mismatch: input,
  scope_invalid: input,
  scope_forbidden: { ...input, http: 403 },

  entry_not_found: missing,
  collection_not_found: missing,
  index_not_found: missing,
  service_not_found: missing,
  job_not_found: missing,

  entry_exists: conflict,
  entry_superseded: conflict,
  name_taken: conflict,
  version_conflict: conflict,
  locked: { ...conflict, retryable: true },

  capability_missing: unsupported,
  operation_forbidden: { ...unsupported, http: 500 },
  index_kind_forbidden: unsupported,

  storage_io: { ...storage, retryable: true },
  storage_full: { ...storage, http: 507 },
  storage_read_only: storage,
  storage_corrupt: { ...storage, http: 500 },
  storage_newer: { ...storage, http: 500 },
  storage_closed: storage,

  key_invalid: { ...input, http: 401 },
  key_forbidden: { ...input, http: 403 },
  origin_forbidden: { ...input, http: 403 },
  route_not_found: missing,
  method_not_allowed: { ...input, http: 405 },
  request_timeout: { http: 408, exit: 7, retryable: true },
  request_too_large: { ...input, http: 413 },
  media_unsupported: { ...input, http: 415 },
  idempotency_conflict: { ...conflict, http: 422 },
  rate_limited: { http: 429, exit: 7, retryable: true },
  server_closing: { ...storage, retryable: true },
  server_unreachable: { ...storage, retryable: true },

  model_unavailable: { ...model, retryable: true },
  model_rate_limited: { ...model, http: 429, retryable: true },
  model_refused: model,
  reply_invalid: model,
  budget_exceeded: { ...model, http: 429 },

  aborted: { http: 499, exit: 130, retryable: false },
  invariant: { http: 500, exit: 70, retryable: false },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERROR_KINDS;

/** Survives two copies of the package in one process, where `instanceof` does not. */
const MARKER = Symbol.for("neuromem.error");

export interface MemoryErrorOptions {
  readonly cause?: unknown;
  /** Ids, limits and valid names for programs; never memory text or secrets. */
  readonly details?: JsonObject;
}

export class MemoryError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly details: JsonObject;
  readonly [MARKER] = true;

  constructor(code: ErrorCode, message: string, options: MemoryErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "MemoryError";
    this.code = code;
    this.retryable = ERROR_KINDS[code].retryable;
    this.details = options.details ?? {};
  }

  static is(error: unknown): error is MemoryError {
    return typeof error === "object" && error !== null && MARKER in error;
  }
}

/** A broken promise of our own code, not of the caller's. */
export function invariant(condition: unknown, what: string): asserts condition {
  if (!condition) {
    throw new MemoryError("invariant", `${what}. This is a defect in neuromem; please report it.`);
  }
}
