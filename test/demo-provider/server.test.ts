import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import { startDemoProvider, type ReceivedRequest } from "../../src/demo-provider/server.ts";
import { keptBytes } from "../support/kept-bytes.ts";
import { ask, askBody, member, pathOf, post, textOf, wires, withProvider } from "./wire-client.ts";

const MiB = 1024 * 1024;

describe("requests", () => {
  test("are shown exactly as they came", () => {
    const shown: ReceivedRequest[] = [];
    return withProvider({ onRequest: (request) => shown.push(request) }, async (provider) => {
      const body = `{"model":"echo" , "max_tokens":1e1,"messages":[{"role":"user","content":"\\u0061"}]}`;
      const socket = connect(provider.port, "127.0.0.1");
      socket.write(
        `POST /v1/messages?beta=true HTTP/1.1\r\nHost: a\r\nX-B: 1\r\nx-b: 2\r\n` +
          `Connection: close\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`,
      );
      let answer = "";
      for await (const chunk of socket) answer += String(chunk);
      expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n/);
      expect(shown).toEqual([
        {
          method: "POST",
          url: "/v1/messages?beta=true",
          rawHeaders: [
            ...["Host", "a", "X-B", "1", "x-b", "2"],
            ...["Connection", "close", "Content-Length", String(body.length)],
          ],
          body: Buffer.from(body),
        },
      ]);
    });
  });

  test("100 MiB arrive, and the answer is their hash", () =>
    withProvider({}, async (provider) => {
      const url = `data:image/png;base64,${randomBytes(75 * MiB).toString("base64")}`;
      const part = { type: "image_url", image_url: { url } };
      const messages = [{ role: "user", content: [part] }];
      // The model stands last, as it may: until it is known, the bytes are hashed.
      const body = Buffer.from(JSON.stringify({ messages, max_tokens: 100, model: "echo-hash" }));
      expect(body.length).toBeGreaterThan(100 * MiB);
      const received = await post(provider.origin, pathOf.chat, body);
      const hash = createHash("sha256").update(body).digest("hex");
      expect(textOf("chat", received)).toBe(hash);
    }));

  test("beyond 110 MiB are refused while they are sent", () =>
    withProvider({}, async (provider) => {
      const { status, body } = await new Promise<{ status: number; body: string }>(
        (resolve, reject) => {
          const call = httpRequest(provider.origin + pathOf.messages, {
            method: "POST",
            agent: false,
          });
          call.on("error", reject);
          call.on("response", (response) => {
            void collected(response).then((text) => {
              resolve({ status: response.statusCode ?? 0, body: text });
            });
          });
          // One byte more than allowed, and no end: the answer does not wait for it.
          const chunk = Buffer.alloc(MiB, 0x20);
          for (let sent = 0; sent < 110; sent += 1) call.write(chunk);
          call.write(" ");
        },
      );
      expect(status).toBe(413);
      expect(member(JSON.parse(body))("error", "type")).toBe("request_too_large");
    }));

  test("of a client that leaves within its upload are forgotten", () =>
    withProvider({ onRequest: () => expect.unreachable() }, async (provider) => {
      const socket = connect(provider.port, "127.0.0.1");
      await once(socket, "connect");
      socket.write("POST /v1/messages HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{");
      socket.destroy();
      await once(socket, "close");
    }));
});

describe("routes", () => {
  test.each([
    ["GET", "/v1/models", 200],
    ["POST", "/v1/models", 404],
    ["GET", "/v1/messages", 404],
    ["GET", "/", 404],
    ["POST", "/v1/images/generations", 404],
  ])("%s %s: %i", (method, path, status) =>
    withProvider({}, async (provider) => {
      const response = await fetch(provider.origin + path, { method });
      expect(response.status).toBe(status);
      const body = member(await response.json());
      expect(body(status === 200 ? "object" : "error")).toBeDefined();
    }),
  );

  test.each(wires)("%s: a credential is asked for where one is set", (wire) =>
    withProvider({ credential: "right" }, async (provider) => {
      const header = wire === "chat" ? "authorization" : "x-api-key";
      const value = (credential: string) => (wire === "chat" ? "Bearer " : "") + credential;
      const statusWith = async (headers: Record<string, string>) =>
        (await ask(provider, wire, "echo", {}, headers)).status;
      expect(await statusWith({ [header]: value("right") })).toBe(200);
      expect(await statusWith({ [header]: value("wrong") })).toBe(401);
      expect(await statusWith({})).toBe(401);
    }),
  );

  test("an alias behaves like another model, and may change while the provider runs", () => {
    const aliases = new Map([["echo", "fault-500"]]);
    return withProvider({ aliases }, async (provider) => {
      expect((await ask(provider, "chat", "echo?tokens=3")).status).toBe(500);
      aliases.delete("echo");
      expect((await ask(provider, "chat", "echo?tokens=3")).status).toBe(200);
    });
  });
});

