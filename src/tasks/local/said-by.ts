/** Who says it, where a text begins with that: "Mia: I moved." A name of a few words, as with_speaker writes it. */
export function saidBy(text: string): { readonly who: string; readonly said: string } {
  const [, who = "", said = text] =
    /^([\p{L}\p{M}\p{N}_.'’-]+(?: [\p{L}\p{M}\p{N}_.'’-]+){0,3}): (.*)$/su.exec(text) ?? [];
  return { who, said };
}
