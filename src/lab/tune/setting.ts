/** What is one try? A value for every option that is varied, by the option's path; the rest is as the preset has it. */
import type { Json } from "../../base/json.ts";

export type Setting = Readonly<Record<string, Json>>;

/** The same for the same values, whatever the order they were set in. */
export function settingKey(setting: Setting): string {
  return JSON.stringify(Object.entries(setting).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** As "a.b = 0.3, c.d = true". */
export function settingText(setting: Setting): string {
  return Object.entries(setting)
    .map(([path, value]) => `${path} = ${JSON.stringify(value)}`)
    .join(", ");
}
