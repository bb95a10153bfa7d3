/** Which BIEM? One over the memory that the options or the environment name, or one without any (S4-22, S4-25). */
import { loadPreset } from "../../preset/load.ts";
import type { Preset } from "../../preset/preset.ts";
import { Memory } from "../memory.ts";
import type { MemoryOptions } from "../memory-options.ts";
import type { Biem } from "./biem.ts";
import { type BiemEnvironment, readEnvironment } from "./biem-environment.ts";
import { BiemRuntime } from "./biem-runtime.ts";
import { DisabledBiem } from "./disabled-biem.ts";

export interface BiemOptions extends MemoryOptions {
  /** biem, or a preset that extends it. @default biem */
  readonly preset?: string | Preset | undefined;
  /** Whether results of tools are kept, too. @default false */
  readonly recordTools?: boolean | undefined;
}

/** What the options name comes before what the environment does. */
export async function openBiem({ recordTools, ...options }: BiemOptions): Promise<Biem> {
  const environment = readEnvironment(options.env ?? {});
  if (environment.isDisabled) return new DisabledBiem("DISABLE_MEMORY is set.");
  const { path, url, storage } = options;
  const isPlaced = [path, url, storage].some((place) => place !== undefined);
  const preset = await presetOf(options.preset ?? "biem", environment);
  const memory = await Memory.open({ ...options, url: isPlaced ? url : environment.url, preset });
  try {
    return new BiemRuntime(memory, { recordTools });
  } catch (error) {
    await memory.close();
    throw error;
  }
}

async function presetOf(given: string | Preset, { collection }: BiemEnvironment): Promise<Preset> {
  const preset = typeof given === "string" ? await loadPreset(given) : given;
  if (collection === undefined) return preset;
  const options = { ...preset.service.options, collection_name: collection };
  return { ...preset, service: { ...preset.service, options } };
}
