import type { RecordFilter } from "./filter.ts";
import type { Answers, Question } from "./question.ts";

/** What the read model's process is told. */
export type ToReadModel =
  | {
      readonly kind: "ask";
      readonly id: number;
      /** Whose question it is: each has one answered at a time. */
      readonly caller: string;
      /** The log's events below must be in the tables first. */
      readonly reach: number;
      readonly question: Question;
    }
  /** The asker has left. */
  | { readonly kind: "leave"; readonly id: number }
  /** Asks to be told of new records from a place of the log on, until `untail`. */
  | {
      readonly kind: "tail";
      readonly id: number;
      readonly filter: RecordFilter;
      readonly from: number;
    }
  | { readonly kind: "untail"; readonly id: number }
  | { readonly kind: "end" };

/** Why a question has no answer. */
export type Unable =
  /** The tables don't have yet what was recorded before the question. */
  | "behind"
  /** It took too long. */
  | "late"
  /** Too many wait. */
  | "busy"
  /** The file can't be read, or the question needs more memory than there is. */
  | "failed";

/** What the process tells. */
export type FromReadModel =
  | { readonly kind: "answer"; readonly id: number; readonly answer: Answers[Question["kind"]] }
  | { readonly kind: "unable"; readonly id: number; readonly why: Unable }
  | ReadModelState
  | ({ readonly kind: "tail"; readonly id: number } & NewRecords)
  /** Prose for the operator; nothing of a request is in it. */
  | { readonly kind: "trouble"; readonly message: string }
  | { readonly kind: "ended" };

/** Records that were appended: those that are told, oldest first, and how many more there were. */
export interface NewRecords {
  readonly rows: readonly { readonly index: number; readonly json: string }[];
  readonly skipped: number;
}

/** How far the tables have followed the log; told when it changes, at most every `recordsProgressMs` or so. */
export interface ReadModelState {
  readonly kind: "state";
  readonly done: number;
  readonly total: number;
  /** So far behind that questions don't wait for it. */
  readonly rebuilding: boolean;
}
