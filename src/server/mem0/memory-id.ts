/**
 * By which id does a client of mem0 know a memory? mem0 asks for a memory by its id alone, without saying whose it is. Where
 * the caller's key opens one scope that is enough. Else the id says it: "ID@alice", the scope percent-encoded. It gives no
 * right to anything: the scope in it is held against the key like every other.
 */
export interface MemoryName {
  readonly id: string;
  /** undefined: the caller's own. */
  readonly scope: string | undefined;
}

export function writeId({ id, scope }: MemoryName): string {
  return scope === undefined ? id : `${id}@${encodeURIComponent(scope)}`;
}

export function readId(given: string): MemoryName {
  const at = given.indexOf("@");
  if (at < 0) return { id: given, scope: undefined };
  return { id: given.slice(0, at), scope: decoded(given.slice(at + 1)) };
}

/** Clients that encode what they put into a path do it a second time. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // No scope has a percent sign in its name: as it stands it is refused as one.
    return text;
  }
}
