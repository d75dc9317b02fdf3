import type { Bench } from "../bench.ts";
import type { Part } from "../figure-book.ts";

/** Notes a value of one load and subject. `what` is the part of the id that names the figure. */
export type Note = (
  what: string,
  label: string,
  unit: string,
  value: number,
  better?: "lower" | "higher",
) => void;

/**
 * Runs one load with one subject. An exception is noted as the subject's failure, and the load is
 * not tried again with this subject.
 */
export async function attempt(
  { book }: Pick<Bench, "book">,
  part: Part,
  run: (note: Note) => Promise<void>,
): Promise<void> {
  if (book.hasFailed(part)) return;
  try {
    await run((what, label, unit, value, better = "lower") =>
      book.add(part, { what, label, unit, value, better }),
    );
  } catch (error) {
    book.fail(part, error instanceof Error ? error.message : String(error));
  }
}
