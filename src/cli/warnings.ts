/** What if a thousand calls warn of the same? The first few warnings of a kind are told, the rest are counted. */
import type { Terminal } from "./terminal.ts";

export interface Warnings {
  tell(code: string, message: string): void;
  /** Says how many were not told. */
  end(): void;
}

const TOLD = 5;

export function openWarnings({ note, text }: Pick<Terminal, "note" | "text">): Warnings {
  const counts = new Map<string, number>();
  return {
    tell(code, message) {
      const count = (counts.get(code) ?? 0) + 1;
      counts.set(code, count);
      if (count <= TOLD) note(message);
    },
    end() {
      for (const [code, count] of counts) {
        const more = count - TOLD;
        if (more > 0)
          note(
            text({
              en: `${more} more warnings like these: ${code}.`,
              zh: `同类警告还有 ${more} 条：${code}。`,
            }),
          );
      }
      counts.clear();
    },
  };
}
