/**
 * An action that only tells the service to look after itself (S0-35): its options are the trigger's own, with a schedule
 * beside them. Nothing of them is lost on the way, and what the service did or why it did nothing is noted (B.0.9, 14).
 */
import type { z } from "zod";
import { type Json, type JsonObject, jsonObjectSchema } from "../../../base/json.ts";
import { parseInput } from "../../../base/parse-input.ts";
import { type ActionDefinition, type Claims, defineAction } from "../../../pipeline/action.ts";
import type { OptimizeReport } from "../../../services/service.ts";
import type { TriggerDefinition } from "../../../services/triggers/trigger.ts";
import { isDue, scheduled, scheduleSchema } from "./scheduled.ts";

interface Delegation {
  readonly trigger: TriggerDefinition;
  /** The trigger's own, unless the action is only one form of it. */
  readonly name?: string;
  readonly summary?: string;
  readonly options?: z.ZodType;
  /** What of the trigger's options the action stands for. */
  readonly fixed?: JsonObject;
  readonly subtype?: string;
  readonly aliases?: Readonly<Record<string, string>>;
  readonly valueAliases?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly shorthands?: Readonly<Record<string, JsonObject>>;
  readonly claims?: (options: JsonObject) => Claims;
  /** Whether it can be about nothing but what was just inserted. */
  readonly onlyNew?: (options: JsonObject) => boolean;
  /** What is wrong with options that each for itself are right; undefined: nothing. */
  readonly problem?: (options: JsonObject) => string | undefined;
}

export function delegated(delegation: Delegation): ActionDefinition<"post_insert"> {
  const { trigger, name = trigger.name, summary = trigger.summary, fixed = {} } = delegation;
  const { options = trigger.options, subtype, aliases, valueAliases, shorthands, claims } = delegation;
  return defineAction({
    stage: "post_insert",
    name,
    summary,
    options: scheduled(options).superRefine((given, context) => {
      const message = delegation.problem?.(parseInput(jsonObjectSchema, given, "options"));
      if (message !== undefined) context.addIssue({ code: "custom", message });
    }),
    ...(subtype === undefined ? {} : { subtype }),
    ...(aliases === undefined ? {} : { aliases }),
    ...(valueAliases === undefined ? {} : { valueAliases }),
    ...(shorthands === undefined ? {} : { shorthands }),
    claims(given) {
      const { config } = configOf(given, fixed);
      // A fixed option may choose among the trigger's forms: what it asks with, the whole of them says.
      const prompts = trigger.prompts?.(trigger.options.parse(config)) ?? [];
      const asked = prompts.length === 0 ? {} : { prompts };
      return { triggers: [trigger.name], ...asked, ...claims?.(config) };
    },
    async run({ inserted, turns, upkeep = false }, context, given) {
      const { everyTurns, config } = configOf(given, fixed);
      if (!upkeep && !isDue(turns, everyTurns)) {
        context.note("due", false);
        return undefined;
      }
      // Between two runs more has come than what came last; upkeep is about everything.
      const isAboutNew = upkeep ? (delegation.onlyNew?.(config) ?? false) : everyTurns === 1;
      const entries = isAboutNew ? inserted.map(({ id }) => id) : undefined;
      const report = await context.store.optimize({ trigger: trigger.name, config, entries });
      for (const [key, value] of Object.entries(noteOf(report))) context.note(key, value);
      return undefined;
    },
  });
}

function configOf(
  given: unknown,
  fixed: JsonObject,
): { readonly everyTurns: number; readonly config: JsonObject } {
  const { every_turns: everyTurns, ...config } = scheduleSchema.parse(given);
  return { everyTurns, config: { ...parseInput(jsonObjectSchema, config, "options"), ...fixed } };
}

/** What was done, without what was not. */
function noteOf(report: OptimizeReport): Record<string, Json> {
  const { examined, added, retired, deleted, moved, edges, unstored = [], notes = {}, reason } = report;
  const lists = { added, retired, deleted, moved: moved.map((one) => ({ ...one })), unstored };
  return {
    examined,
    ...Object.fromEntries(
      Object.entries(lists).flatMap(([key, list]) => (list.length === 0 ? [] : [[key, [...list]]])),
    ),
    ...(edges === 0 ? {} : { edges }),
    ...notes,
    ...(reason === undefined ? {} : { reason }),
  };
}
