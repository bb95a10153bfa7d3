/** Said under an answer: part of what was said could not be looked at yet, and how it can be. */
import type { Memory } from "../runtime/memory.ts";
import type { Terminal } from "./terminal.ts";

export async function noteWaiting(memory: Memory, { note, text }: Terminal): Promise<void> {
  const { waiting } = await memory.status();
  if (waiting === 0) return;
  note(
    text({
      en: `${waiting} turns are not taken up by ${memory.preset} yet, and were not looked at: neuromem flush takes them up.`,
      zh: `还有 ${waiting} 轮未被 ${memory.preset} 处理，没有查到其中：用 neuromem flush 立即处理。`,
    }),
  );
}