describe("answers", () => {
  test.each(wires)("%s: headers and tokens come as late as they are asked to", (wire) =>
    withProvider({}, async (provider) => {
      for (const [model, stream, waitsMs] of [
        ["echo?headers_delay_ms=60", false, 60],
        ["echo?headers_delay_ms=60", true, 60],
        ["echo?tokens=6&delay_ms=10", false, 60],
        ["echo?tokens=6&delay_ms=10", true, 60],
      ] as const) {
        const startedAtMs = performance.now();
        const received = await ask(provider, wire, model, { stream });
        // Timers may fire up to a millisecond early; no upper bound, for the machine may be busy.
        expect(performance.now() - startedAtMs).toBeGreaterThan(waitsMs - 8);
        if (stream && model.includes("tokens")) expect(received.chunkCount).toBeGreaterThan(3);
      }
    }),
  );

  test.each(wires)("%s: 50 MB to a slow reader are whole and cost no memory", (wire) =>
    withProvider({}, async (provider) => {
      const model = "echo?tokens=50000&token_bytes=1000";
      const extra = { stream: true, max_tokens: 60_000 };
      const call = httpRequest(provider.origin + pathOf[wire], { method: "POST", agent: false });
      call.end(JSON.stringify(askBody(wire, model, extra)));
      const [response] = (await once(call, "response")) as [IncomingMessage];
      // The reader has stopped. What the provider makes regardless would pile up in this process.
      const before = keptBytes();
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(keptBytes() - before).toBeLessThan(16 * MiB);
      let bytes = 0;
      const hash = createHash("sha256");
      for await (const chunk of response as AsyncIterable<Buffer>) {
        hash.update(chunk);
        bytes += chunk.length;
      }
      expect(bytes).toBeGreaterThan(50_000_000);
      const again = await ask(provider, wire, model, extra);
      expect(hash.digest("hex")).toBe(createHash("sha256").update(again.body).digest("hex"));
    }),
  );

  test("1,000 requests go through one connection", () =>
    withProvider({}, async (provider) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const ports = new Set<unknown>();
      for (let count = 0; count < 1_000; count += 1) {
        const call = httpRequest(provider.origin + pathOf.chat, { method: "POST", agent });
        call.end(JSON.stringify(askBody("chat", "echo", { stream: count % 2 === 0 })));
        const [response] = (await once(call, "response")) as [IncomingMessage];
        ports.add(response.socket.localPort);
        await collected(response);
      }
      agent.destroy();
      expect(ports.size).toBe(1);
    }));
});

describe("the process", () => {
  test("close cuts what is open and frees the port", async () => {
    const provider = await startDemoProvider();
    const stalled = ask(provider, "chat", "fault-stall", { stream: true });
    const silent = ask(provider, "chat", "fault-stall-headers").catch(() => "reset");
    const slow = ask(provider, "chat", "echo?tokens=9&delay_ms=600000", { stream: true });
    await ask(provider, "chat", "echo");
    await provider.close();
    expect((await stalled).end).toBe("reset");
    expect(await silent).toBe("reset");
    expect((await slow).end).toBe("reset");
    const next = await startDemoProvider({ port: provider.port });
    expect(next.port).toBe(provider.port);
    await expect(startDemoProvider({ port: next.port })).rejects.toThrow(/EADDRINUSE/);
    await next.close();
  });

  test("runs on its own, prints its origin and ends at SIGTERM", async () => {
    const child = spawn(process.execPath, ["src/demo-provider/cli.ts", "--port", "0"]);
    onTestFinished(() => void child.kill("SIGKILL"));
    const [origin] = (await once(createInterface(child.stdout), "line")) as [string];
    expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${origin}/v1/models`)).status).toBe(200);
    // An open stream's timer must not keep the process.
    const model = "echo?tokens=9&delay_ms=600000";
    const body = JSON.stringify(askBody("chat", model, { stream: true }));
    await fetch(origin + pathOf.chat, { method: "POST", body });
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});

async function collected(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response) text += String(chunk);
  return text;
}
