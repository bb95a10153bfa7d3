/**
 * Which runtime (S3-2, S3-6 … S3-8)? `enable_simple_memory` decides at the start, and only there. What fails at the start
 * fails it, with the reason: a simple memory that cannot be opened never becomes a vector memory behind its caller's back.
 *
 *     const runtime = await openMemoryRuntime({ enable_simple_memory: true, path: "memory.db", log: console.log });
 *     const id = await runtime.remember("mia", { judgment: "Mia likes hot pot.", reasoning: "She said so.", tags: ["hot pot"] });
 *     const memories = await runtime.recall("mia", "Shall we have hot pot tonight?");
 *
 * Both write the same journal, each its own memories from it. Vectors are never turned into tags or back (S3-5); but what was
 * remembered while the switch stood otherwise is not lost: it is taken up with whatever is next remembered in its scope.
 *
 * The design of the simple runtime is the preset simple_memory. It tells letters apart by more than their case only where a
 * preset of the caller's own says so; the seed to the letter is:
 *
 *     name: simple_memory_seed
 *     summary: SimpleMemory as it was written.
 *     extends: simple_memory
 *     service: { case_sensitive: true, collection_name: simple_memory_seed }
 *     stages:
 *       post_insert: { action: forgetting, every_turns: 50, vitality: { policy: strength_counter }, threshold: 1, retention_min: 0, archive_before_delete: false }
 */
import { ERROR_KINDS, MemoryError } from "../../base/errors.ts";
import { PUBLIC } from "../../base/scope.ts";
import { silent } from "../../base/trace.ts";
import { loadPreset } from "../../preset/load.ts";
import type { Preset } from "../../preset/preset.ts";
import { Memory } from "../memory.ts";
import type { MemoryOptions } from "../memory-options.ts";
import type { RuntimeDeps } from "./base-memory-runtime.ts";
import type { MemoryRuntime } from "./memory-runtime.ts";
import { createMeter, guardLog, type RuntimeLog, startLine } from "./runtime-log.ts";
import { SimpleMemoryRuntime } from "./simple-memory-runtime.ts";
import { VectorMemoryRuntime } from "./vector-memory-runtime.ts";

export interface MemoryRuntimeOptions extends Omit<MemoryOptions, "scope"> {
  /** true: SimpleMemoryRuntime, tags in SQL and no vectors; false: VectorMemoryRuntime. */
  readonly enable_simple_memory: boolean;
  /** Where lines go. @default nowhere */
  readonly log?: RuntimeLog | undefined;
}

interface Kind {
  readonly name: string;
  readonly preset: string;
  /** Why a design is none for this runtime; undefined: it is one. */
  refusal(preset: Preset): string | undefined;
  create(deps: RuntimeDeps): MemoryRuntime;
  readonly onFailure: string;
}

const SIMPLE: Kind = {
  name: "SimpleMemoryRuntime",
  preset: "simple_memory",
  refusal: ({ service, models }) =>
    service.name === "key_value_memory" && service.options.match_type === "tag" && models.embedder === null
      ? undefined
      : "it does not look by tags alone. Valid: simple_memory, or a preset that extends it",
  create: (deps) => new SimpleMemoryRuntime(deps),
  onFailure: "enable_simple_memory is true, so no vector memory takes its place.",
};

const VECTOR: Kind = {
  name: "VectorMemoryRuntime",
  preset: "hybrid",
  refusal: ({ models }) =>
    models.embedder === null
      ? "it embeds nothing. Valid: hybrid, dense or another preset with an embedder; enable_simple_memory: true for a memory without vectors"
      : undefined,
  create: (deps) => new VectorMemoryRuntime(deps),
  onFailure: "enable_simple_memory is false.",
};

export async function openMemoryRuntime(options: MemoryRuntimeOptions): Promise<MemoryRuntime> {
  const { enable_simple_memory, log: given = () => undefined, trace = silent, ...rest } = options;
  if (typeof enable_simple_memory !== "boolean") {
    throw new MemoryError(
      "input_invalid",
      "enable_simple_memory says which memory is opened. Valid: true (tags, no vectors) or false (vectors).",
    );
  }
  if ("scope" in rest) {
    throw new MemoryError(
      "input_invalid",
      "A memory runtime has no scope of its own. Valid: a scope with each call.",
    );
  }
  const kind = enable_simple_memory ? SIMPLE : VECTOR;
  const log = guardLog(given);
  const meter = createMeter(log, trace);
  try {
    const preset = await presetOf(rest.preset ?? kind.preset, kind);
    const memory = await Memory.open({ ...rest, preset, trace: meter.trace, scope: PUBLIC });
    log(startLine(kind.name));
    return kind.create({ memory, meter, log });
  } catch (cause) {
    const error = startFailure(kind, cause);
    const { name: runtime } = kind;
    const { code, message } = error;
    log({ level: "error", event: "start-fail", runtime, code, message });
    throw error;
  }
}

async function presetOf(given: string | Preset, kind: Kind): Promise<Preset> {
  const preset = typeof given === "string" ? await loadPreset(given) : given;
  const refusal = kind.refusal(preset);
  if (refusal === undefined) return preset;
  throw new MemoryError("preset_invalid", `The preset ${preset.name} is none for ${kind.name}: ${refusal}.`);
}

function startFailure({ name, onFailure }: Kind, cause: unknown): MemoryError {
  const code = MemoryError.is(cause) ? cause.code : "storage_io";
  const why = cause instanceof Error ? cause.message : String(cause);
  const next =
    ERROR_KINDS[code].exit === 2 ? "" : " Valid: a file that can be written and is a memory, or a new path.";
  return new MemoryError(code, `${name} was not started. ${why} ${onFailure}${next}`, { cause });
}
