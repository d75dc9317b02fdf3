// Follows a log that grows by at most 4,000 requests, and prints its answers; to be killed.
import { ReadModelServer } from "../../../src/store/read-model/server.ts";
import { debitLine, requestLine, TestLog } from "../read-model/log.ts";

const [directory = "", lines = "0"] = process.argv.slice(2);
const log = new TestLog();
for (let i = 0; i < Number(lines); i += 1) log.lines.push(requestLine(i), debitLine(i));
const server = new ReadModelServer({
  directory,
  log,
  freeBytes: () => Infinity,
  tell: (message) => {
    if (message.kind === "answer") console.log(`answer ${message.id}`);
  },
});
server.start();
const requestsMax = Number(lines) + 4_000;
// Each question makes it follow at once, a few events at a time.
for (let id = 1; ; id += 1) {
  for (let i = 0; i < 50 && log.lines.length / 2 < requestsMax; i += 1) {
    const number = log.lines.length / 2;
    log.lines.push(requestLine(number), debitLine(number));
  }
  const question = { kind: "records", filter: {}, before: null, limit: 1 } as const;
  server.receive({ kind: "ask", id, caller: "c", reach: log.size, question });
  await new Promise((resolve) => setTimeout(resolve, 5));
}
