/** What comes from a server, which may be no JSON at all: then it is undefined, and the schema it is held against says so. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
