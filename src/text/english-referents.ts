/**
 * Who and what has an English text named? Persons by name or by what they are to somebody ("my uncle", "the technician"),
 * groups ("my parents", "Paul and Irene"), places, and things that somebody got, made or began: "it" is rarely anything else
 * that can be told.
 */
import { findEnglishEntities } from "./english-entities.ts";
import { type TaggedWord, type Tagging, tagEnglish } from "./english-tagger.ts";
import type { Entity } from "./entity.ts";
import type { Referent, ReferentOptions } from "./referent.ts";

export async function findEnglishReferents(text: string, options: ReferentOptions): Promise<Referent[]> {
  const words = await tagEnglish(text, undefined, TAGGING);
  const names = await findEnglishEntities(text, options.speakers, TAGGING);
  const all = words.flat();
  const found = [
    ...namedPersons(text, names, all, options),
    ...words.flatMap((sentence) => unnamed(sentence, options)),
    ...places(text, names),
    ...words.flatMap(things),
    ...words.flatMap(several),
  ];
  return [...found, ...pairs(text, found)].sort((a, b) => a.end - b.end);
}

/** Many sentences are read for one pronoun; of what more would tell, next to nothing changes who is meant. */
const TAGGING: Tagging = "quick";

const FEMALE =
  /^(?:sister|mother|mom|mum|wife|daughter|girl|woman|lady|aunt|grandmother|grandma|granny|girlfriend|niece|stepmother|stepsister|actress|waitress)$/i;
const MALE =
  /^(?:brother|father|dad|husband|son|boy|man|guy|uncle|grandfather|grandpa|boyfriend|nephew|stepfather|stepbrother|actor|waiter)$/i;
const KIN =
  /^(?:sister|mother|mom|mum|wife|daughter|aunt|grandmother|grandma|granny|girlfriend|niece|brother|father|dad|husband|son|uncle|grandfather|grandpa|boyfriend|nephew|cousin|friend|boss|colleague|neighbou?r|roommate|flatmate|partner|fianc[ée]+|manager|teacher|doctor|coach|therapist|landlord|landlady|mentor|teammate|classmate|dog|cat|puppy|kitten|horse|parrot)$/i;
const PLURAL_KIN =
  /^(?:parents|kids|children|friends|colleagues|co-?workers|neighbou?rs|grandparents|sons|daughters|cousins|brothers|sisters|students|teammates|classmates|roommates|in-laws|twins|dogs|cats|puppies|kittens)$/i;

