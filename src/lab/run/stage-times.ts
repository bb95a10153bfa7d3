/** How long did each stage of the pipeline take, summed over its runs? */
import type { StageRecord } from "../../pipeline/record.ts";

export interface StageTimes {
  add(records: readonly Pick<StageRecord, "stage" | "ms">[]): void;
  /** Milliseconds by stage, since the last time this was asked. */
  take(): Readonly<Record<string, number>>;
}

export function stageTimes(): StageTimes {
  let sums: Record<string, number> = {};
  return {
    add(records) {
      for (const { stage, ms } of records) sums[stage] = (sums[stage] ?? 0) + ms;
    },
    take() {
      const taken = sums;
      sums = {};
      return taken;
    },
  };
}
