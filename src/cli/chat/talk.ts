/** A conversation in the terminal, as its commands see it. */
import type { AgentLoop, Said } from "../../runtime/agent-loop.ts";
import type { Terminal } from "../terminal.ts";
import type { Opened } from "../with-memory.ts";

export interface Talk {
  readonly terminal: Terminal;
  /** Undefined: without a memory. */
  readonly opened: Opened | undefined;
  readonly loop: AgentLoop;
  readonly session: string;
  /** The last exchange. */
  last: Said | undefined;
  isOver: boolean;
}
