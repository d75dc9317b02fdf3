/** Waits that have an end, and say what they waited for. */

export function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Rejects with what it waited for, and with what `state` tells then, if `work` takes longer than `ms`. */
export async function bounded<T>(
  what: string,
  ms: number,
  work: Promise<T>,
  state: () => Promise<string> = () => Promise.resolve(""),
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => (timer = setTimeout(() => resolve("late"), ms)));
  const done = work.then((value) => ({ value }));
  try {
    const first = await Promise.race([done, late]);
    if (first !== "late") return first.value;
    // What comes of it is of no interest any more.
    done.catch(() => undefined);
    throw new Error(`${what}: not over after ${ms} ms\n${await state()}`);
  } finally {
    clearTimeout(timer);
  }
}

/** Asks until the answer is true. Rejects with what it waited for, and with the last answer. */
export async function until(
  what: string,
  msMax: number,
  isSo: () => Promise<true | string>,
  state: () => Promise<string> = () => Promise.resolve(""),
): Promise<void> {
  const endMs = performance.now() + msMax;
  for (;;) {
    const answer = await isSo();
    if (answer === true) return;
    if (performance.now() > endMs) {
      throw new Error(`${what}: not so after ${msMax} ms: ${answer}\n${await state()}`);
    }
    await passed(50);
  }
}
