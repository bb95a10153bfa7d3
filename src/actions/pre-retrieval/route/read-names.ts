/** What does a question name, by which it can be sent on its way? Read by rules, or by the model's analysis. */
import type { PreRetrievalContext } from "../../../pipeline/action.ts";
import type { Question } from "../../../pipeline/question.ts";
import { analyseQuery } from "../../../tasks/analyse-query.ts";
import { distinctTexts } from "../../../tasks/reply-forms.ts";
import { findEntities } from "../../../text/entities.ts";

export interface Named {
  readonly names: readonly string[];
  /** Words that may say a time. */
  readonly times: string;
}

/** Names by the entity finder; times are looked for in the whole text. */
export async function readByRules({ text }: Question): Promise<Named> {
  return { names: (await findEntities(text)).map((entity) => entity.text), times: text };
}

export async function readByModel(
  { text, talk }: Question,
  { think }: PreRetrievalContext,
  prompt: string,
): Promise<Named> {
  const speakers = distinctTexts(talk.map(({ speaker }) => speaker));
  const said = await think(analyseQuery, { question: text, persons: speakers }, prompt);
  const places = said.location === null ? [] : [said.location];
  return {
    names: distinctTexts([...said.persons, ...places, ...said.entities]),
    times: said.time_expression ?? "",
  };
}
