import { expect, test } from "vitest";
import { findTopicNames } from "./topic-names.ts";

const of = async (text: string) =>
  (await findTopicNames(text)).map(({ text: name, kind }) => `${kind}: ${name}`);

test("names, quotations, compounds and identifiers of an English text", async () => {
  const found = await of(
    'Caroline read "Becoming Nicole" in Boston and filed ticket AB-123 about the summer pottery workshop.',
  );
  expect(found).toContain("identifier: AB-123");
  expect(found).toContain("quoted: Becoming Nicole");
  expect(found).toContain("proper: Caroline");
  expect(found).toContain("proper: Boston");
  expect(found).toContain("topic: summer pottery workshop");
});

test("and of a Chinese one", async () => {
  const found = await of("王芳在上海读了《三体》，发邮件给 li.wei@example.com 谈科幻小说。");
  expect(found).toContain("identifier: li.wei@example.com");
  expect(found).toContain("quoted: 三体");
  expect(found).toContain("proper: 王芳");
  expect(found).toContain("proper: 上海");
  expect(found.some((name) => name.startsWith("topic:"))).toBe(true);
});

test("each name once; a text without any has none", async () => {
  expect((await of("Boston, boston, BOSTON")).filter((name) => /boston/i.test(name))).toHaveLength(1);
  expect(await of("")).toEqual([]);
});
