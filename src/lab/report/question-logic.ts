/**
 * Which questions does the page list for two runs, and how do the runs compare on them? The part of the page's script that
 * touches no page: it runs in a browser, and in a test without one.
 */
export const QUESTION_LOGIC = String.raw`
function compareQuestions(group, a, b, wanted) {
  const of = (run) => new Map(group.runs[run].lines.map((line) => [line.q, line]));
  const [left, right] = [of(a), of(b)];
  const search = wanted.search.trim().toLowerCase();
  const texts = (line) => (line ? [line.a || "", ...line.h.map(([memory]) => group.memories[memory][1])] : []);
  const rows = [];
  const counted = [];
  group.questions.forEach((question, q) => {
    const [x, y] = [left.get(q), right.get(q)];
    if (!x && !y) return;
    if (wanted.category !== "" && question.category !== wanted.category) return;
    const values = [x, y].map((line) => (line ? line.m[wanted.measure] : null));
    counted.push({ question, values });
    if (wanted.differing && values[0] === values[1]) return;
    if (search !== "") {
      const inside = [question.id, question.case, question.text, ...question.answers, ...texts(x), ...texts(y)];
      if (!inside.join("\n").toLowerCase().includes(search)) return;
    }
    rows.push({ q, question, a: x, b: y, values });
  });
  return { rows, ...totals(counted) };
}

// Over the whole category: a mean of those that differ, or of those that hold a word, would say nothing of the runs.
function totals(counted) {
  const both = counted.filter(({ values, question }) => !question.abstains && values[0] !== null && values[1] !== null);
  const mean = (side) => (both.length === 0 ? null : both.reduce((sum, { values }) => sum + values[side], 0) / both.length);
  return {
    compared: both.length,
    gains: both.filter(({ values }) => values[1] > values[0]).length,
    losses: both.filter(({ values }) => values[1] < values[0]).length,
    means: [mean(0), mean(1)],
  };
}

function textsOfRefs(group) {
  const known = new Map();
  for (const { lines } of group.runs) {
    for (const { q, h } of lines) {
      for (const [memory] of h) {
        const [refs, text] = group.memories[memory];
        const key = group.questions[q].case + "\n" + refs[0];
        if (refs.length === 1 && !known.has(key)) known.set(key, text);
      }
    }
  }
  return known;
}
`;
