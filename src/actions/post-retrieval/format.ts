/**
 * In which form does it go into a prompt? The action writes `context`. A memory is data: whatever it says, it cannot begin a
 * line, fill a hole or close a tag of the form it stands in.
 */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import { biemOptions, formatAsBiem } from "./format/biem.ts";
import { chatOptions, formatAsChat } from "./format/chat.ts";
import { formatByHeadings, structuredOptions } from "./format/structured.ts";
import { formatByTemplate, templateOptions } from "./format/template.ts";
import { formatAsXml, xmlOptions } from "./format/xml.ts";

export const format = defineAction({
  stage: "post_retrieval",
  name: "format",
  summary: "Writes what was found as the text that goes into a prompt.",
  subtype: "format_type",
  shorthands: {
    template: { format_type: "template" },
    structured: { format_type: "structured" },
    chat: { format_type: "chat" },
    xml: { format_type: "xml" },
    biem: { format_type: "biem" },
  },
  options: z.discriminatedUnion("format_type", [
    templateOptions,
    structuredOptions,
    chatOptions,
    xmlOptions,
    biemOptions,
  ]),
  run(found, context, options) {
    switch (options.format_type) {
      case "template":
        return formatByTemplate(found, options);
      case "structured":
        return formatByHeadings(found, options);
      case "chat":
        return formatAsChat(found, options);
      case "xml":
        return formatAsXml(found, options);
      case "biem":
        return formatAsBiem(found, context, options);
    }
  },
});
