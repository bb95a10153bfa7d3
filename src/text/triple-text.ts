/** A triple as one reads it: Ada lives in Rome; 小美搬到上海. */
import type { Triple } from "./triple.ts";

export function tripleText({ subject, relation, object }: Triple): string {
  return [subject, relation, object].reduce((text, part) =>
    /\p{Script=Han}$/u.test(text) && /^\p{Script=Han}/u.test(part) ? `${text}${part}` : `${text} ${part}`,
  );
}
