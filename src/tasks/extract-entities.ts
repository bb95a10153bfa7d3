/** Who and what is named in a text? The named entities that open information extraction starts from (HippoRAG, Mem0ᵍ). */
import { z } from "zod";
import { findEntities } from "../text/entities.ts";
import { ENTITY_KINDS } from "../text/entity.ts";
import { printItems } from "./dialogue.ts";
import { textForm } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

const entity = z.preprocess(
  fromOtherForms,
  z.object({
    name: textForm,
    type: z.preprocess(
      (value) => (ENTITY_KINDS.some((kind) => kind === value) ? value : "other"),
      z.enum(ENTITY_KINDS),
    ),
  }),
);

export const extractEntities = defineTask({
  name: "extract_entities",
  summary:
    "The persons, places, organisations, products, events and other names in a text, as they are written there.",
  fallback: "English by a tagger and capital letters, Chinese by family names, gazetteers and endings.",
  input: z.object({
    text: z.string(),
    /** Names that are known to be persons'. */
    persons: z.array(z.string()).default([]),
  }),
  reply: z.object({ entities: z.array(entity) }),
  prompt: "extract_entities",
  placeholders: ["text", "persons"],
  fill: (input) => ({ text: input.text, persons: printItems(input.persons) }),
  about: (input) => input.text,
  local: async (input) => {
    const found = await findEntities(input.text, { persons: input.persons });
    const named = found.map(({ text, kind }) => ({ name: text.trim(), type: kind }));
    return { entities: named.filter(({ name }) => name !== "") };
  },
  settle: ({ entities }) => {
    const byName = new Map(entities.map((one) => [one.name.toLowerCase(), one] as const));
    return { entities: [...byName.values()] };
  },
});

const other = z.object({ entity: z.string(), entity_type: z.string().optional() });
const KIND_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    person: "per people human 人物 人名 人",
    place: "location loc gpe city country 地点 地名 位置",
    organisation: "organization org company 组织 机构 公司",
    product: "work product brand title 产品 作品",
    event: "events 事件 活动 赛事",
  }).flatMap(([kind, names]) => names.split(" ").map((name): [string, string] => [name, kind])),
);

/** A bare name, or Mem0's { entity, entity_type }; and types by other names. */
function fromOtherForms(value: unknown): unknown {
  if (typeof value === "string") return { name: value, type: "other" };
  const parsed = other.safeParse(value);
  const named = parsed.success ? { name: parsed.data.entity, type: parsed.data.entity_type } : value;
  if (typeof named !== "object" || named === null || !("type" in named)) return named;
  const type = typeof named.type === "string" ? named.type.trim().toLowerCase() : named.type;
  return { ...named, type: typeof type === "string" ? (KIND_NAMES.get(type) ?? type) : type };
}
