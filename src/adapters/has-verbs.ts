/** Can something handed in be called by these names? A memory is known by its verbs, whichever class it is of. */
export function hasVerbs(value: unknown, verbs: readonly string[]): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    verbs.every((verb) => typeof Reflect.get(value, verb) === "function")
  );
}
