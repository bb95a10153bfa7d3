import fc from "fast-check";
import { expect, test } from "vitest";
import { EMOTIONS, type Emotion } from "./emotion.ts";
import { emotionVector, scoreEmotions } from "./emotions.ts";

/** Any UTF-16 unit, halves of pairs among them. */
const CODE_UNIT = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));

test.each<[string, Emotion]>([
  ["I am so happy, we had such fun!", "joy"],
  ["Thank you for your support, I trust you.", "acceptance"],
  ["I was scared and nervous in the dark.", "fear"],
  ["Wow, that was totally unexpected!", "surprise"],
  ["I cried all day, I miss her so much.", "sadness"],
  ["That smell is disgusting and gross.", "disgust"],
  ["I'm furious, he insulted me and we had a fight.", "anger"],
  ["We are planning a trip and I hope it comes soon.", "anticipation"],
  ["今天好开心，太好玩了", "joy"],
  ["谢谢你的支持和陪伴", "acceptance"],
  ["晚上一个人我很害怕", "fear"],
  ["天哪，真没想到，居然是他", "surprise"],
  ["她难过得哭了", "sadness"],
  ["真恶心，太脏了", "disgust"],
  ["他气死我了，我们吵架了", "anger"],
  ["我期待着明天的旅行，打算早点准备", "anticipation"],
  ["我們非常開心", "joy"],
])("%s shows %s most", (text, expected) => {
  const scores = scoreEmotions(text);
  const strongest = EMOTIONS.reduce((best, emotion) => (scores[emotion] > scores[best] ? emotion : best));
  expect(strongest, JSON.stringify(scores)).toBe(expected);
});

test("a negated feeling counts for its opposite", () => {
  expect(scoreEmotions("I am not happy")).toMatchObject({ joy: 0 });
  expect(scoreEmotions("I am not happy").sadness).toBeGreaterThan(0);
  expect(scoreEmotions("我不害怕")).toMatchObject({ fear: 0 });
});

test("a text without feeling is all zeros, and a vector of ones on the ten-point scale", () => {
  expect(emotionVector(scoreEmotions("The train has six cars."))).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
});

test("law: every score lies from 0 to below 1", () => {
  fc.assert(
    fc.property(fc.string({ unit: CODE_UNIT }), (text) => {
      for (const score of Object.values(scoreEmotions(text))) {
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThan(1);
      }
    }),
    { numRuns: 50 },
  );
});
