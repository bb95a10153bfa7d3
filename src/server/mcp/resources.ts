/**
 * Which memories can a client open by name? Each is a resource, neuromem://memories/ID; the newest are listed. Opened, it is
 * the entry as it is stored: JSON, so that no reader takes its text for words of ours.
 */
import {
  type CompleteResult,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import type { Entry } from "../../base/entry.ts";
import { MemoryError } from "../../base/errors.ts";
import { currentOnly } from "../../runtime/list.ts";
import type { Memory } from "../../runtime/memory.ts";
import { oneLine } from "../../tasks/dialogue.ts";
import { leadingPart } from "../../text/leading-part.ts";

const PLACE = "neuromem://memories/";
const TEMPLATE = `${PLACE}{id}`;
const JSON_TYPE = "application/json";
/** More than anybody looks through. */
const LISTED = 100;
/** As much as stands on a line of a menu. */
const NAME_LENGTH = 80;

export async function listResources(memory: Memory): Promise<ListResourcesResult> {
  const entries = await newest(memory);
  return {
    resources: entries.map(({ id, content, kind, happenedAt }) => ({
      uri: `${PLACE}${id}`,
      name: nameOf(content),
      description: `${kind}, ${new Date(happenedAt).toISOString().slice(0, 10)}`,
      mimeType: JSON_TYPE,
    })),
  };
}

export function listResourceTemplates(): ListResourceTemplatesResult {
  return {
    resourceTemplates: [
      { uriTemplate: TEMPLATE, name: "memory", description: "One memory, by its id.", mimeType: JSON_TYPE },
    ],
  };
}

export async function readResource(memory: Memory, uri: string): Promise<ReadResourceResult> {
  if (!uri.startsWith(PLACE)) throw new ResourceNotFoundError(uri);
  const entry = await memory.get(uri.slice(PLACE.length)).catch((error: unknown) => {
    if (MemoryError.is(error) && error.code === "entry_not_found") throw new ResourceNotFoundError(uri);
    throw error;
  });
  return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(entry) }] };
}

/** The ids of the newest that begin so. */
export async function completeResource(
  memory: Memory,
  template: string,
  begun: string,
): Promise<CompleteResult> {
  if (template !== TEMPLATE)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no template ${template}. Valid: ${TEMPLATE}.`,
    );
  const values = (await newest(memory)).map(({ id }) => id).filter((id) => id.startsWith(begun));
  return { completion: { values, total: values.length, hasMore: false } };
}

/** Of a book its first words. */
function nameOf(content: string): string {
  const start = oneLine(content.slice(0, 4 * NAME_LENGTH).toWellFormed());
  return leadingPart(start, (part) => part.length <= NAME_LENGTH);
}

async function newest(memory: Memory): Promise<readonly Entry[]> {
  const { storage, design } = memory.running();
  const { collection } = design.service;
  return storage.newest(memory.scope, { collection, filter: currentOnly, limit: LISTED, own: true });
}
