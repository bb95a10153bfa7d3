/** English verb forms that the third person singular must know. */

/** Past forms that do not end in -ed: after "I" they stay as they are. */
export const IRREGULAR_PASTS: ReadonlySet<string> =
  words(`was were had did went got made took came saw knew thought felt
  found gave told said became left kept brought bought began held wrote stood heard met ran paid sat spoke led grew lost fell
  sent built understood drew broke spent rose drove wore chose ate slept woke taught caught fought sold won sang swam drank
  threw flew forgot rode shook swore tore stole froze hid hung dug blew bit bent bound bred burnt dealt dreamt fed fled
  forgave lent lit meant rang shone shot shrank sank slid spun sprang stuck stung struck swept swung wept wound knelt leapt
  learnt spelt spoilt withdrew overcame undertook`);

/** Verbs whose past looks like their present: nothing safe can be said, so they stay. */
export const SAME_PAST: ReadonlySet<string> = words(
  "put cut hit let set shut cost hurt read quit spread split bet cast burst",
);

/** Words that may stand between "I" and its verb. */
export const BETWEEN: ReadonlySet<string> =
  words(`also always never often usually sometimes really just still already even only
  truly actually probably definitely totally absolutely recently finally rarely hardly barely mostly generally simply
  certainly clearly kinda sorta both all now then quickly currently normally occasionally personally honestly myself yourself`);

/** The same in two words. */
export const BETWEEN_PAIRS: ReadonlySet<string> = new Set([
  "no longer",
  "very much",
  "kind of",
  "sort of",
  "no more",
]);

/** After these the verb keeps its plain form. */
export const MODALS: ReadonlySet<string> = words(
  "can could will would shall should may might must cannot did didn't can't couldn't won't wouldn't shouldn't mustn't might've could've would've should've used ought better",
);

/** Words after which "you" begins a clause of its own. */
export const SUBJECT_LEADS: ReadonlySet<string> =
  words(`and but so or if when that because while think hope know glad see
  what how why where who which as than until before after since though although whether maybe then say says said like all
  thing time way wish bet guess believe heard happy sure`);

/** Words that follow "I" or "you" without being its verb. */
export const NOT_VERBS: ReadonlySet<string> =
  words(`and or but of in on at for from to with by about as than if when who that
  which while because so too either neither the a an my your his her our their this these those not nor guys
  two three all both`);

/** Verbs behind "and" that go on with a preposition ("work at"), and those that go on with an object ("have two cats"). */
export const STAYING_VERBS: ReadonlySet<string> = words("work live teach study belong");
export const TAKING_VERBS: ReadonlySet<string> = words(
  "have own love like hate enjoy prefer speak play teach study want know collect write sing",
);
export const PREPOSITIONS: ReadonlySet<string> = words(
  "at in for as with from on near to by of about around under over into",
);

/** Words that open a clause with a subject of its own. */
export const CLAUSE_LEADS: ReadonlySet<string> = words(
  "who which that because if when while where whether he she they we it although though let make makes made help helped",
);

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).filter((word) => word !== ""));
}
