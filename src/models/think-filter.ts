/**
 * Local reasoning models often put their thoughts before the answer, between <think> and </think>. They are not part of the
 * reply. The filter takes text as it arrives, in pieces cut anywhere, and lets through what is answer.
 */

export interface ThinkFilter {
  push(piece: string): string;
  /** What was held back and turned out to be answer. */
  end(): string;
}

const OPEN = "<think>";
const CLOSE = "</think>";

export function createThinkFilter(): ThinkFilter {
  let state: "start" | "thinking" | "gap" | "answer" = "start";
  let held = "";

  const step = (): string => {
    if (state === "start") {
      const begun = held.trimStart();
      if (OPEN.startsWith(begun.slice(0, OPEN.length)) && begun.length < OPEN.length) return "";
      state = begun.startsWith(OPEN) ? "thinking" : "answer";
    }
    if (state === "thinking") {
      const close = held.indexOf(CLOSE);
      // Only the end matters from here on, so long thoughts are not kept.
      held = close < 0 ? held.slice(-(CLOSE.length - 1)) : held.slice(close + CLOSE.length);
      if (close < 0) return "";
      state = "gap";
    }
    if (state === "gap") {
      held = held.trimStart();
      if (held === "") return "";
      state = "answer";
    }
    const out = held;
    held = "";
    return out;
  };

  return {
    push(piece) {
      held += piece;
      return step();
    },
    end: () => (state === "start" ? held : ""),
  };
}

export function withoutThoughts(text: string): string {
  const filter = createThinkFilter();
  return filter.push(text) + filter.end();
}
