import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ReceivedRequest } from "../../src/demo-provider/server.ts";

export interface Recorder {
  readonly origin: string;
  readonly port: number;
  /** The received requests, byte for byte. */
  readonly received: ReceivedRequest[];
  /** Connections that were opened to it. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** An upstream that records its requests and answers as given; by default with 200 and `{}`. */
export async function startRecorder(
  answer?: (request: ReceivedRequest, response: ServerResponse) => void,
): Promise<Recorder> {
  const received: ReceivedRequest[] = [];
  let connections = 0;
  const server = createServer((incoming, response) => {
    readAll(incoming).then(
      (body) => {
        const { method = "", url = "", rawHeaders } = incoming;
        const request = { method, url, rawHeaders, body };
        received.push(request);
        if (answer === undefined) response.setHeader("content-type", "application/json").end("{}");
        else answer(request, response);
      },
      () => response.destroy(),
    );
  });
  server.on("connection", () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    received,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
