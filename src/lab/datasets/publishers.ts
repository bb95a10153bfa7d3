/** What does a file of each kind hold, and where is it published? Said whenever one cannot be read. */
import type { DatasetKind } from "../dataset.ts";

interface Publisher {
  /** The files of a spec, in order. */
  readonly files: string;
  readonly holds: string;
  readonly from: string;
}

export const PUBLISHERS: Readonly<Record<DatasetKind, Publisher>> = {
  locomo: {
    files: "locomo=CONVERSATIONS[,AUDIT]",
    holds:
      "a list of conversations, each with sample_id, conversation (session_1, a list of turns with speaker, dia_id and text; session_1_date_time; …) and qa (question, answer, evidence, category)",
    from: "LoCoMo, data/locomo10.json of https://github.com/snap-research/locomo; the audit, https://github.com/dial481/locomo-audit",
  },
  longmemeval: {
    files: "longmemeval=QUESTIONS",
    holds:
      "a list of questions, each with question_id, question_type, question, answer, question_date, haystack_dates, haystack_session_ids, haystack_sessions and answer_session_ids",
    from: "LongMemEval, https://huggingface.co/datasets/xiaowu0162/longmemeval-cleaned",
  },
  multihop: {
    files: "multihop=QUESTIONS[,CORPUS[,OPENIE]]",
    holds:
      "a list of questions, each with question, answer and paragraphs (MuSiQue) or supporting_facts and context (HotpotQA, 2WikiMultihopQA); the corpus, a list of { title, text } or an object title → sentences; the recording, { docs } with passage, extracted_entities and extracted_triples",
    from: "reproduce/dataset of https://github.com/OSU-NLP-Group/HippoRAG (MuSiQue, HotpotQA and 2WikiMultihopQA with their corpora)",
  },
  factconsolidation: {
    files: "factconsolidation=LISTS",
    holds:
      "a list, each with context (numbered facts, one in a line), questions, answers and metadata.source (factconsolidation_sh_6k, …)",
    from: "MemoryAgentBench, split Conflict_Resolution of https://huggingface.co/datasets/ai-hyz/MemoryAgentBench, as JSON",
  },
  realmem: {
    files: "realmem=PERSON[,PERSON…] or realmem=FOLDER",
    holds:
      "an object with _metadata.person_name and dialogues, each with session_uuid, current_time, dialogue_turns and extracted_memory",
    from: "RealMem, dataset of https://github.com/AvatarMemory/RealMemBench",
  },
};
