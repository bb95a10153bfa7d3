/** What is a model asked? Every task by its name. One file, one line: `<name>.ts` with dashes defines `<name>` with underscores. */
import { MemoryError } from "../base/errors.ts";
import { validNames } from "../base/nearest-name.ts";
import { analyseQuery } from "./analyse-query.ts";
import { answer } from "./answer.ts";
import { canAnswer } from "./can-answer.ts";
import { checkCompleteness } from "./check-completeness.ts";
import { compressDialogue } from "./compress-dialogue.ts";
import { decideCrud } from "./decide-crud.ts";
import { decomposeQuery } from "./decompose-query.ts";
import { detectConflict } from "./detect-conflict.ts";
import { distil } from "./distil.ts";
import { evolveNote } from "./evolve-note.ts";
import { expandQuery } from "./expand-query.ts";
import { extractEntities } from "./extract-entities.ts";
import { extractFacts } from "./extract-facts.ts";
import { extractKeywords } from "./extract-keywords.ts";
import { extractNewFacts } from "./extract-new-facts.ts";
import { extractPersona } from "./extract-persona.ts";
import { extractTriples } from "./extract-triples.ts";
import { filterFacts } from "./filter-facts.ts";
import { gateMemory } from "./gate-memory.ts";
import { judgeContinuity } from "./judge-continuity.ts";
import { judgeMemories } from "./judge-memories.ts";
import { mergePortraits } from "./merge-portraits.ts";
import { missingQueries } from "./missing-queries.ts";
import { planInformation } from "./plan-information.ts";
import { reflectInsights } from "./reflect-insights.ts";
import { reflectQuestions } from "./reflect-questions.ts";
import { rewriteQuery } from "./rewrite-query.ts";
import { scoreEmotion } from "./score-emotion.ts";
import { scoreImportance } from "./score-importance.ts";
import { segmentTopics } from "./segment-topics.ts";
import { summarize } from "./summarize.ts";
import { summarizeChain } from "./summarize-chain.ts";
import { summarizeDay } from "./summarize-day.ts";
import { summarizeSession } from "./summarize-session.ts";
import { targetedQueries } from "./targeted-queries.ts";
import type { Task } from "./task.ts";
import { themes } from "./themes.ts";
import { updateProfile } from "./update-profile.ts";
import { writeNote } from "./write-note.ts";

export { openPrompts, type PromptLibrary } from "./prompt-library.ts";
export { runTask, type TaskOptions, type TaskResult, type TaskWarning } from "./run-task.ts";
export { defineTask, type Task, type TaskLanguage } from "./task.ts";

export const TASKS = {
  extract_facts: extractFacts,
  extract_new_facts: extractNewFacts,
  extract_triples: extractTriples,
  extract_entities: extractEntities,
  extract_keywords: extractKeywords,
  extract_persona: extractPersona,
  compress_dialogue: compressDialogue,
  judge_memories: judgeMemories,
  write_note: writeNote,
  evolve_note: evolveNote,
  segment_topics: segmentTopics,
  judge_continuity: judgeContinuity,
  themes,
  summarize,
  summarize_chain: summarizeChain,
  summarize_day: summarizeDay,
  summarize_session: summarizeSession,
  merge_portraits: mergePortraits,
  update_profile: updateProfile,
  distil,
  decide_crud: decideCrud,
  detect_conflict: detectConflict,
  score_importance: scoreImportance,
  score_emotion: scoreEmotion,
  reflect_questions: reflectQuestions,
  reflect_insights: reflectInsights,
  filter_facts: filterFacts,
  plan_information: planInformation,
  targeted_queries: targetedQueries,
  analyse_query: analyseQuery,
  rewrite_query: rewriteQuery,
  expand_query: expandQuery,
  decompose_query: decomposeQuery,
  gate_memory: gateMemory,
  can_answer: canAnswer,
  check_completeness: checkCompleteness,
  missing_queries: missingQueries,
  answer,
} as const satisfies Readonly<Record<string, Task>>;

export type TaskName = keyof typeof TASKS;

/** By a name that somebody wrote. */
export function taskNamed(name: string): Task {
  const found = Object.entries(TASKS).find(([known]) => known === name);
  if (found === undefined) {
    throw new MemoryError(
      "unknown_name",
      `There is no task "${name}". ${validNames(name, Object.keys(TASKS))}`,
    );
  }
  return found[1];
}