/** Persons by name, with the sex that the name or what stands before it tells. */
function namedPersons(
  text: string,
  names: readonly Entity[],
  words: readonly TaggedWord[],
  { speaker, speakers }: ReferentOptions,
): Referent[] {
  const isTwo = speakers.length <= 2;
  return names.flatMap(({ text: name, kind, index }) => {
    const isSpeaker = speakers.some((one) => sameName(one, name));
    if (kind !== "person" || sameName(name, speaker) || (isSpeaker && (isTwo || isCalled(text, name, index))))
      return [];
    // "at Rosa's": a place that is called so.
    if (
      /\b(?:at|to)\s+$/.test(text.slice(0, index)) &&
      /^['’]s(?!\s+\p{Ll})/u.test(text.slice(index + name.length))
    )
      return [];
    const before = /(\p{L}+),?\s+$/u.exec(text.slice(0, index))?.[1] ?? "";
    const tags = words.find((word) => word.index === index)?.tags;
    const gender =
      genderOf(before) ??
      (/^(?:Mr|Sir)\b/.test(name) ? "male" : /^(?:Mrs|Ms|Miss)\b/.test(name) ? "female" : byName(tags));
    const end = index + name.length;
    // Not "with Harry Potter trivia".
    const isCompany =
      /\bwith(?:\s+my(?:\s+\p{Ll}+){1,2},?)?\s+$/u.test(text.slice(0, index)) &&
      !isPlainNoun(words.find((word) => word.index === end + 1));
    return [{ text: name, kind: "person" as const, gender, end, isCompany }];
  });
}

/** "My uncle", "the technician", "my parents", without a name behind it. */
function unnamed(words: readonly TaggedWord[], { speaker }: ReferentOptions): Referent[] {
  return words.flatMap((word, at): Referent[] => {
    const noun = word.plain;
    const isKin = KIN.test(noun) || PLURAL_KIN.test(noun);
    if (!isKin && !word.tags.has("Actor") && genderOf(noun) === null) return [];
    if (word.tags.has("Pronoun") || word.tags.has("Possessive")) return [];
    const next = word.breaks ? undefined : words[at + 1];
    const isNamed = /^\p{Lu}/u.test(next?.text ?? "");
    if (isNamed || isPlainNoun(next) || /['’]/.test(word.text)) return [];
    let first = at - 1;
    while (first >= 0 && isInside(words[first])) first--;
    const lead = words[first]?.plain ?? "";
    const inner = words.slice(first + 1, at + 1).map((one) => one.text);
    const end = word.index + word.text.length;
    const isCompany = words[first - 1]?.plain === "with" || isAndI(words, at);
    const kind = PLURAL_KIN.test(noun) || word.tags.has("Plural") ? ("group" as const) : ("person" as const);
    const gender = genderOf(noun);
    const made = (said: string): Referent[] => [{ text: said, kind, gender, end, isCompany }];
    // "He is the man", "Ella is my teacher": said of somebody who was named already.
    if (words[first - 1]?.tags.has("Copula") === true) return [];
    if (lead === "my") return made(speaker === "" ? "" : `${speaker}'s ${inner.join(" ")}`);
    // "Our manager" may be anybody's, and "her son" somebody's who is not known yet: both are in the way, without a name.
    if (/^(?:our|his|her|their|your|a|an|this|that|some|another|one)$/.test(lead)) return made("");
    return lead === "the" && kind === "person" ? made(`the ${inner.join(" ")}`) : [];
  });
}

/** Between "my" and what it owns: "my new flat mate". */
function isInside(word: TaggedWord | undefined): boolean {
  return word !== undefined && !word.breaks && (word.tags.has("Adjective") || isPlainNoun(word));
}

function isPlainNoun(word: TaggedWord | undefined): boolean {
  if (word === undefined || !word.tags.has("Noun") || !/^\p{Ll}/u.test(word.text)) return false;
  return !["Pronoun", "Possessive", "Date"].some((tag) => word.tags.has(tag));
}

function isAndI(words: readonly TaggedWord[], at: number): boolean {
  return words[at + 1]?.plain === "and" && words[at + 2]?.plain === "i";
}

function places(text: string, names: readonly Entity[]): Referent[] {
  const named = names.flatMap(({ text: name, kind, index }): Referent[] =>
    kind === "place" ? [{ text: name, kind: "place", gender: null, end: index + name.length }] : [],
  );
  const known = new Set(named.map(({ end }) => end));
  const called = [...text.matchAll(CALLED)].flatMap(({ 1: name = "", index, 0: whole }): Referent[] => {
    const end = index + whole.length;
    return known.has(end) ? [] : [{ text: name, kind: "place", gender: null, end }];
  });
  const ends = new Set([...named, ...called].map(({ end }) => end));
  const common = [...text.matchAll(COMMON_PLACE)].flatMap((found): Referent[] => {
    const end = found.index + found[0].length;
    const [, article = "", noun = ""] = found;
    return ends.has(end)
      ? []
      : [{ text: article === "the" ? `the ${noun}` : "", kind: "place", gender: null, end }];
  });
  return [...named, ...called, ...common];
}

/** Places without a name: they are in the way of those with one. */
const COMMON_PLACE =
  /\b(the|an?|my|our|this|that|his|her|their) ((?:\p{Ll}+ ){0,2}?(?:park|restaurant|caf[eé]|museum|gallery|beach|store|shop|gym|school|hospital|office|library|hotel|bakery|bar|pub|market|theat(?:er|re)|church|club|studio|lake|forest|mountains?|village|town|city|country|island|camp|farm|garden|cent(?:er|re)|festival|concert|conference|station|airport|place))\b(?! \p{Lu})/gu;

/** "Dinner at Rosa's", "a table at the Blue Door": where people meet is a place, whatever else it is. */
const CALLED = /\bat ((?:the )?\p{Lu}[\p{L}’'&]*(?: \p{Lu}[\p{L}’'&]*)*)/gu;

/** Verbs whose object is a thing that one may speak of next. */
const BRINGS =
  /^(?:bought|buy|got|get|adopted|built|build|made|received|gave|found|ordered|started|joined|wrote|writing|write|read|reading|watched|painted|painting|cooked|baked|own|owns|sold|rented|borrowed|finished|recorded|planted|knitted|designed|fixed|repaired|published|signed|lost)$/;
const NO_THING =
  /^(?:lot|bit|living|time|day|way|chance|look|break|rest|try|job|call|start|trip|walk|mess|point|deal|part|thing|mind|idea|feeling|sense|while|kind|sort|side|home|house|life|moment|step|hand|heart|friend|promise|decision|effort|progress|money|sleep|work|difference|impact|confidence|boost|connection|impression|fuss|noise|mistake|sure)$/;

/**
 * Article, words, noun. What somebody got, made or began can be spoken of next; what else does or suffers something is in
 * the way, without a name; what stands behind a preposition is neither.
 */
function things(words: readonly TaggedWord[]): Referent[] {
  return words.flatMap((word, first): Referent[] => {
    if (!/^(?:a|an|the|my|this|that)$/.test(word.plain)) return [];
    let last = first;
    while (last + 1 < words.length && goesOn(words[last]) && isOfThing(words[last + 1])) last++;
    while (last > first && !words[last]?.tags.has("Noun")) last--;
    const noun = words[last];
    if (noun === undefined || last === first || !isThing(noun)) return [];
    const before = words[first - 1];
    if (before?.tags.has("Preposition") || /^(?:to|for|with)$/.test(before?.plain ?? "")) return [];
    const verb = /^(?:me|us|him|her)$/.test(before?.plain ?? "") ? words[first - 2] : before;
    const isGiven = verb?.plain === "gave" && word.plain === "the";
    const isBrought =
      word.plain !== "my" && !isGiven && verb?.tags.has("Verb") === true && BRINGS.test(verb.plain);
    const inner = joined(words.slice(first + 1, last + 1));
    const text = isBrought && inner !== "" ? `the ${inner}` : "";
    return [{ text, kind: "thing", gender: null, end: noun.index + noun.text.length }];
  });
}

function isThing({ plain, text, tags }: TaggedWord): boolean {
  return tags.has("Singular") && !NO_THING.test(plain) && !/['’]/.test(text);
}

function goesOn(word: TaggedWord | undefined): boolean {
  return word !== undefined && (!word.breaks || word.tags.has("Hyphenated"));
}

const PEOPLE = ["Person", "Actor", "Place"] as const;

function isOfThing(word: TaggedWord | undefined): boolean {
  if (
    word === undefined ||
    word.tags.has("Date") ||
    word.tags.has("Pronoun") ||
    PEOPLE.some((tag) => word.tags.has(tag))
  )
    return false;
  return word.tags.has("Noun") || word.tags.has("Adjective") || word.tags.has("Hyphenated");
}

/** Words with the hyphens between them. */
function joined(words: readonly TaggedWord[]): string {
  return words
    .map((word, at) =>
      word.tags.has("Hyphenated") && words[at + 1]?.tags.has("Hyphenated")
        ? `${word.text}-`
        : `${word.text} `,
    )
    .join("")
    .replace(/[-\s]+$/, "");
}

/** Several of anything may be "they" and "them": they are in the way of people. */
function several(words: readonly TaggedWord[]): Referent[] {
  return words.flatMap((word): Referent[] => {
    const isMany = word.tags.has("Plural") && !["Date", "Pronoun", "Value"].some((tag) => word.tags.has(tag));
    if (!isMany || PLURAL_KIN.test(word.plain) || word.tags.has("Actor")) return [];
    return [{ text: "", kind: "group", gender: null, end: word.index + word.text.length }];
  });
}

/** "Paul and Irene" are a group beside themselves. */
function pairs(text: string, found: readonly Referent[]): Referent[] {
  const persons = found.filter(({ kind }) => kind === "person").sort((a, b) => a.end - b.end);
  return persons.flatMap((second, at): Referent[] => {
    const first = persons[at - 1];
    if (first === undefined || first.text === "" || second.text === "") return [];
    const between = text.slice(first.end, second.end);
    if (!/^ and (?:my (?:\p{Ll}+ ){0,2})?\p{L}[\p{L}’']*(?: \p{Lu}\p{L}*)?$/u.test(between)) return [];
    const { isCompany } = first;
    return [
      { text: `${first.text} and ${second.text}`, kind: "group", gender: null, end: second.end, isCompany },
    ];
  });
}

/** "Lena, can you": whoever is called is not spoken of. */
function isCalled(text: string, name: string, index: number): boolean {
  const [before, after] = [text.slice(0, index), text.slice(index + name.length)];
  return (
    (/(?:^|[.!?]\s*)$/.test(before) && /^\s*[,!]/.test(after)) ||
    (/,\s*$/.test(before) && /^\s*[.!?]/.test(after))
  );
}

function genderOf(noun: string): Referent["gender"] {
  if (FEMALE.test(noun)) return "female";
  return MALE.test(noun) ? "male" : null;
}

function byName(tags: ReadonlySet<string> | undefined): Referent["gender"] {
  if (tags?.has("FemaleName")) return "female";
  return tags?.has("MaleName") ? "male" : null;
}

/** "Mel" is Melanie, "Ben" is Ben Lee. */
function sameName(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a.startsWith(b) || b.startsWith(`${a} `);
}
