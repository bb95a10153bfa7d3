/**
 * With how much energy does a memory begin? BIEM's estimate (S4-15, B.4): what somebody judged important already, or what
 * its length, names, figures and signal words tell; above a line a model is asked, too, and both are mixed. It is written
 * as the anchor that the vitality biem_energy fades from, and says whether the memory goes to the front (S4-16).
 */
import { z } from "zod";
import { ROLES } from "../../../base/turn.ts";
import type { PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { scoreImportance } from "../../../tasks/score-importance.ts";
import { findEntities } from "../../../text/entities.ts";
import { tokenize } from "../../../text/tokenize.ts";
import { promptOption } from "../prompt-option.ts";

const energy = z.number().min(0).max(1);
const tier = z.string().min(1).nullable();

export const energyOptions = z.strictObject({
  score_type: z.literal("energy").describe("With how much energy a memory begins (BIEM)."),
  importance_prompt: promptOption("how much a memory matters"),
  ask_above: energy
    .nullable()
    .describe("An estimate above this is mixed with what the model says; null: it is never asked."),
  model_share: energy.describe("What the model's number counts in the mix, the rest being the estimate."),
  roles: z
    .partialRecord(z.enum(ROLES), energy)
    .describe("Energy of what is said in these roles, whatever it is; all else is estimated."),
  sources: z
    .record(z.string().min(1), energy)
    .describe("Energy of what comes from these sources, as its metadata tells; comes before `roles`."),
  front_from: energy.describe("From this energy on, a memory goes to front_tier, below it to rest_tier."),
  front_tier: tier.describe("The tier of what has much energy; null: the service decides."),
  rest_tier: tier.describe("The tier of what has little; null: the service decides."),
});
type Options = z.infer<typeof energyOptions>;

/** As the original's clamp of an importance that somebody gave. */
const LEAST = 0.1;
const PLAIN = 0.5;
const TASK_SCALE = 10;

export async function energise(draft: Draft, context: PreInsertContext, options: Options): Promise<Draft> {
  const value = Number((await energyOf(draft, context, options)).toFixed(4));
  const targetTier = value >= options.front_from ? options.front_tier : options.rest_tier;
  return {
    ...draft,
    energyAnchor: { value, at: context.now },
    // The anchor moves with every look; what it began with is told by nothing else (S4-8).
    metadata: { ...draft.metadata, initial_energy: value },
    insertMode: targetTier === null ? draft.insertMode : "active",
    insertParams: { ...draft.insertParams, ...(targetTier === null ? {} : { targetTier }) },
  };
}

async function energyOf(
  { content, importance, turns, metadata }: Draft,
  { ask }: PreInsertContext,
  { roles, sources, ask_above, model_share, importance_prompt }: Options,
): Promise<number> {
  if (importance != null) return Math.max(LEAST, importance);
  const [role, ...others] = new Set(turns.map((turn) => turn.role));
  const bySource = typeof metadata?.source === "string" ? sources[metadata.source] : undefined;
  const fixed = bySource ?? (role === undefined || others.length > 0 ? undefined : roles[role]);
  if (fixed !== undefined) return fixed;
  // Who speaks is no part of what is said.
  const speaker = `${metadata?.speaker}: `;
  const estimate = await estimateOf(content.startsWith(speaker) ? content.slice(speaker.length) : content);
  if (ask_above === null || estimate <= ask_above) return estimate;
  const { reply, path } = await ask(scoreImportance, { text: content }, importance_prompt);
  // The estimate is the rules' own: theirs a second time would count it twice.
  if (path === "local") return estimate;
  return (1 - model_share) * estimate + (model_share * reply.importance) / TASK_SCALE;
}

const MARKED =
  /\b(?:important|remember|don't forget|must|never|always|urgent|critical|key|note that|deadline)\b|重要|记住|别忘|务必|必须|千万|紧急|关键|截止/iu;

/**
 * The original's signs, each as it counts them there, in both languages: a Chinese character carries about as much as three
 * letters, and names stand for capital words, which Chinese does not have.
 */
async function estimateOf(text: string): Promise<number> {
  const length = [...text].reduce((sum, letter) => sum + (/\p{Script=Han}/u.test(letter) ? 3 : 1), 0);
  let estimate = PLAIN;
  if (length >= 50 && length <= 500) estimate += 0.1;
  else if (length < 20) estimate -= 0.2;
  else if (length > 2000) estimate -= 0.1;
  const words = tokenize(text).length;
  const named = words === 0 ? 0 : (await findEntities(text)).length / words;
  if (named > 0.1) estimate += Math.min(0.2, named);
  if (/\p{N}/u.test(text)) estimate += 0.1;
  if (MARKED.test(text)) estimate += 0.15;
  return Math.min(1, Math.max(LEAST, estimate));
}
