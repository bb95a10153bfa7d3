/** BIEM (seed 004): energy, links, facts and conflicts, as its users call it. */
export {
  type Biem,
  type BiemStats,
  type BiemStatus,
  type FeedbackOptions,
  type IngestOptions,
  type Judged,
  type MessageOptions,
  type NodePage,
  type PageOptions,
  SOURCES,
  type Source,
} from "./biem.ts";
export { BiemRuntime } from "./biem-runtime.ts";
export {
  type Conflict,
  type ConflictSignal,
  RESOLUTIONS,
  type Resolution,
  type Resolved,
} from "./conflicts.ts";
export type { CrystalFact, CrystalLink } from "./crystal.ts";
export { bandOf, ENERGY_BANDS, type EnergyBand } from "./energy-bands.ts";
export { LINK_TYPES, type Link, type LinkType, type MemoryNode, type NodeMetadata } from "./memory-node.ts";
export { type BiemOptions, openBiem } from "./open-biem.ts";
