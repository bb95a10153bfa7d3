/**
 * How alive is a memory? A vitality policy answers with one number, computed on reading from the observables that are
 * stored once per entry (C-1). Nothing it computes is stored, except what a look or a judgement changes for good, so
 * nothing can decay twice.
 *
 * Laws every policy keeps (and the tests of this folder check):
 * - the same observables, moment and options give the same score, whoever asks and however often;
 * - no score rises by waiting; a moment ahead of the clock counts as now.
 */
import { z } from "zod";
import type { Observables } from "../../base/entry.ts";
import type { Touch } from "../../storage/touch.ts";

export interface Vitality<Options = unknown> {
  /** snake_case, as presets write it; the file is named for it. */
  readonly name: string;
  readonly summary: string;
  readonly options: z.ZodType<Options>;
  /** The options with `policy: <name>` beside them, as a preset writes the choice of a policy. */
  readonly choice: OptionsSchema;
  /** How alive at `now` (epoch ms); higher is livelier. */
  score(of: Observables, now: number, options: Options): number;
  /** What a look at the memory changes, beyond counting the look and its moment. */
  onAccess?(of: Observables, now: number, options: Options): Touch;
  /** What a judgement changes, −1 (useless) to 1 (useful), beyond counting it; `of` is as it was before the count. */
  onFeedback?(of: Observables, feedback: number, now: number, options: Options): Touch;
}

/** One strict object, or one per form. */
export type OptionsSchema = z.ZodObject | z.ZodDiscriminatedUnion<readonly [z.ZodObject, ...z.ZodObject[]]>;

export interface Definition<Schema extends OptionsSchema> {
  readonly name: string;
  readonly summary: string;
  readonly options: Schema;
  score(of: Observables, now: number, options: z.infer<Schema>): number;
  onAccess?(of: Observables, now: number, options: z.infer<Schema>): Touch;
  onFeedback?(of: Observables, feedback: number, now: number, options: z.infer<Schema>): Touch;
}

export function defineVitality<Schema extends OptionsSchema>(
  definition: Definition<Schema>,
): Definition<Schema> & { readonly choice: OptionsSchema } {
  return { ...definition, choice: withPolicy(definition.name, definition.options) };
}

function withPolicy(name: string, options: OptionsSchema): OptionsSchema {
  const policy = z.literal(name).describe("The name of the vitality policy.");
  if (options instanceof z.ZodObject) return options.extend({ policy });
  const [first, ...others] = options.options;
  const forms = others.map((form) => form.extend({ policy }));
  return z.discriminatedUnion(options.def.discriminator, [first.extend({ policy }), ...forms]);
}
