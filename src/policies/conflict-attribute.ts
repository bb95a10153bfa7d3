/**
 * The stand-alone conflict detector of seed 001 (S1-23 … S1-25): one statement clashes with another if both speak of the
 * same attribute of the same entity, or are more alike than a threshold. It tells that they clash, not how; findConflicts
 * tells both.
 */
import { extractTriples } from "../tasks/extract-triples.ts";
import { attributeFacts, attributeKey } from "../tasks/rules/attribute-fact.ts";
import type { Statement } from "../tasks/rules/conflict.ts";
import { runTask, type TaskOptions } from "../tasks/run-task.ts";

export interface EntityAttribute {
  readonly entity: string;
  readonly attribute: string;
}

export interface AttributeDetector {
  /** Entity and attribute of "X's Y is Z" and its variants; undefined if the text states none. */
  extract(text: string): EntityAttribute | undefined;
  /** The first existing statement that the new one clashes with. */
  detect<Existing extends Statement>(
    fresh: Statement,
    existing: readonly Existing[],
    similarity?: (fresh: Statement, existing: Existing) => number,
  ): Existing | undefined;
}

export function createAttributeDetector(options: {
  readonly similarity_threshold: number;
}): AttributeDetector {
  return {
    extract,
    detect(fresh, existing, similarity) {
      const keys = attributeKeys(fresh);
      if (keys.size === 0) return undefined;
      return existing.find(
        (one) =>
          [...attributeKeys(one)].some((key) => keys.has(key)) ||
          (similarity !== undefined && similarity(fresh, one) > options.similarity_threshold),
      );
    },
  };
}

export function extract(text: string): EntityAttribute | undefined {
  const [fact] = attributeFacts(text);
  return fact === undefined ? undefined : { entity: fact.entity, attribute: fact.attribute };
}

/** The same, by a model where the rules see nothing (S1-24): what a relation says of its subject is its attribute. */
export async function extractByModel(text: string, task: TaskOptions): Promise<EntityAttribute | undefined> {
  const byRule = extract(text);
  if (byRule !== undefined || task.model === undefined) return byRule;
  const { reply, path } = await runTask(extractTriples, { text }, task);
  const [triple] = reply.triples;
  if (path === "local" || triple === undefined) return undefined;
  return { entity: triple.subject.toLowerCase(), attribute: triple.relation.toLowerCase() };
}

/** What a statement says something about; two statements that share a key cannot both hold if they differ. */
export function attributeKeys(statement: Statement): ReadonlySet<string> {
  return new Set(attributeFacts(statement.text, statement.speaker).map(attributeKey));
}
