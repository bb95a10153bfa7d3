/** The ways in which English states an attribute of somebody. The first that matches decides. */
import { UNIQUE_ROLES } from "./attribute-names.ts";
import type { AttributePattern } from "./attribute-pattern.ts";

const WHO = "^(?<entity>[^,:;]{1,60}?)";
const ADVERB =
  "(?: (?:now|still|currently|also|really|always|just|recently|already|actually|both|only|absolutely|truly|very much|finally|originally))*";
const BE = "(?: (?:is|was|are|were|am|has been|have been|'s|'m|'re))";
/** "does not", "no longer", "isn't": the group is there only if it is denied. */
const DENIED = "(?<not> (?:does not|do not|did not|doesn't|don't|didn't|no longer|never|not|stopped|quit))?";
const BE_DENIED = "(?<not> (?:is not|isn't|was not|wasn't|is no longer|was never|are not|aren't|am not))";
const END = "(?<value>.+)$";

function who(rest: string): RegExp {
  return new RegExp(`${WHO}${ADVERB}${rest} ${END}`, "iu");
}

function verb(words: string): RegExp {
  return who(`${DENIED}${ADVERB} (?:${words})`);
}

/** "is/was …", denied or not. */
function be(words: string): RegExp {
  return who(`(?:${BE_DENIED}|${BE})${ADVERB} (?:${words})`);
}

const IS =
  "(?:is now|is currently|is|was|are|were|became|has become|has changed to|changed to|turned into|will be|=)";
const IS_NOT = "(?<not>is not|isn't|was not|wasn't|is no longer|are not|aren't)";

