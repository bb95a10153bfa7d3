/** How is a tool told to a client? Its schemas as JSON Schema, made once, and what it does to the memory as hints. */
import { isSpecType, type Tool as ListedTool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { invariant } from "../../base/errors.ts";
import type { Tool } from "./tool.ts";

const known = new WeakMap<Tool, ListedTool>();

export function listedTool(tool: Tool): ListedTool {
  const before = known.get(tool);
  if (before !== undefined) return before;
  const { name, description, effect, isIdempotent, input, output } = tool;
  const listed: unknown = {
    name,
    description,
    inputSchema: objectSchema(input, "input"),
    outputSchema: objectSchema(output, "output"),
    annotations: {
      readOnlyHint: effect === "read",
      destructiveHint: effect === "erase",
      idempotentHint: isIdempotent,
      // A memory is what was told to it: nothing outside is asked.
      openWorldHint: false,
    },
  };
  invariant(isSpecType.Tool(listed), `The tool ${name} cannot be told to a client`);
  known.set(tool, listed);
  return listed;
}

/**
 * Without the name of its dialect, which validators of the first generation look up and do not find. What is given back may
 * have more fields one day: clients that read the schema today must not refuse them then.
 */
function objectSchema(schema: z.ZodType, io: "input" | "output"): object {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ jsonSchema }) {
      if (io === "output" && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
      // True of every key and of every reply: words that a prompt need not carry.
      delete jsonSchema.propertyNames;
      delete jsonSchema.readOnly;
    },
  });
  return { ...made, type: "object" };
}
