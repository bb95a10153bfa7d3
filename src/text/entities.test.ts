import { expect, test } from "vitest";
import { findEntities } from "./entities.ts";
import type { EntityKind } from "./entity.ts";

async function named(text: string, kind: EntityKind, persons: string[] = []): Promise<string[]> {
  return (await findEntities(text, { persons }))
    .filter((entity) => entity.kind === kind)
    .map((entity) => entity.text);
}

const ENGLISH =
  'Caroline Smith and Dr. Ben Lee met at the Museum of Modern Art in New York. Caroline works for Google and studied at the University of Oslo. She bought an iPhone 15 and read "Pride and Prejudice" in Tokyo.';

test("[S2-9] English persons, places, organisations and products", async () => {
  expect(await named(ENGLISH, "person")).toEqual(["Caroline Smith", "Dr. Ben Lee", "Caroline"]);
  expect(await named(ENGLISH, "place")).toEqual(["Museum of Modern Art", "New York", "Tokyo"]);
  expect(await named(ENGLISH, "organisation")).toEqual(["Google", "University of Oslo"]);
  expect(await named(ENGLISH, "product")).toEqual(["iPhone 15", "Pride and Prejudice"]);
});

const CHINESE =
  "王小明和李娜在北京大学读书，张老师住在上海市。小李在阿里巴巴工作，周末喜欢去西湖公园，还在看《三体》。陈伟告诉我他在腾讯公司上班。";

test("[S2-9] Chinese persons, places, organisations and products", async () => {
  expect(await named(CHINESE, "person")).toEqual(["王小明", "李娜", "张老师", "小李", "陈伟"]);
  expect(await named(CHINESE, "place")).toEqual(["上海市", "西湖公园"]);
  expect(await named(CHINESE, "organisation")).toEqual(["北京大学", "阿里巴巴", "腾讯公司"]);
  expect(await named(CHINESE, "product")).toEqual(["三体"]);
});

test("[B.0.2] events in English and Chinese", async () => {
  expect(
    await named("Ada ran the Boston Marathon and went to the Edinburgh Book Festival.", "event"),
  ).toEqual(["Boston Marathon", "Edinburgh Book Festival"]);
  expect(await named("小美去年参加了北京马拉松，今年想去上海电影节。", "event")).toEqual([
    "北京马拉松",
    "上海电影节",
  ]);
});

test("traditional characters keep their form", async () => {
  expect(await named("張老師住在臺北市", "person")).toEqual(["張老師"]);
  expect(await named("張老師住在臺北市", "place")).toEqual(["臺北市"]);
});

test("what is no name is not found", async () => {
  for (const text of [
    "Yesterday I went home and cooked. It was nice. Thanks!",
    "On Monday we eat pizza in December.",
    "我昨天回家做饭，很开心。",
    "学校里有一家公司和一个公园，路上很堵。",
  ]) {
    expect(await findEntities(text), text).toEqual([]);
  }
});

test("known speakers are persons, wherever they stand", async () => {
  expect(await named("Zorblax likes tea. I told Zorblax so.", "person", ["Zorblax"])).toEqual(["Zorblax"]);
  expect(await named("阿不都喜欢喝茶", "person", ["阿不都"])).toEqual(["阿不都"]);
});

test("every entity is a slice of the text, once", async () => {
  for (const text of [ENGLISH, CHINESE, `${ENGLISH} ${CHINESE}`]) {
    const found = await findEntities(text);
    for (const { text: name, index } of found) expect(text.slice(index, index + name.length)).toBe(name);
    expect(new Set(found.map(({ text: name }) => name)).size).toBe(found.length);
  }
});

test("a product's name between Chinese words is found, wherever it stands", async () => {
  const names = async (text: string) => (await findEntities(text)).map((one) => one.text);
  expect(await names("PyTorch 是一个常用的深度学习框架，也有人用TensorFlow。")).toEqual([
    "PyTorch",
    "TensorFlow",
  ]);
  expect(await names("我们用 ok 这个词。")).toEqual([]);
});
