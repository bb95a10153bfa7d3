/**
 * Before a question is answered: what was said while another design was chosen is taken up by this one, if it needs no model
 * for that. Else a memory would seem to know nothing of it.
 */
import { isBehind } from "../runtime/catch-up.ts";
import type { Memory } from "../runtime/memory.ts";
import type { MemoryOptions } from "../runtime/memory-options.ts";
import type { Terminal } from "./terminal.ts";
import { TURNS, underway } from "./underway.ts";

interface CatchUp extends Required<Pick<MemoryOptions, "onWindow">> {
  takeUp(memory: Memory): Promise<void>;
}

export function openCatchUp(terminal: Terminal): CatchUp {
  let done: (turns: number) => void = () => undefined;
  return {
    onWindow: (_, { turns }) => done(turns.length),
    async takeUp(memory) {
      if (!(await isBehind(memory.running(), memory.scope))) return;
      const { waiting } = await memory.status();
      await underway(terminal, TURNS, (way) => {
        let isBegun = false;
        // What only waits for its window to fill is not worth a word here.
        done = (turns) => {
          if (!isBegun) {
            terminal.note(terminal.text(firstText(waiting, memory.preset)));
            way.begin(waiting);
          }
          isBegun = true;
          way.done(turns);
        };
        return memory.flush({ finish: false, signal: way.signal });
      });
    },
  };
}

function firstText(waiting: number, preset: string): { readonly en: string; readonly zh: string } {
  return {
    en: `${waiting} turns were said while another design was chosen: ${preset} takes them up first, once.`,
    zh: `有 ${waiting} 轮是在选用其他设计时说的：${preset} 先处理它们，只此一次。`,
  };
}
