/** Where does what can be made again lie? In the folder where the system keeps a user's caches. */
import { homedir } from "node:os";
import { join } from "node:path";
import type { Terminal } from "./terminal.ts";

export function cacheFolder(env: Terminal["env"]): string {
  return join(systemFolder(env), "neuromem");
}

function systemFolder(env: Terminal["env"]): string {
  if (process.platform === "win32") return env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local");
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches");
  return env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
}
