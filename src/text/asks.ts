/**
 * Does somebody ask, or tell? "I live in Rome." wants no answer from a memory; "tell me where I live" does. In doubt it asks: an
 * answer too many is read over, one too few is missed.
 */
import { endsInQuestion } from "./is-question.ts";
import { questionHeads } from "./question-head.ts";
import { simplify } from "./simplify.ts";

const ENGLISH =
  /^\W{0,4}(?:and |so |but |please )?(?:is|are|am|was|were|do|does|did|have|has|had|can|could|will|would|should|may|tell|remind|show|list|name|give|find|search|recall)\b/i;
const CHINESE =
  /什么|谁|哪|几[个只次岁点年月天号]|多少|多大|多久|怎么|怎样|为何|是否|是不是|有没有|能不能|告诉我|提醒我|列出/u;

export function asks(text: string): boolean {
  if (/[?？]/u.test(text) || endsInQuestion(text)) return true;
  if (CHINESE.test(simplify(text))) return true;
  return ENGLISH.test(text) || questionHeads(text).length > 0;
}
