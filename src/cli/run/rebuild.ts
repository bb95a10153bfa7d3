/** Another design over the same journal, or the same one anew. */
import type { Scope } from "../../base/scope.ts";
import { rebuild } from "../../runtime/rebuild.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Given } from "../command.ts";
import { openMemory } from "../open-memory.ts";
import { takeUp } from "../take-up.ts";
import type { Terminal } from "../terminal.ts";

export async function rebuildMemory(given: Given, terminal: Terminal): Promise<number> {
  const open = await openMemory(given, terminal, { isNew: false });
  try {
    const { storage, memory, scope, file, model } = open;
    const derived = await takeUp(open, terminal, {
      total: () => ownTurns(storage, scope),
      run: (how) => rebuild(memory, storage, scope, how),
    });
    const { preset } = memory;
    const entries = await open.count();
    terminal.give({ db: file, scope, preset: preset.name, model, ...derived, entries });
    terminal.say(
      terminal.text({
        en: `${derived.turns} turns through ${preset.name} in ${derived.windows} windows: ${entries} memories.`,
        zh: `${preset.name} 分 ${derived.windows} 个窗口处理了 ${derived.turns} 轮：共 ${entries} 条记忆。`,
      }),
    );
    return 0;
  } finally {
    await open.close();
  }
}

async function ownTurns(storage: Storage, scope: Scope): Promise<number> {
  let count = 0;
  for (let after = 0; ; ) {
    const page = await storage.turns(scope, { after, limit: 1000 });
    count += page.filter((turn) => turn.scope === scope).length;
    const last = page.at(-1);
    if (last === undefined) return count;
    after = last.seq;
  }
}
