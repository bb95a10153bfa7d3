import { expect, test } from "vitest";
import { stem } from "./stem.ts";

/** From the published description's own sample vocabulary and exception lists. */
const EXPECTED = `consign consign consigned consign consigning consign consignment consign consist consist
  consisted consist consistency consist consistent consist consistently consist consolation consol consolations consol
  consolatory consolatori console consol knack knack knackeries knackeri knaves knave knavish knavish kneaded knead
  kneading knead knee knee kneel kneel kneeled kneel kneels kneel knees knee knell knell generate generat general general
  communism communism community communiti skies sky dying die news news proceed proceed sensational sensat
  hopeful hope hopefulness hope relational relat conditional condit digitizer digit happy happi cries cri ties tie
  gas gas gaps gap kiwis kiwi yes yes say say hoping hope hopping hop falling fall singing sing sing sing agreed agre
  luxuriated luxuri possibly possibl analogously analog probate probat rate rate roll roll controlling control
  adoption adopt replacement replac by by`
  .trim()
  .split(/\s+/);

test("stems follow the published algorithm", () => {
  const pairs = Array.from({ length: EXPECTED.length / 2 }, (_, i) => [
    EXPECTED[2 * i]!,
    EXPECTED[2 * i + 1]!,
  ]);
  expect(pairs.map(([word]) => [word, stem(word!)])).toEqual(pairs);
});
