import { expect, test } from "vitest";
import { MEMORY_TYPES, memoryTypeOf } from "./memory-types.ts";

test("[B.3] types by English code and Chinese label, short or long; what is none is knowledge", () => {
  const labels = ["知识", "事件", "技能", "任务", "情感"];
  for (const [n, type] of MEMORY_TYPES.entries()) {
    const names = [type, ` ${type.toUpperCase()} `, `${type} memory`, `${type}_memory`];
    for (const name of [...names, `${labels[n]}`, `${labels[n]}记忆`]) expect(memoryTypeOf(name)).toBe(type);
  }
  expect(memoryTypeOf("emotion")).toBe("emotional");
  for (const name of ["", "记忆", "memory", "笔记", "constructor", "__proto__"])
    expect(memoryTypeOf(name)).toBe("knowledge");
});
