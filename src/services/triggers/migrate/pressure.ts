/**
 * By pressure (MemGPT; S0-72): messages come into a queue that a model sees whole, and into recall, which it can only
 * search. When the queue fills up there is one warning; when it overflows, its front gives way to a summary. In between
 * core and archival memory are written: by the model itself with tools, or by rules where `tool_use` is false, or where
 * nobody can use tools. The model is asked before anything is moved, so that a model that is down leaves nothing half done.
 */
import { MemoryError } from "../../../base/errors.ts";
import type { EntryId } from "../../../base/ids.ts";
import type { Json } from "../../../base/json.ts";
import { validNames } from "../../../base/nearest-name.ts";
import { pressureOf } from "../../../policies/queue-flush.ts";
import { extractPersona } from "../../../tasks/extract-persona.ts";
import type { Asker } from "../../../tasks/prompt-library.ts";
import { scoreImportance } from "../../../tasks/score-importance.ts";
import { summarize } from "../../../tasks/summarize.ts";
import { toolTextsOf } from "../../../tasks/tool-texts.ts";
import type { OptimizeReport } from "../../service.ts";
import { report, type TriggerContext } from "../trigger.ts";
import { writeByRules } from "./pressure/by-rules.ts";
import { createCoreMemory } from "./pressure/core-memory.ts";
import { type Made, packetOf } from "./pressure/made.ts";
import type { PressureOptions } from "./pressure/options.ts";
import { flush, isWarned, type MessageQueue, markWarned, readQueue } from "./pressure/queue.ts";
import { selfEdit, selfEditAsker } from "./pressure/self-edit.ts";

export async function relieve(
  context: TriggerContext,
  options: PressureOptions,
  inserted: readonly EntryId[] | undefined,
): Promise<OptimizeReport> {
  const { tiers, window_tokens: window, warning_share, flush_share } = options;
  checkTiers(Object.values(tiers), context.traits.tiers);
  const made: Made = { added: [], retired: [], moved: [], said: [] };
  const queue = await readQueue(context, tiers.queue);
  const { isWarning, isOverflow } = pressureOf(queue.tokens, {
    window,
    warningShare: warning_share,
    flushShare: flush_share,
  });
  const warns = isWarning && !isWarned(queue);
  const notes: Record<string, Json> = { queue_tokens: queue.tokens, window_tokens: window };
  if (warns) notes.token_warning = true;
  Object.assign(notes, await write(context, options, { queue, inserted, made, isPressed: warns }));
  if (isOverflow) notes.flushed = await flush(context, queue, options, made);
  else if (warns) await markWarned(context, queue);
  const { added, retired, moved, said } = made;
  const isIdle = added.length + retired.length + moved.length === 0;
  return report("migrate", {
    examined: queue.messages.length,
    added,
    retired,
    moved,
    notes,
    ...(said.length === 0 ? {} : { unstored: said }),
    ...(isIdle ? { reason: "Nothing had to move, and nothing was worth writing down." } : {}),
  });
}

interface Writing {
  readonly queue: MessageQueue;
  readonly inserted: readonly EntryId[] | undefined;
  readonly made: Made;
  readonly isPressed: boolean;
}

/** Into core and archival memory: by tools where they are wanted and there is somebody to use them, else by rules. */
async function write(
  context: TriggerContext,
  options: PressureOptions,
  { queue, inserted, made, isPressed }: Writing,
): Promise<Record<string, Json>> {
  const isNew = inserted === undefined ? undefined : new Set<string>(inserted);
  const messages = queue.messages.filter(({ id }) => isNew?.has(id) ?? true);
  if (messages.length === 0) return {};
  const packet = packetOf(messages);
  const core = createCoreMemory(context, options, packet, made);
  for (const { label } of options.blocks) await core.write(label, await core.read(label));
  if (!options.tool_use) {
    return { tool_use: false, by_rules: { ...(await writeByRules(context, options, packet, core, made)) } };
  }
  const talk = await selfEdit({ context, options, queue, packet, core, made, isPressed });
  const told = {
    ...(talk.steps.length === 0 ? {} : { steps: talk.steps.map((step) => ({ ...step })) }),
    ...(talk.next.length === 0 ? {} : { next: [...talk.next] }),
  };
  if (talk.path === "model") return { tool_use: true, ...told };
  const by_rules = { ...(await writeByRules(context, options, packet, core, made)) };
  return { tool_use: `false, though true was wanted: ${talk.reason ?? "no model"}`, ...told, by_rules };
}

/** The prompts it asks with. */
export function pressurePrompts(
  options: PressureOptions,
): { readonly task: Asker; readonly prompt: string }[] {
  const { summarize_prompt, persona_prompt, importance_prompt, agent_prompt, tools_prompt } = options;
  return [
    { task: summarize, prompt: summarize_prompt },
    { task: extractPersona, prompt: persona_prompt },
    { task: scoreImportance, prompt: importance_prompt },
    { task: selfEditAsker(agent_prompt), prompt: agent_prompt },
    { task: toolTextsOf(tools_prompt), prompt: tools_prompt },
  ];
}

function checkTiers(named: readonly string[], there: readonly string[]): void {
  const unknown = named.find((name) => !there.includes(name));
  if (unknown === undefined) return;
  throw new MemoryError("option_invalid", `There is no tier "${unknown}". ${validNames(unknown, there)}`);
}
