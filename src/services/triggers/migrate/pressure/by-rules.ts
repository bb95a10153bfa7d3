/**
 * Core and archival memory without tools: what a packet tells about the person goes into their block, the oldest lines
 * making room by moving to archival memory, and messages that matter are filed as passages. What actions before have read
 * out of a message (its persona, its importance) is taken; what they have not is asked here.
 */
import { z } from "zod";
import type { Entry } from "../../../../base/entry.ts";
import { invariant } from "../../../../base/errors.ts";
import { type BlockRule, lengthOf } from "../../../../policies/core-block.ts";
import { extractPersona } from "../../../../tasks/extract-persona.ts";
import { runTask } from "../../../../tasks/run-task.ts";
import { scoreImportance } from "../../../../tasks/score-importance.ts";
import { thinkingOf } from "../../derived.ts";
import type { TriggerContext } from "../../trigger.ts";
import { file, isFiled } from "./archive.ts";
import type { CoreMemory } from "./core-memory.ts";
import { type Made, type Packet, packetOf } from "./made.ts";
import { asLine, speakerOf } from "./message.ts";
import type { PressureOptions } from "./options.ts";

export interface ByRules {
  /** Lines that went into the block, lines that gave way to them, messages that were filed. */
  readonly noted: number;
  readonly evicted: number;
  readonly filed: number;
}

export async function writeByRules(
  context: TriggerContext,
  options: PressureOptions,
  packet: Packet,
  core: CoreMemory,
  made: Made,
): Promise<ByRules> {
  const rule = options.blocks.find(({ label }) => label === options.human_label);
  invariant(rule !== undefined, "The block that rules write to is none");
  const facts = await factsIn(context, packet, options.persona_prompt);
  const { noted, evicted } = await noteDown(context, rule, facts, { options, packet, core, made });
  let filed = 0;
  for (const message of packet.messages) {
    if (!(await matters(context, message, options))) continue;
    if (await file(context, options.tiers.archival, message.content, packetOf([message]), made)) filed++;
  }
  return { noted, evicted, filed };
}

interface Writing {
  readonly options: PressureOptions;
  readonly packet: Packet;
  readonly core: CoreMemory;
  readonly made: Made;
}

async function noteDown(
  context: TriggerContext,
  rule: BlockRule,
  facts: readonly string[],
  { options, packet, core, made }: Writing,
): Promise<Omit<ByRules, "filed">> {
  const { archival } = options.tiers;
  const lines = (await core.read(rule.label)).split("\n").filter((line) => line !== "");
  const out: string[] = [];
  let noted = 0;
  for (const fact of new Set(facts)) {
    if (lines.includes(fact) || (await isFiled(context, archival, fact))) continue;
    lines.push(fact);
    noted++;
    while (lengthOf(lines.join("\n")) > rule.limit) out.push(lines.shift() ?? "");
  }
  for (const line of out) await file(context, archival, line, packet, made);
  await core.write(rule.label, lines.join("\n"));
  return { noted, evicted: out.length };
}

const personaSchema = z.array(z.object({ speaker: z.string(), text: z.string() }));

/** What the packet tells about those who are no assistants, as one-line statements. */
async function factsIn(context: TriggerContext, { messages }: Packet, prompt: string): Promise<string[]> {
  const told = messages.map(({ metadata }) => personaSchema.safeParse(metadata.persona));
  const people = new Set(messages.filter(isPerson).map(speakerOf));
  if (told.some(({ success }) => success)) {
    const items = told.flatMap(({ data = [] }) => data);
    return items.filter(({ speaker }) => people.has(speaker)).map(({ text }) => oneLine(text));
  }
  const facts: string[] = [];
  const lines = messages.map(asLine);
  for (const speaker of people) {
    const task = { ...extractPersona, prompt };
    const { reply } = await runTask(task, { speaker, lines }, thinkingOf(context));
    facts.push(...reply.traits.map(({ text }) => oneLine(text)));
  }
  return facts;
}

async function matters(
  context: TriggerContext,
  { importance, content }: Entry,
  { archive_importance: least, importance_prompt: prompt }: PressureOptions,
): Promise<boolean> {
  if (least === null) return false;
  if (importance !== null) return importance >= least;
  const task = { ...scoreImportance, prompt };
  const { reply } = await runTask(task, { text: content }, thinkingOf(context));
  return reply.importance / IMPORTANCE_SCALE >= least;
}

/** Of the task. */
const IMPORTANCE_SCALE = 10;

function isPerson({ metadata }: Entry): boolean {
  return metadata.role !== "assistant" && metadata.role !== "system" && metadata.role !== "tool";
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
