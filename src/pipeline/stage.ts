/** The six stages, in order, and what each may do to the store (S0-2, S0-9 … S0-14): the table the handles enforce. */

export const INSERT_STAGES = ["pre_insert", "memory_insert", "post_insert"] as const;
export const RETRIEVAL_STAGES = ["pre_retrieval", "memory_retrieval", "post_retrieval"] as const;
export const STAGES = [...INSERT_STAGES, ...RETRIEVAL_STAGES] as const;
export type Stage = (typeof STAGES)[number];

/** never; once for each memory entry, in the order retrieve, delete, insert; or as often as it likes. */
export type Allowance = "never" | "once" | "many";

export interface Rights {
  readonly retrieve: Allowance;
  readonly insert: Allowance;
  readonly delete: Allowance;
  /** Whether it may tell the service to look after itself, and read and settle what the service left undecided. */
  readonly optimize: boolean;
}

const none: Rights = { retrieve: "never", insert: "never", delete: "never", optimize: false };

export const RIGHTS: Readonly<Record<Stage, Rights>> = {
  pre_insert: { ...none, retrieve: "many" },
  memory_insert: { ...none, insert: "once" },
  post_insert: { retrieve: "once", insert: "once", delete: "once", optimize: true },
  pre_retrieval: none,
  memory_retrieval: { ...none, retrieve: "many" },
  post_retrieval: { ...none, retrieve: "many" },
};
