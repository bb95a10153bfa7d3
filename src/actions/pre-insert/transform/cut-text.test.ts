import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { estimateTokens } from "../../../text/token-count.ts";
import { CUT_STRATEGIES, cutText, firstTokens } from "./cut-text.ts";

const visible = (text: string): string => text.replace(/\s+/g, "");

const texts = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc
    .array(
      fc.constantFrom(
        "Ada moved to Rome.",
        "我搬到了上海。",
        "\n",
        " ",
        "Why?",
        "小美",
        "electroencephalograph",
        "👩‍👩‍👧",
        "3.14",
        "…",
      ),
      { maxLength: 120 },
    )
    .map((parts) => parts.join("")),
);

describe("cutText", () => {
  test("[S0-27] no visible character is lost, and without overlap none is said twice", () => {
    fc.assert(
      fc.property(
        texts,
        fc.constantFrom(...CUT_STRATEGIES),
        fc.integer({ min: 1, max: 40 }),
        (text, strategy, size) => {
          const pieces = cutText(text, { size, overlap: 0, strategy });
          expect(pieces.map(visible).join("")).toBe(visible(text));
        },
      ),
    );
  });

  test("[S0-27] with overlap pieces follow each other without a gap, and some say the last one's end again", () => {
    // Every sentence is different, so that a piece has one place.
    const numbered = fc.integer({ min: 1, max: 60 }).map((count) =>
      Array.from({ length: count }, (_, i) => {
        const number = String(i).padStart(3, "0");
        return i % 2 === 0 ? `Word${number} is here. ` : `第${number}句在这里。\n`;
      }).join(""),
    );
    fc.assert(
      fc.property(
        numbered,
        fc.constantFrom(...CUT_STRATEGIES),
        fc.integer({ min: 12, max: 60 }),
        (text, strategy, size) => {
          const places = cutText(text, { size, overlap: Math.floor(size / 2), strategy }).map((piece) => ({
            start: text.indexOf(piece),
            end: text.indexOf(piece) + piece.length,
          }));
          let covered = 0;
          for (const { start, end } of places) {
            expect(start).toBeGreaterThanOrEqual(0);
            expect(visible(text.slice(covered, Math.max(covered, start)))).toBe("");
            expect(end).toBeGreaterThan(covered);
            covered = end;
          }
          expect(visible(text.slice(covered))).toBe("");
        },
      ),
    );
    const text = "One is here. Two is here. Three is here. Four is here.";
    expect(cutText(text, { size: 10, overlap: 5, strategy: "sentence" })).toEqual([
      "One is here. Two is here.",
      "Two is here. Three is here.",
      "Three is here. Four is here.",
    ]);
  });

  test("pieces hold no more tokens than asked, but where one character does", () => {
    fc.assert(
      fc.property(
        texts,
        fc.constantFrom(...CUT_STRATEGIES),
        fc.integer({ min: 4, max: 40 }),
        (text, strategy, size) => {
          for (const piece of cutText(text, { size, overlap: 2, strategy })) {
            const single = [...new Intl.Segmenter().segment(piece)].length === 1;
            expect(single || estimateTokens(piece) <= size).toBe(true);
          }
        },
      ),
    );
  });

  test("it cuts where the strategy says", () => {
    const text = "Ada moved to Rome. She likes it there.\nBen stayed in Berlin. He has a dog.";
    expect(cutText(text, { size: 12, overlap: 0, strategy: "paragraph" })).toEqual([
      "Ada moved to Rome. She likes it there.",
      "Ben stayed in Berlin. He has a dog.",
    ]);
    expect(cutText(text, { size: 6, overlap: 0, strategy: "sentence" })).toEqual([
      "Ada moved to Rome.",
      "She likes it there.",
      "Ben stayed in Berlin.",
      "He has a dog.",
    ]);
    expect(
      cutText("我上个月搬到了上海。我很喜欢这里。", { size: 9, overlap: 0, strategy: "sentence" }),
    ).toEqual(["我上个月搬到了上海。", "我很喜欢这里。"]);
    for (const piece of cutText("我上个月搬到了上海", { size: 3, overlap: 0, strategy: "fixed" })) {
      expect(["我", "上个月", "搬到", "了", "上海"].some((word) => piece.includes(word))).toBe(true);
    }
  });

  test("a long text is cut in time that grows with it", () => {
    const text = "Ada moved to Rome last spring and 她很喜欢那里。\n".repeat(4000);
    const started = performance.now();
    const pieces = cutText(text, { size: 200, overlap: 30, strategy: "sentence" });
    expect(pieces.length).toBeGreaterThan(200);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test("firstTokens keeps whole sentences", () => {
    expect(firstTokens("Ada moved to Rome. She likes it there.", 6)).toBe("Ada moved to Rome.");
  });
});
