/** Which designs are there, and what does each cost? */
import { isOurOwn } from "../../preset/default-preset.ts";
import { listPresets, loadPreset } from "../../preset/load.ts";
import type { Preset } from "../../preset/preset.ts";
import type { Given } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import { padEnd, widthOf } from "../text-width.ts";

/** In the order they are told: our own first, then those after others; rows and variants lie in folders. */
const GROUPS = [
  { title: { en: "Our own; the first is the default", zh: "自有设计；第一个是默认" }, holds: isOurOwn },
  {
    title: { en: "Designs", zh: "设计" },
    holds: (name: string) => !name.includes("/") && !isOurOwn(name),
  },
  {
    title: { en: "Rows of the five-dimension table, taken literally", zh: "五维表的各行，照字面实现" },
    holds: (name: string) => name.startsWith("table/"),
  },
  { title: { en: "Variants", zh: "变体" }, holds: (name: string) => name.startsWith("variants/") },
] as const;

export async function listAll(_given: Given, terminal: Terminal): Promise<number> {
  const names = await listPresets();
  const groups = await Promise.all(
    GROUPS.map(async ({ title, holds }) => {
      const members = names.filter(holds).map(async (name) => ({ name, preset: await loadPreset(name) }));
      return { title, members: await Promise.all(members) };
    }),
  );
  const presets = groups.flatMap(({ members }) => members);
  terminal.give({
    presets: presets.map(({ name, preset: { summary, about } }) => ({
      name,
      summary,
      calls: about?.calls ?? null,
    })),
  });
  const width = Math.max(...presets.map(({ name }) => widthOf(name)));
  for (const { title, members } of groups) {
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