export const ENGLISH_PATTERNS: readonly AttributePattern[] = [
  // "Bob is Alice's husband" before "X's Y is Z", which it is not.
  {
    pattern: new RegExp(
      `^(?<value>[^,:;']{1,40}) (?:is|was) (?<entity>[^,:;]{1,40})'s (?<attribute>${UNIQUE_ROLES})$`,
      "iu",
    ),
  },
  {
    pattern: new RegExp(
      `^(?<entity>[^,:;]{1,60})(?:'s|(?<=s)') (?<attribute>[^',:;]{1,40}?) (?:${IS_NOT}|${IS}) ${END}`,
      "iu",
    ),
  },
  { pattern: new RegExp(`^(?<entity>my) (?<attribute>[^',:;]{1,40}?) (?:${IS_NOT}|${IS}) ${END}`, "iu") },
  {
    pattern: new RegExp(
      `^the (?<attribute>[^',:;]{1,40}?) of (?<entity>[^:;]{1,60}?) (?:${IS_NOT}|${IS}) ${END}`,
      "iu",
    ),
  },
  // "The university where Alice was educated is Yale."
  {
    pattern: new RegExp(
      `^the (?<attribute>[\\p{L} ]{3,30}?) (?:where|that|which|in which) (?<entity>[^,:;]{1,60}?) (?:was|were|is|plays?|played|lives?|works?|made|produced|stud(?:ies|ied)|went)\\b[^,;]{0,30}? (?:${IS_NOT}|is|was) ${END}`,
      "iu",
    ),
  },

  { pattern: verb("lives? in|lives? at|lived in|resides? in|living in"), attribute: "residence" },
  { pattern: be("living in|based in|residing in"), attribute: "residence" },
  {
    pattern: verb("(?:has |have )?(?:moved|relocated)(?: back)?(?: from .{1,40}?)? to"),
    attribute: "residence",
  },
  {
    pattern: verb(
      "works? (?:at|for)|worked (?:at|for)|got a (?:new )?job (?:at|with)|started (?:working|a new job) (?:at|for|with)",
    ),
    attribute: "employer",
  },
  { pattern: be("working (?:at|for)|employed (?:at|by)"), attribute: "employer" },
  {
    pattern: verb("works? as (?:an?|the)|worked as (?:an?|the)|became (?:an?|the)"),
    attribute: "occupation",
  },
  { pattern: be("working as (?:an?|the)|employed as (?:an?|the)"), attribute: "occupation" },
  {
    pattern: new RegExp(
      `${WHO}${ADVERB} (?:is|was|am|turned|just turned|'s) (?<value>\\d{1,3})(?: years? old)?$`,
      "iu",
    ),
    attribute: "age",
  },
  { pattern: new RegExp(`${WHO} (?:is|was|am|'s) (?<value>[\\w-]+) years? old$`, "iu"), attribute: "age" },
  { pattern: be("born (?:in|on)"), attribute: "birthplace" },
  { pattern: be("(?:originally )?from"), attribute: "origin" },
  { pattern: verb("comes? from|came from|hails? from"), attribute: "origin" },
  { pattern: be("married to"), attribute: "spouse" },
  { pattern: verb("(?:has |have )?married"), attribute: "spouse" },
  { pattern: be("dating|going out with|engaged to"), attribute: "partner" },
  {
    pattern: new RegExp(
      `${WHO}(?:${BE_DENIED}|${BE})${ADVERB} (?<value>single|married|divorced|engaged|widowed|separated)$`,
      "iu",
    ),
    attribute: "marital status",
  },
  {
    pattern: verb(
      "studies at|study at|studied at|(?:attends?|attended)(?= .*(?:school|college|university|academy|institute))",
    ),
    attribute: "school",
  },
  { pattern: be("studying at|a student at|enrolled (?:at|in)"), attribute: "school" },
  { pattern: verb("majors? in|majored in"), attribute: "major" },
  { pattern: verb("works? in the field of"), attribute: "field of work" },
  { pattern: verb("works? in|worked in"), attribute: "place of work" },
  { pattern: verb("died in|died at|passed away in"), attribute: "place of death" },
  { pattern: verb("plays? the position of|plays? as an?"), attribute: "position" },
  { pattern: be("(?:an? )?(?:citizens?|nationals?) of"), attribute: "nationality" },
  { pattern: be("affiliated with the religion of|a follower of"), attribute: "religion" },
  { pattern: be("associated with the sport of"), attribute: "sport" },
  { pattern: be("(?:located|situated) in"), attribute: "location" },
  { pattern: be("(?:headquartered) in"), attribute: "headquarters" },
  { pattern: be("founded by|established by"), attribute: "founder" },
  { pattern: be("written by|authored by"), attribute: "author" },
  { pattern: be("written in the language of"), attribute: "original language" },
  { pattern: be("directed by"), attribute: "director" },
  { pattern: be("performed by"), attribute: "performer" },
  { pattern: be("created by|invented by"), attribute: "creator" },
  { pattern: be("developed by"), attribute: "developer" },
  { pattern: be("created in|founded in|established in"), attribute: "place of creation" },
  { pattern: be("called|named"), attribute: "name" },
  { pattern: verb("goes by|go by"), attribute: "nickname" },
  { pattern: verb("drives? an?|drove an?"), attribute: "car" },
  {
    pattern: new RegExp(
      `${WHO}${ADVERB} (?:has|have|had) (?<value>\\d+|no|one|two|three|four|five|six|seven|eight|nine|ten) (?<attribute>child(?:ren)?|kids?|sons?|daughters?|siblings?|brothers?|sisters?|cats?|dogs?|pets?)$`,
      "iu",
    ),
  },

  {
    pattern: verb(
      "likes?|liked|loves?|loved|enjoys?|enjoyed|adores?|adored|prefers?|preferred|appreciates?|liking",
    ),
    opinion: "positive",
  },
  {
    pattern: be("fond of|into|crazy about|a (?:big |huge )?fan of|keen on|passionate about"),
    opinion: "positive",
  },
  {
    pattern: who("(?: (?:can't|cannot|could not|couldn't)) (?:stand|bear)"),
    opinion: "negative",
  },
  {
    pattern: verb("hates?|hated|dislikes?|disliked|detests?|despises?|loathes?|fears?|avoids?"),
    opinion: "negative",
  },
  { pattern: be("afraid of|scared of|tired of|sick of|terrified of"), opinion: "negative" },
];
