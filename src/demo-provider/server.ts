import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { endpointOfPath } from "../contract/endpoints/by-path.ts";
import type { ModelEndpoint, ModelRoute } from "../contract/endpoints/endpoint.ts";
import { receiveBody, type ReceivedBody } from "./body.ts";
import { chatFormat } from "./chat-format.ts";
import { sendError, sendJson, type Reply } from "./exchange.ts";
import { embeddingsFormat } from "./embeddings-format.ts";
import { responsesFormat } from "./responses-format.ts";
import { countFormat, messagesFormat } from "./messages-format.ts";
import { modelListJson, models } from "./models.ts";
import { Outlet } from "./outlet.ts";
import { readRequest } from "./request.ts";
import type { WireFormat } from "./rendering.ts";

/** A provider of models on this machine that speaks both wires; see `startDemoProvider`. */
export interface DemoProvider {
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  readonly port: number;
  /** Cuts open connections and resolves when the port is free. */
  close(): Promise<void>;
}

export interface DemoProviderOptions {
  /** 0 or absent: a free port. */
  readonly port?: number;
  /** If set, a request with another credential, or without one, gets the provider's 401. */
  readonly credential?: string;
  /**
   * Models that behave like others, such as `echo` → `fault-500`. The map is read at every request,
   * so its owner may change it while the provider runs.
   */
  readonly aliases?: ReadonlyMap<string, string>;
  /** Called for every request when its body is complete, before the answer. */
  readonly onRequest?: (request: ReceivedRequest) => void;
}

/** A request exactly as it was received. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Name, value, name, value, …; in their original order and case. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

const formatOfRoute: Readonly<Record<ModelRoute, WireFormat>> = {
  chat: chatFormat,
  messages: messagesFormat,
  count_tokens: countFormat,
  embeddings: embeddingsFormat,
  responses: responsesFormat,
};

/**
 * Longer than the pool of any client keeps a connection, so that the provider never closes a
 * connection that a client still uses.
 */
const keepAliveTimeoutMs = 75_000;
/** Enough for 110 MB over a slow connection. */
const requestTimeoutMs = 600_000;
const headersBytesMax = 32 * 1024;

/**
 * Starts the built-in provider on loopback (design: Two commands). The models are in `models.ts`, the
 * parameters after their names in `parameters.ts`. The same request always gets the same answer, byte
 * for byte; only the request id in headers and errors differs. Rejects if the port is taken.
 */
export async function startDemoProvider(options: DemoProviderOptions = {}): Promise<DemoProvider> {
  let requestCount = 0;
  const server = createServer(
    {
      keepAliveTimeout: keepAliveTimeoutMs,
      requestTimeout: requestTimeoutMs,
      maxHeaderSize: headersBytesMax,
      noDelay: true,
    },
    (request, response) => {
      requestCount += 1;
      const requestId = `req_demo${requestCount.toString(16).padStart(16, "0")}`;
      serve(options, request, response, requestId).catch((error: unknown) => {
        process.emitWarning(error instanceof Error ? error : String(error));
        response.destroy();
      });
    },
  );
  const port = await listen(server, options.port ?? 0);
  return { origin: `http://127.0.0.1:${String(port)}`, port, close: () => close(server) };
}

async function serve(
  options: DemoProviderOptions,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<void> {
  const [path = ""] = (request.url ?? "").split("?", 1);
  const endpoint = endpointOfPath.get(path);
  const format = formatOfRoute[endpoint?.route ?? wireOfClient(request)];
  const reply: Reply = { format, outlet: new Outlet(response), requestId };
  const chunks: Buffer[] = [];
  const capture = options.onRequest === undefined ? null : (chunk: Buffer) => chunks.push(chunk);
  const body = await receiveBody(request, capture);
  if (body === null) return;
  options.onRequest?.({
    method: request.method ?? "",
    url: request.url ?? "",
    rawHeaders: request.rawHeaders,
    body: Buffer.concat(chunks),
  });
  if (options.credential !== undefined && !carries(request, options.credential)) {
    sendError(reply, { kind: "authentication", message: "Incorrect API key provided." });
  } else if (endpoint !== undefined && request.method === "POST") {
    if (body.ok) await answer(options, endpoint, request, body.value, reply);
    else sendError(reply, body.error, connectionAfter(body.error.kind));
  } else if (path === "/v1/models" && request.method === "GET") {
    sendJson(reply, 200, modelListJson);
  } else {
    const message = `Unknown request URL: ${request.method ?? ""} ${path}`;
    sendError(reply, { kind: "not_found", message });
  }
}

async function answer(
  options: DemoProviderOptions,
  endpoint: ModelEndpoint,
  incoming: IncomingMessage,
  body: ReceivedBody,
  reply: Reply,
): Promise<void> {
  const read = readRequest(endpoint, body);
  if (!read.ok) {
    sendError(reply, read.error);
    return;
  }
  const model = options.aliases?.get(read.value.model) ?? read.value.model;
  const behaviour = models.get(model);
  if (behaviour === undefined) {
    const message = `The model \`${model}\` does not exist or you do not have access to it.`;
    sendError(reply, { kind: "not_found", message });
    return;
  }
  const { headersDelayMs } = read.value.parameters;
  if (headersDelayMs > 0) await reply.outlet.pause(headersDelayMs);
  if (reply.outlet.gone) return;
  const acceptEncoding = incoming.headers["accept-encoding"] ?? "";
  const request = model === read.value.model ? read.value : { ...read.value, model };
  await behaviour({ ...reply, request, acceptEncoding });
}

/** On paths that belong to no wire, only Anthropic's clients send this header. */
function wireOfClient(request: IncomingMessage): ModelRoute {
  return request.headers["anthropic-version"] === undefined ? "chat" : "messages";
}

function carries(request: IncomingMessage, credential: string): boolean {
  const { authorization } = request.headers;
  return authorization === `Bearer ${credential}` || request.headers["x-api-key"] === credential;
}

/**
 * An upload that is cut short leaves bytes on the connection, which must not be read as a request.
 */
function connectionAfter(kind: string): readonly string[] {
  return kind === "request_too_large" ? ["connection", "close"] : [];
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}
