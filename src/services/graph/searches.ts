/** A way of looking that would also find entities, kept from it. */
import { where } from "../../base/filter.ts";
import type { SearchBy } from "../search/search.ts";
import { memoriesOnly } from "./entity.ts";

export function withoutEntities(search: SearchBy): SearchBy {
  return {
    ...search,
    run: (asked) =>
      search.run({
        ...asked,
        filter: asked.filter === undefined ? memoriesOnly : where.and(memoriesOnly, asked.filter),
      }),
  };
}
