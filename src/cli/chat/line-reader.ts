/** Lines that somebody types, with editing and history on a terminal, or that come through a pipe. */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import type { Terminal } from "../terminal.ts";

export interface LineReader extends AsyncIterable<string> {
  /** Shown on a terminal only. */
  prompt(text: string): void;
  close(): void;
}

/** `press` is told of every Ctrl-C, however it arrives. */
export function openLines({ input, isInteractive }: Terminal, press: () => void): LineReader {
  const reader = createInterface({
    input: input ?? Readable.from([]),
    terminal: isInteractive,
    ...(isInteractive ? { output: process.stdout } : {}),
  });
  // A terminal in raw mode gives it to the reader, anything else to the process.
  reader.on("SIGINT", press);
  process.on("SIGINT", press);
  reader.on("close", () => process.off("SIGINT", press));
  // Before anything is awaited, so that no line is missed.
  const lines = reader[Symbol.asyncIterator]();
  return {
    [Symbol.asyncIterator]: () => lines,
    prompt(text) {
      if (!isInteractive) return;
      reader.setPrompt(text);
      reader.prompt();
    },
    close: () => reader.close(),
  };
}
