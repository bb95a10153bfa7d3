/** 我 and 你 as names. Plurals (我们, 你们), greetings (你好) and words that merely hold the character (自我) stay. */
import type { Speakers } from "./speakers.ts";

export function resolveChineseSpeakers(text: string, { speaker, listener }: Speakers): string {
  if (!/[我你您妳]/.test(text)) return text;
  const first = replacePerson(
    text,
    /(?<!自|忘|大)我(?![们們国國方军軍行校司]|[见見](?![过過到了面他她你]))/gu,
    speaker,
  );
  return listener === undefined ? first : replacePerson(first, /[你您妳](?![们們好])/gu, listener);
}

/** People and things that one has without saying 的: 我妈, 你家. */
const OWN =
  /^(?:老?妈|老?爸|妈妈|爸爸|父母|父亲|母亲|爷爷|奶奶|外公|外婆|姥姥|姥爷|哥哥?|姐姐?|弟弟?|妹妹?|叔叔|阿姨|舅舅|姑姑|老公|老婆|丈夫|妻子|先生|太太|媳妇|儿子|女儿|孩子|男朋友|女朋友|男友|女友|朋友|同事|同学|老师|老板|邻居|家(?!庭|具|常)|公司|学校|单位)/;

function replacePerson(text: string, pattern: RegExp, name: string): string {
  return text.replace(pattern, (word, at: number) => {
    const after = text.slice(at + word.length);
    const before = text.slice(Math.max(0, at - 1), at);
    const spaceBefore = /[A-Za-z0-9]$/.test(before) && /^[A-Za-z0-9]/.test(name) ? " " : "";
    const spaceAfter = /[A-Za-z0-9]$/.test(name) && /^[A-Za-z0-9]/.test(after) ? " " : "";
    return `${spaceBefore}${name}${OWN.test(after) ? "的" : ""}${spaceAfter}`;
  });
}
