/** How does the memory stand? */
import type { Given } from "../command.ts";
import { sayStatus } from "../status-text.ts";
import type { Terminal } from "../terminal.ts";
import { withMemory } from "../with-memory.ts";

export async function showStatus(given: Given, terminal: Terminal): Promise<number> {
  return withMemory(given, terminal, { isNew: false, isQuiet: true }, async ({ memory, file }) => {
    // Not through its row: whose file it is may see what all scopes together take.
    const status = await memory.status();
    const { scope } = memory;
    terminal.give({ db: file, scope, ...status });
    sayStatus({ file, scope, status }, terminal);
    return 0;
  });
}
