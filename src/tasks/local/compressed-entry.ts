/** SimpleMem's memory (S2-3): a restated fact with its lexical and symbolic fields, here read from the text alone. */
import { z } from "zod";
import { extractKeywords } from "../../text/keywords.ts";
import {
  distinctTexts,
  numbersOrNoneForm,
  optionalText,
  optionalTextForm,
  termsOrNoneForm,
  textForm,
} from "../reply-forms.ts";
import type { DialogueFact } from "./dialogue-facts.ts";
import { namesIn } from "./names.ts";

export const compressedEntrySchema = z.object({
  lossless_restatement: textForm,
  keywords: termsOrNoneForm,
  /** ISO 8601; a day, a month or a span where no more is known. */
  timestamp: optionalTextForm,
  location: optionalTextForm,
  persons: termsOrNoneForm,
  entities: termsOrNoneForm,
  topic: optionalTextForm,
  /** Numbers of the lines it was taken from. */
  sources: numbersOrNoneForm,
});
export type CompressedEntry = z.infer<typeof compressedEntrySchema>;

const MAX_KEYWORDS = 6;

export async function compressedEntry(
  fact: DialogueFact,
  speakers: readonly string[],
): Promise<CompressedEntry> {
  const names = await namesIn(fact.text, speakers);
  // Who said it is a person of the memory even where the sentence does not name them.
  const persons = distinctTexts([...names.persons, fact.speaker]);
  const found = extractKeywords(fact.text, { limit: MAX_KEYWORDS }).map(({ text }) => text);
  const keywords = distinctTexts(found.map((keyword) => withoutNames(keyword, persons)));
  return {
    lossless_restatement: fact.text,
    keywords,
    timestamp: optionalText(fact.timestamp),
    location: optionalText(names.places[0] ?? meetingPlace(fact.text, names.others)),
    persons,
    entities: [...names.others],
    topic: optionalText(keywords[0]),
    sources: [fact.line],
  };
}

/** Persons have their own field; a keyword says what, not who. */
function withoutNames(keyword: string, persons: readonly string[]): string {
  const names = new Set(persons.flatMap((name) => name.toLowerCase().split(/\s+/)));
  const words = keyword.split(/\s+/).filter((word) => !names.has(word.toLowerCase().replace(/['’]s$/u, "")));
  return words.join(" ");
}

/** "At Starbucks", 在星巴克见面: a shop or a company is a place to whoever meets there, and not to whoever works there. */
function meetingPlace(text: string, names: readonly string[]): string | undefined {
  const chinese =
    /(?:在|到|去)(?<place>\p{Script=Han}{2,8}?)(?:门口|里面?)?(?:见面|碰头|碰面|集合|聚会|吃饭|喝咖啡|聊聊|见)/u.exec(
      text,
    );
  return names.find((name) => isVisited(text, name)) ?? chinese?.groups?.place;
}

function isVisited(text: string, name: string): boolean {
  const at = text.indexOf(name);
  const before = text.slice(Math.max(0, at - 40), at);
  return (
    /\b(?:at|to|inside|outside|near) (?:the )?$/i.test(before) &&
    !/\b(?:work|job|career|study|studie|teach|intern|appl)\w*\b[^,.]*$/i.test(before)
  );
}
