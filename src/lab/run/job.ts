/** What is one run? One design over one data set, and everything that decides its results. Plain data: it goes to another process. */
import { basename } from "node:path";
import { z } from "zod";
import { jsonSchema } from "../../base/json.ts";

export const jobSchema = z.strictObject({
  /** As `openDataset` takes it: KIND=PATH[,PATH…]. */
  dataset: z.string().min(1),
  /** A preset's name, or the path of a YAML file. */
  preset: z.string().min(1),
  /** Options of the preset that are set otherwise, by their paths. */
  overrides: z.record(z.string(), jsonSchema).optional(),
  /** Names its folder. */
  name: z.string().regex(/^(?!\.\.?$)[^/\\\0]+$/, "must be the name of a folder, without slashes"),
  /** Who thinks, as ENDPOINT:MODEL; unsaid: as the preset says, else rules. */
  model: z.string().optional(),
  /** Another address of that model's server. */
  baseUrl: z.string().optional(),
  /** How many hits are looked at. */
  ks: z.array(z.int().min(1)).min(1),
  /** How often in the stream the questions are asked. */
  points: z.int().min(1),
  seed: z.int().min(0),
  /** The folder of the runs. */
  out: z.string().min(1),
  /** The folder of the vectors. */
  cache: z.string().min(1),
  limit: z.strictObject({ cases: z.int().min(1).optional() }).optional(),
  /** What an earlier run of this name left is thrown away, whatever its arguments. */
  fresh: z.boolean().optional(),
});
export type Job = Readonly<z.infer<typeof jobSchema>>;

/** As "hybrid__locomo10" or "mem0__locomo10__openai-gpt-4.1-mini"; a preset's file is called by its name without folder and ending. */
export function runName(preset: string, dataset: string, model?: string): string {
  const called = /\.ya?ml$/.test(preset) ? basename(preset).replace(/\.ya?ml$/, "") : preset;
  return [called, dataset, ...(model === undefined ? [] : [model])]
    .map((part) => part.replace(/[^\p{L}\p{N}._-]+/gu, "-"))
    .join("__");
}
