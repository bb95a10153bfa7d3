/**
 * A text with holes, {{name}}, as a preset writes it. What is wrong with it is said when the preset is loaded: a hole that
 * nobody fills, a hole that must be there and is not, single braces where a hole was meant (B.0.9, 7 and 9). Values are put
 * in once and never read again: a memory that looks like a hole stays text.
 */
import { z } from "zod";

const HOLE = /\{\{([^{}]*)\}\}/g;

export function templateSchema<Hole extends string>(
  holes: readonly Hole[],
  required: Hole,
): z.ZodType<string> {
  const valid = `Valid: ${holes.map((hole) => `{{${hole}}}`).join(", ")}.`;
  return z.string().superRefine((text, context) => {
    const used = [...text.matchAll(HOLE)].map(([, name = ""]) => name);
    const unknown = used.find((name) => !holes.some((hole) => hole === name));
    const single = holes.find((hole) => text.replace(HOLE, "").includes(`{${hole}}`));
    if (unknown !== undefined) {
      context.addIssue({ code: "custom", message: `{{${unknown}}} is no placeholder here. ${valid}` });
    } else if (single !== undefined) {
      context.addIssue({ code: "custom", message: `{${single}} needs two braces on either side. ${valid}` });
    } else if (!used.includes(required)) {
      context.addIssue({ code: "custom", message: `{{${required}}} is missing. ${valid}` });
    }
  });
}

export function fillTemplate<Hole extends string>(
  template: string,
  values: Readonly<Record<Hole, string>>,
): string {
  const filled = new Map<string, string>(Object.entries(values));
  return template.replace(HOLE, (hole, name: string) => filled.get(name) ?? hole);
}
