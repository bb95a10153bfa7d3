/**
 * Where does an item stand? Under a namespace (a path of labels) and a key. A memory finds it again by both, written so that
 * all under a path are a range of texts: "users/123/" and everything that begins so. Labels are percent-encoded, so that no
 * label can pass for two.
 */
import { type Filter, where } from "../../base/filter.ts";

/** Where an entry's own fields hold the item. */
export const ITEM = "metadata.own.langgraph";

export function pathOf(namespace: readonly string[]): string {
  return namespace.map((label) => `${encodeURIComponent(label.toWellFormed())}/`).join("");
}

export function at(namespace: readonly string[], key: string): Filter {
  return where.and(where.eq(`${ITEM}.path`, pathOf(namespace)), where.eq(`${ITEM}.key`, keyText(key)));
}

/** All items whose namespace begins with these labels. */
export function under(prefix: readonly string[]): Filter {
  const path = pathOf(prefix);
  if (path === "") return where.range(`${ITEM}.path`, { gte: "" });
  // "0" is what comes next after "/".
  return where.range(`${ITEM}.path`, { gte: path, lt: `${path.slice(0, -1)}0` });
}

export function addressOf(namespace: readonly string[], key: string): string {
  return pathOf(namespace) + keyText(key);
}

/** Keys are any text; what no file can store is written in a way that it can. */
export function keyText(key: string): string {
  return encodeURIComponent(key.toWellFormed());
}
