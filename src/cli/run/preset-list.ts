/** Which designs are there, and what does each cost? */
import { listPresets, loadPreset } from "../../preset/load.ts";
import type { Preset } from "../../preset/preset.ts";
import type { Given } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import { padEnd, widthOf } from "../text-width.ts";

/** Folders of presets, in the order they are told; "" is the designs themselves. */
const GROUPS = [
  { folder: "", title: { en: "Designs", zh: "设计" } },
  {
    folder: "table/",
    title: { en: "Rows of the five-dimension table, taken literally", zh: "五维表的各行，照字面实现" },
  },
  { folder: "variants/", title: { en: "Variants", zh: "变体" } },
] as const;

export async function listAll(_given: Given, terminal: Terminal): Promise<number> {
  const presets = await Promise.all(
    (await listPresets()).map(async (name) => ({ name, preset: await loadPreset(name) })),
  );
  terminal.give({
    presets: presets.map(({ name, preset: { summary, about } }) => ({
      name,
      summary,
      calls: about?.calls ?? null,
    })),
  });
  const width = Math.max(...presets.map(({ name }) => widthOf(name)));
  for (const { folder, title } of GROUPS) {
    const members = presets.filter(({ name }) =>
      folder === "" ? !name.includes("/") : name.startsWith(folder),
    );
    if (members.length === 0) continue;
    terminal.say(terminal.paint("bold", terminal.text(title)));
    for (const { name, preset } of members) terminal.say(lineOf(name, width, preset, terminal));
    terminal.say();
  }
  return 0;
}

function lineOf(name: string, width: number, { summary, about }: Preset, { text, paint }: Terminal): string {
  const calls =
    about === null
      ? ""
      : text({
          en: ` (model calls: write ${about.calls.write} · read ${about.calls.read})`,
          zh: `（模型调用：写入 ${about.calls.write} · 读取 ${about.calls.read}）`,
        });
  return `  ${paint("cyan", padEnd(name, width))}  ${summary}${paint("dim", calls)}`;
}
