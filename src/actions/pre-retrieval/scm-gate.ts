/** Does this question need memory at all (S0-37)? Where not, nothing is looked for (B.0.9, 2). After SCM. */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import { gateMemory } from "../../tasks/gate-memory.ts";

export const scmGate = defineAction({
  stage: "pre_retrieval",
  name: "scm_gate",
  summary: "Looks nothing up for a question that needs no memory.",
  options: z.strictObject({
    prompt: z.string().min(1).describe("Prompt of the task gate_memory."),
  }),
  claims: ({ prompt }) => ({ prompts: [{ task: gateMemory, prompt }] }),
  async run(question, { think, note }, { prompt }) {
    const { needs_memory, reason } = await think(gateMemory, { question: question.text }, prompt);
    note("needs_memory", needs_memory);
    note("reason", reason);
    if (needs_memory) return question;
    return { ...question, skip: `scm_gate: no memory is needed${reason === "" ? "" : ` (${reason})`}` };
  },
});
