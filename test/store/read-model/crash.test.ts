import { expect, test } from "vitest";
import type { FromReadModel } from "../../../src/store/read-model/messages.ts";
import { ReadModelServer } from "../../../src/store/read-model/server.ts";
import { attackTimeoutMs, rounds, type Attack } from "../../support/rounds.ts";
import { ChildProgram } from "../child-program.ts";
import { temporaryDirectory } from "../temporary-store.ts";
import { debitLine, requestLine, TestLog } from "./log.ts";

const attack: Attack = { roundsMin: 3, roundsMax: 60, share: 0.05 };

test(
  "after kill -9 the records equal the log, by count and by sum",
  async () => {
    const directory = temporaryDirectory();
    const log = new TestLog();
    const grow = (requests: number): void => {
      for (let i = log.size / 2; i < requests; i += 1) log.lines.push(requestLine(i), debitLine(i));
    };
    grow(200);
    for (const round of rounds(attack)) {
      const program = new ChildProgram("follow-log", [directory, String(log.size / 2)]);
      for (let answers = (round * 7) % 23; answers >= 0; answers -= 1) await program.line();
      await program.kill();
      // More than the program adds to its log, so that nothing of its file is of another log.
      grow(log.size / 2 + 5_000);
      expect(JSON.parse(await breakdown(directory, log))).toMatchObject([
        { requests: log.size / 2, tokens: (log.size / 2) * 922, errors: 0 },
      ]);
    }
  },
  attackTimeoutMs(attack, 20_000),
);

/** What a server answers that takes the file up; it must not make it anew. */
async function breakdown(directory: string, log: TestLog): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const { promise: ended, resolve: hasEnded } = Promise.withResolvers<null>();
  const tell = (message: FromReadModel): void => {
    if (message.kind === "answer") resolve(message.answer as string);
    if (message.kind === "trouble") reject(new Error(message.message));
    if (message.kind === "unable") reject(new Error(message.why));
    if (message.kind === "ended") hasEnded(null);
  };
  const server = new ReadModelServer({ directory, log, freeBytes: () => Infinity, tell });
  server.start();
  server.receive({
    kind: "ask",
    id: 1,
    caller: "c",
    reach: log.size,
    question: { kind: "breakdown", filter: {}, groupBy: "model", groupsMax: 5 },
  });
  try {
    return await promise;
  } finally {
    server.receive({ kind: "end" });
    await ended;
  }
}
