/**
 * What of an entry is embedded, and where does each vector go? A field is one text of an entry (its content, its summary
 * …) or one measure of it (its emotions); each field has a vector per space of its embedder, and each space an index of
 * its own, because vectors of two spaces never meet (C-22).
 */
import { hash } from "node:crypto";
import type { NewCollectionIndex } from "../collection/index-set.ts";
import type { EmbedderSpace } from "../models/local/embedder-set.ts";

/** The field that every service with vectors has. */
export const CONTENT = "content";

export interface VectorSpace {
  readonly space: string;
  readonly dimension: number;
}

export interface VectorField {
  readonly name: string;
  readonly spaces: readonly VectorSpace[];
}

/** The same embedder's vectors of another field are told apart by the field's name. */
export function spaceOf(embedderSpace: string, field: string): string {
  return field === CONTENT ? embedderSpace : `${embedderSpace}#${field}`;
}

export function textField(name: string, spaces: readonly EmbedderSpace[]): VectorField {
  return {
    name,
    spaces: spaces.map(({ space, dimension }) => ({ space: spaceOf(space, name), dimension })),
  };
}

/** Readable where that is possible, and always one name per space. */
export function indexNameOf(space: string): string {
  const plain = space.replace(/[^\p{L}\p{N}_-]/gu, "_");
  return plain === space && plain.length <= 48
    ? `v-${plain}`
    : `v-${plain.slice(0, 40)}-${hash("sha256", space).slice(0, 8)}`;
}

/** The flat vector indexes of some fields. */
export function vectorIndexes(fields: readonly VectorField[]): NewCollectionIndex[] {
  return fields.flatMap(({ spaces }) =>
    spaces.map(({ space, dimension }) => ({
      name: indexNameOf(space),
      kind: "vector_flat",
      options: { space, dimension },
    })),
  );
}

/** A field that no embedder makes: a measure of the entry, as its eight emotions. */
export function measureField(name: string, dimension: number): VectorField {
  return { name, spaces: [{ space: measureSpace(name), dimension }] };
}

export function measureSpace(name: string): string {
  return `#${name}`;
}
