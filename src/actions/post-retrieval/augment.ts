/** What should be shown with it? Who is asked about, what stood around a memory, when it was (S0-40, S0-95). */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import { addContext, contextOptions } from "./augment/context.ts";
import { addEvents, eventsOptions } from "./augment/events.ts";
import { addMetadata, metadataOptions } from "./augment/metadata.ts";
import { addNeighbours, neighboursOptions } from "./augment/neighbours.ts";
import { addPortraits, portraitOptions } from "./augment/portrait.ts";
import { addProfile, personaOptions, traitsOptions } from "./augment/profile.ts";
import { addRelations, relationsClaims, relationsOptions } from "./augment/relations.ts";
import { addSameDay, sameDayOptions } from "./augment/same-day.ts";
import { addSection, sectionClaims, sectionOptions } from "./augment/section.ts";
import { addStanding, standingOptions } from "./augment/standing.ts";
import { addTime, temporalOptions } from "./augment/temporal.ts";

export const augment = defineAction({
  stage: "post_retrieval",
  name: "augment",
  summary: "Adds to the hits what is known about them, or a section beside them.",
  subtype: "augment_type",
  shorthands: {
    persona: { augment_type: "persona" },
    traits: { augment_type: "traits" },
    events: { augment_type: "events" },
    context: { augment_type: "context" },
    metadata: { augment_type: "metadata" },
    temporal: { augment_type: "temporal" },
    neighbours: { augment_type: "neighbours" },
    standing: { augment_type: "standing" },
    same_day: { augment_type: "same_day" },
    section: { augment_type: "section" },
    portrait: { augment_type: "portrait" },
    relations: { augment_type: "relations" },
  },
  options: z.discriminatedUnion("augment_type", [
    personaOptions,
    traitsOptions,
    eventsOptions,
    contextOptions,
    metadataOptions,
    temporalOptions,
    neighboursOptions,
    standingOptions,
    sameDayOptions,
    sectionOptions,
    portraitOptions,
    relationsOptions,
  ]),
  claims(options) {
    switch (options.augment_type) {
      case "persona":
      case "traits":
      case "events":
      case "context":
      case "neighbours":
      case "standing":
      case "same_day":
      case "portrait":
        return { hints: [{ strategy: "structured", names: [] }] };
      case "section":
        return sectionClaims(options);
      case "relations":
        return relationsClaims(options);
      default:
        return {};
    }
  },
  run(found, context, options) {
    switch (options.augment_type) {
      case "persona":
      case "traits":
        return addProfile(found, context, options);
      case "events":
        return addEvents(found, context, options);
      case "context":
        return addContext(found, context, options);
      case "metadata":
        return addMetadata(found, options);
      case "relations":
        return addRelations(found, context, options);
      case "temporal":
        return addTime(found, options);
      case "neighbours":
        return addNeighbours(found, context, options);
      case "standing":
        return addStanding(found, context, options);
      case "same_day":
        return addSameDay(found, context, options);
      case "section":
        return addSection(found, context, options);
      case "portrait":
        return addPortraits(found, context, options);
    }
  },
});
