/** Keys stay out of messages: the ones we know by heart, and whatever looks like one in a provider's own words. */

const LOOKS_SECRET =
  /\b(?:sk|pk|rk|gsk|xai)-[\w*-]{6,}|\bbearer\s+[\w.~+/=-]{8,}|\b(?:api[-_ ]?key|token|secret)\b[^\n:=]{0,20}[:=]\s*["']?(?!\d+\b)[\w.*~+/-]{8,}/gi;

export function redact(text: string, secrets: readonly (string | undefined)[]): string {
  let out = text;
  for (const secret of secrets) {
    if (secret !== undefined && secret.length >= 4) out = out.replaceAll(secret, "***");
  }
  return out.replace(LOOKS_SECRET, "***");
}
