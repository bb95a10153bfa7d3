/** The talk of LoCoMo in a folder of evaluation data, for benches that need some real conversations. */
import { join } from "node:path";
import type { LabCase } from "../src/lab/dataset.ts";
import { openDataset } from "../src/lab/datasets/open-dataset.ts";

export async function locomoCases(dataFolder: string): Promise<readonly LabCase[]> {
  return (await openDataset(`locomo=${join(dataFolder, "locomo", "locomo_dev.json")}`)).cases;
}
