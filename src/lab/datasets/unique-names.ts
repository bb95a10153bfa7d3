/** Names that data sets give twice, told apart: the first keeps its name, the second becomes "name~2". */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let copy = 2; taken.has(unique); copy++) unique = `${name}~${copy}`;
    taken.add(unique);
    return unique;
  });
}
