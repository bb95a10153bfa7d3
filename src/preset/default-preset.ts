/** Which design where nobody says? Our own; whatever leads over to another goes through the same journal. */

export const DEFAULT_PRESET = "neuromem";

/** Ours, and not after a paper: the default and what is built on it by name. */
export function isOurOwn(name: string): boolean {
  return name === DEFAULT_PRESET || name.startsWith(`${DEFAULT_PRESET}_`);
}
