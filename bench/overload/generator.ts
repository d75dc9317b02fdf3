// Load and provider in one process on one core, so that the gateway has the other core for itself.
// Its parent sends it commands; see `Command`.
import uws from "uWebSockets.js";
import { UniqueText, uniqueMark } from "../macro/generator/request.ts";
import { Connections } from "./connections.ts";
import { runPhase } from "./open-loop.ts";
import type { Command, Reply } from "./phase.ts";

const connectionsMax = 8_192;
/** The prompt is new each time, so that the gateway has to scan it. */
const prompt = `Note ${uniqueMark}: What is the capital of France, and how many people live there?`;

const requestBody = JSON.stringify({
  model: "p/m",
  max_tokens: 100,
  messages: [
    { role: "system", content: "You are a helpful assistant." },
    { role: "user", content: prompt },
  ],
});

const answerBody = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_767_225_600,
  model: "m",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "Paris, where some two million people live." },
      finish_reason: "stop",
    },
  ],
  usage: { prompt_tokens: 24, completion_tokens: 9, total_tokens: 33 },
});

let connections: Connections | null = null;

function say(reply: Reply): void {
  process.send?.(reply);
}

uws
  .App()
  .any("/*", (res) => {
    res.onAborted(() => undefined);
    res.onData((_chunk, isLast) => {
      if (!isLast) return;
      res.cork(() => {
        res.writeHeader("content-type", "application/json");
        res.end(answerBody);
      });
    });
  })
  .listen("127.0.0.1", 0, (socket) => {
    if (socket === false) throw new Error("the provider found no port");
    say({ name: "provider", origin: `http://127.0.0.1:${uws.us_socket_local_port(socket)}` });
  });

process.on("message", (command: Command) => {
  if (command.name === "target") {
    const { host, port } = new URL(command.url);
    const head = [
      "POST /v1/chat/completions HTTP/1.1",
      `host: ${host}`,
      "content-type: application/json",
      `content-length: ${Buffer.byteLength(requestBody)}`,
      ...command.headers,
    ];
    const request = new UniqueText(`${head.join("\r\n")}\r\n\r\n${requestBody}`);
    connections = new Connections(Number(port), request, connectionsMax);
    return;
  }
  if (connections === null) throw new Error("there is no target yet");
  void runPhase(command.phase, connections).then((result) => say({ name: "result", result }));
});

process.on("disconnect", () => process.exit(0));
