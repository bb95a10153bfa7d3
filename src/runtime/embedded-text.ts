/**
 * Which text of a stored memory does its design embed? Its content, unless an action of the preset says otherwise: then what
 * that action left beside it. Whoever embeds old memories anew must do it by the same text, or old and new are not comparable.
 */
import { z } from "zod";
import { blendEmbed } from "../actions/pre-insert/blend-embed.ts";
import { fieldText, TEXT_FIELDS, type TextField } from "../actions/pre-insert/multi-embed/field-text.ts";
import type { Entry } from "../base/entry.ts";
import { judgedText } from "../pipeline/judgment.ts";
import { NOTE_FORMS, type NoteForm, noteText } from "../policies/note-text.ts";
import type { Preset, PresetAction } from "../preset/preset.ts";
import { isNode } from "../services/graph/entity.ts";
import { CONTENT } from "../services/vector-fields.ts";
import { MEMORY_TYPES } from "../tasks/memory-types.ts";

/**
 * blended: the text as a whole, with which its sentences and the turn before it count (blend_embed); unknown: it was embedded
 * by a text that is not kept; none: it has no such text.
 */
export type EmbeddedText =
  | { readonly is: "known" | "blended"; readonly text: string }
  | { readonly is: "unknown" | "none" };

export type TextOf = (entry: Entry, field: string) => EmbeddedText;

const NONE: EmbeddedText = { is: "none" };

export function embeddedTextOf({ stages }: Preset): TextOf {
  const actions = [...stages.pre_insert, ...stages.post_insert];
  const rules = actions.flatMap(rulesOf);
  const named = new Map(actions.flatMap(dictFields).map(({ name, field }) => [name, field]));
  const isSum = actions.some(
    ({ action, options }) => action === "multi_embed" && options.output === "concat",
  );
  const isBlend = stages.pre_insert.some(({ action }) => action === blendEmbed.name);
  // What somebody judged has its type for a kind; a design that judges itself embeds what it wrote.
  const judges = actions.some(({ action }) => action === "judge_memories");
  const isJudged = ({ kind }: Entry): boolean => !judges && MEMORY_TYPES.some((type) => type === kind);
  return (entry, field) => {
    if (isNode(entry.kind)) return known(entry.content);
    const from = named.get(field);
    if (from !== undefined) return known(fieldText(entry, from));
    if (field !== CONTENT) return NONE;
    if (isSum) return { is: "unknown" };
    const ruled = rules.map((rule) => rule(entry)).find((text) => text !== undefined);
    if (isJudged(entry)) return known(ruled ?? judgedText(entry));
    const text = ruled ?? entry.content;
    return isBlend ? { is: "blended", text } : known(text);
  };
}

function known(text: string | undefined): EmbeddedText {
  return text === undefined ? NONE : { is: "known", text };
}

const fieldsSchema = z.array(z.object({ name: z.string(), field: z.string() })).catch([]);

/** The vector fields that are made of a text; moods are measured. */
function dictFields({
  action,
  options,
}: PresetAction): { readonly name: string; readonly field: TextField }[] {
  if (action !== "multi_embed" || options.output !== "dict") return [];
  return fieldsSchema.parse(options.fields).flatMap(({ name, field }) => {
    const known = TEXT_FIELDS.find((one) => one === field);
    return known === undefined ? [] : [{ name, field: known }];
  });
}

type Rule = (entry: Entry) => string | undefined;

/** undefined: the action did not make this one. */
function rulesOf({ action, options }: PresetAction): Rule[] {
  if (action === "scm_embed" && options.embed_summary === true) return [textUnder("summary")];
  if (action === "close_session")
    return [(entry) => (entry.kind === "summary" ? listed(entry, "nouns") : undefined)];
  if (action === "extract") return noteRules(options.embed_note);
  if (action !== "transform") return [];
  const { transform_type: type, fact_format } = options;
  if (type === "compress" || type === "segment_denoise") return [textUnder("compressed")];
  return type === "fact_extract" && fact_format === "json" ? [factIn] : [];
}

function textUnder(name: string): Rule {
  return ({ metadata }) => {
    const text = metadata[name];
    return typeof text === "string" ? text : undefined;
  };
}

function listed({ metadata }: Entry, name: string): string | undefined {
  const list = metadata[name];
  return Array.isArray(list) && list.length > 0 ? list.join(", ") : undefined;
}

const noteSchema = z.looseObject({ context: z.string(), keywords: z.array(z.string()) });

function noteRules(form: unknown): Rule[] {
  const wanted: NoteForm | undefined = NOTE_FORMS.find((one) => one === form);
  if (wanted === undefined) return [];
  return [
    ({ content, tags, metadata }) => {
      const note = noteSchema.safeParse(metadata);
      return note.success ? noteText({ content, tags, ...note.data }, wanted) : undefined;
    },
  ];
}

const factSchema = z.looseObject({ fact: z.string() });

function factIn({ content }: Entry): string | undefined {
  if (!content.startsWith("{")) return undefined;
  try {
    const read = factSchema.safeParse(JSON.parse(content));
    return read.success ? read.data.fact : undefined;
  } catch {
    // Somebody's own words that only look like one.
    return undefined;
  }
}
