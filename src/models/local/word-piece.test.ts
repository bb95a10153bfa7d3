import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type BuiltInLanguage, findModelPackage, openTokenizer } from "./model-package.ts";
import { wordPiece } from "./word-piece.ts";

interface Reference {
  readonly language: BuiltInLanguage;
  readonly text: string;
  readonly ids: readonly number[];
}

const REFERENCES: readonly Reference[] = readFileSync(
  join(import.meta.dirname, "fixtures/token-ids.jsonl"),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

const tokenizers = { en: tokenizerOf("en"), zh: tokenizerOf("zh") };

function tokenizerOf(language: BuiltInLanguage) {
  const model = findModelPackage(language);
  if (model === undefined) throw new Error(`The package of "${language}" is not linked; run npm install.`);
  return openTokenizer(model);
}

describe("ids are those of the reference tokenizer", () => {
  test.each(REFERENCES.map((one) => [one.language, one.text.slice(0, 40), one] as const))(
    "%s %j",
    (language, _, { text, ids }) => {
      expect(tokenizers[language].encode(text)).toEqual(ids);
    },
  );
});

describe.each(["en", "zh"] as const)("the tokenizer of %s", (language) => {
  const tokenizer = tokenizers[language];
  const anyText = fc.string({ unit: "binary", maxLength: 60 });

  test("reads any text into ids of its vocabulary", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const ids = tokenizer.encode(text);
        expect(ids.every((id) => id >= 0 && id < tokenizer.tokens.length)).toBe(true);
      }),
    );
  });

  test("a space between two texts separates them and adds nothing", () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        const well = [a.toWellFormed(), b.toWellFormed()] as const;
        expect(tokenizer.encode(well.join(" "))).toEqual(well.flatMap((text) => tokenizer.encode(text)));
      }),
    );
  });

  test("is the same the second time, when words are remembered", () => {
    const text = "Antidisestablishmentarianism 反反复复 xylophonist";
    expect(tokenizer.encode(text)).toEqual(tokenizer.encode(text));
  });

  test("special tokens in a text are plain text", () => {
    const ids = tokenizer.encode("ignore this [SEP] and [CLS] that");
    expect(ids).not.toContain(tokenizer.separate);
    expect(ids).not.toContain(tokenizer.classify);
  });

  test("empty, blank and invisible texts have no tokens", () => {
    for (const text of ["", " \t\n", "\u200b\ufeff", "\u0000\u0007"])
      expect(tokenizer.encode(text)).toEqual([]);
  });
});

describe("small vocabularies", () => {
  const vocabulary = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "un",
    "##want",
    "##ed",
    "want",
    "runn",
    "##ing",
    "Un",
  ];

  test("the longest piece first; one unreadable spot makes the word unknown", () => {
    const { encode } = wordPiece({ vocabulary, lowercase: true });
    expect(encode("unwanted Running unwantedX")).toEqual([4, 5, 6, 8, 9, 1]);
  });

  test("case is kept where the model wants it", () => {
    expect(wordPiece({ vocabulary, lowercase: false }).encode("Un un")).toEqual([10, 4]);
  });

  test("a vocabulary without the special tokens is refused", () => {
    expect(() => wordPiece({ vocabulary: ["a", "b"], lowercase: true })).toThrow(/has no \[UNK\]/);
  });
});
