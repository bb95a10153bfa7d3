/** What a loader makes of its files; the name, the kind and the hash are put to it where files are opened. */
import type { Dataset } from "../dataset.ts";
import type { LeftOut } from "./left-out.ts";

export type Loaded = Pick<Dataset, "cases" | "recorded">;

/** One file, as it was read. */
export interface DataFile {
  readonly path: string;
  /** Its JSON. */
  readonly value: unknown;
}

/** `files` are in the order of the spec. */
export type Loader = (files: readonly [DataFile, ...DataFile[]], leftOut: LeftOut, name: string) => Loaded;
