/**
 * English and Chinese, each in the space of a small model of its own: the language of every text decides where it goes,
 * and a query asks both, or its own alone. What is neither goes where its script is nearest: Han characters to Chinese, all
 * else to English.
 */
import { silent, type Trace } from "../../base/trace.ts";
import type { Vector } from "../../base/vector.ts";
import { scriptShares } from "../../text/language.ts";
import { embedMany } from "../embed-many.ts";
import type { Embedder } from "../model.ts";
import type { EmbedderSet, EmbedderSpace, QuerySpaces, QueryVector, SetOptions } from "./embedder-set.ts";
import { type BuiltInLanguage, LANGUAGE_NAMES } from "./model-package.ts";
import { isReadable } from "./readable.ts";

export interface BilingualEmbedders {
  readonly en?: Embedder | undefined;
  readonly zh?: Embedder | undefined;
}

const LANGUAGES = ["en", "zh"] as const;

export function bilingual(embedders: BilingualEmbedders, trace: Trace = silent): EmbedderSet {
  const members = LANGUAGES.flatMap((language) => {
    const embedder = embedders[language];
    if (embedder === undefined) return [];
    return [{ space: embedder.id, dimension: embedder.dimension, language, embedder }];
  });
  const warned = new Set<BuiltInLanguage>();
  const warnOnce = (language: BuiltInLanguage): void => {
    if (warned.has(language)) return;
    warned.add(language);
    trace(unread(language));
  };

  const embedDocuments = async (
    texts: readonly string[],
    { onProgress, ...options }: SetOptions = {},
  ): Promise<(Vector | undefined)[]> => {
    const out: (Vector | undefined)[] = texts.map(() => undefined);
    const languages = texts.map((text) => (isReadable(text) ? languageOf(text) : undefined));
    for (const language of LANGUAGES) {
      if (embedders[language] === undefined && languages.includes(language)) warnOnce(language);
    }
    // Texts without a vector are done before the first is made.
    let before = languages.filter((one) => one === undefined || embedders[one] === undefined).length;
    if (before > 0) onProgress?.(before, texts.length);
    for (const { language, embedder } of members) {
      const places = languages.flatMap((one, place) => (one === language ? [place] : []));
      const done = before;
      const vectors = await embedMany(
        embedder,
        places.map((place) => texts[place] ?? ""),
        { ...options, as: "document", onProgress: (count) => onProgress?.(done + count, texts.length) },
      );
      vectors.forEach((values, i) => {
        out[places[i] ?? -1] = { space: embedder.id, values };
      });
      before += places.length;
    }
    return out;
  };

  return {
    spaces: members.map(({ embedder: _, ...space }): EmbedderSpace => space),
    embedDocuments,
    embedDocument: async (text, options) => (await embedDocuments([text], options))[0],
    async embedQuery(text, { spaces, ...options } = {}) {
      if (!isReadable(text)) return [];
      const language = languageOf(text);
      const vectors: QueryVector[] = [];
      for (const member of spacesFor(text, members, spaces)) {
        const [values] = await embedMany(member.embedder, [text], { ...options, as: "query" });
        if (values !== undefined)
          vectors.push({ space: member.space, values, native: member.language === language });
      }
      return vectors;
    },
  };
}

/** Those of the spaces that a query is to be embedded into. */
export function spacesFor<Space extends EmbedderSpace>(
  text: string,
  spaces: readonly Space[],
  wanted: QuerySpaces | undefined,
): readonly Space[] {
  if (wanted === undefined) return spaces;
  if (wanted !== "native") return spaces.filter(({ space }) => wanted.includes(space));
  const native = spaces.filter(({ language }) => language === languageOf(text));
  return native.length === 0 ? spaces : native;
}

export function languageOf(text: string): BuiltInLanguage {
  const { language, han, latin } = scriptShares(text);
  if (language !== "other") return language;
  return han > latin ? "zh" : "en";
}

function unread(language: BuiltInLanguage) {
  return {
    type: "warning-raise",
    code: "missing_dependency",
    message: `No embedder reads ${LANGUAGE_NAMES[language]}: such texts are found by their words only. Valid: install "@neuromem/embed-${language}", or set an embedder that reads every language.`,
  } as const;
}
