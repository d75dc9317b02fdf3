import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FaultyLink } from "./faulty-link.ts";

let link: FaultyLink;
/** The server's ends of the connections. It sends back what it is sent, in capitals. */
let accepted: Socket[];
const echo = createServer((socket) => {
  accepted.push(socket);
  socket.on("error", () => undefined);
  socket.on("data", (bytes: Buffer) => socket.write(bytes.toString().toUpperCase()));
});

beforeEach(async () => {
  accepted = [];
  if (!echo.listening) await once(echo.listen(0, "127.0.0.1"), "listening");
  link = await FaultyLink.start((echo.address() as AddressInfo).port);
});

afterEach(async () => {
  await link.close();
  for (const socket of accepted) socket.destroy();
});

interface Caller {
  readonly socket: Socket;
  /** What was received so far. */
  readonly got: () => string;
  /** How the connection ended. */
  readonly ended: () => string | null;
}

async function call(): Promise<Caller> {
  const socket = connect(link.port, "127.0.0.1");
  const connected = once(socket, "connect").catch(() => undefined);
  const seen: { got: string; ended: string | null } = { got: "", ended: null };
  socket.on("data", (bytes: Buffer) => (seen.got += bytes.toString()));
  socket.on("end", () => (seen.ended ??= "end"));
  socket.on("error", (error: NodeJS.ErrnoException) => (seen.ended ??= error.code ?? "error"));
  await connected;
  return { socket, got: () => seen.got, ended: () => seen.ended };
}

async function acceptedOne(): Promise<Socket> {
  await expect.poll(() => accepted.length).toBe(1);
  const [socket] = accepted;
  if (socket === undefined) throw new Error("nothing was accepted");
  return socket;
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

test("what is sent arrives, in both directions, as often and as large as it is", async () => {
  const { socket, got, ended } = await call();
  const much = "x".repeat(5_000_000);
  socket.write(much);
  await expect.poll(() => got().length).toBe(much.length);
  socket.write("ä");
  await expect.poll(got).toBe(`${much.toUpperCase()}Ä`);
  accepted[0]?.end("bye");
  await expect.poll(ended).toBe("end");
  expect(got().slice(-3)).toBe("bye");
});

test("a cut resets what is there, and nothing new", async () => {
  const first = await call();
  first.socket.write("a");
  await expect.poll(first.got).toBe("A");
  expect(link.connections).toBe(1);
  link.cut();
  await expect.poll(first.ended).toBe("ECONNRESET");
  await expect.poll(() => accepted[0]?.destroyed).toBe(true);
  const second = await call();
  second.socket.write("b");
  await expect.poll(second.got).toBe("B");
});

test("a link that refuses resets what is new until it heals", async () => {
  link.refuse();
  const refused = await call();
  await expect.poll(refused.ended).toBe("ECONNRESET");
  expect(accepted).toEqual([]);
  link.heal();
  const { socket, got } = await call();
  socket.write("a");
  await expect.poll(got).toBe("A");
});

test("a link that stalls carries nothing, tells nobody, and then carries everything", async () => {
  const { socket, got, ended } = await call();
  socket.write("a");
  await expect.poll(got).toBe("A");
  link.stall();
  socket.write("b");
  accepted[0]?.write("c");
  const late = await call();
  late.socket.write("d");
  await passed(200);
  expect([got(), ended(), late.got(), late.ended()]).toEqual(["A", null, "", null]);
  link.heal();
  await expect.poll(got).toHaveLength(3);
  await expect.poll(late.got).toBe("D");
});

test("a link that stalls in one direction carries what goes the other way", async () => {
  const { socket, got } = await call();
  link.stall(["back"]);
  const arrived = once(await acceptedOne(), "data");
  socket.write("a");
  expect(String(await arrived)).toBe("a");
  await passed(200);
  expect(got()).toBe("");
  link.heal();
  await expect.poll(got).toBe("A");

  link.stall(["there"]);
  socket.write("b");
  accepted[0]?.write("c");
  await expect.poll(got).toBe("Ac");
  link.heal();
  await expect.poll(got).toBe("AcB");
});

test("while a link stalls nobody hears that the other side is gone", async () => {
  const { socket, got, ended } = await call();
  socket.write("a");
  await expect.poll(got).toBe("A");
  link.stall();
  accepted[0]?.resetAndDestroy();
  await passed(200);
  expect(ended()).toBeNull();
  link.heal();
  await expect.poll(ended).toBe("ECONNRESET");
});

test("a link can be slow", async () => {
  const { socket, got } = await call();
  link.delay(150);
  const startMs = performance.now();
  socket.write("a");
  await expect.poll(got, { interval: 5 }).toBe("A");
  // There and back.
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(290);
  link.heal();
  socket.write("b");
  await expect.poll(got).toBe("AB");
});

test("what waits for a slow reader is bounded", async () => {
  const { socket, got } = await call();
  socket.write("a");
  await expect.poll(got).toBe("A");
  socket.pause();
  // The systems' own buffers take some of it; the link takes little.
  const much = Buffer.alloc(50_000_000, "x");
  accepted[0]?.write(much);
  await passed(500);
  expect(accepted[0]?.writableLength).toBeGreaterThan(0);
  socket.resume();
  await expect.poll(() => got().length).toBe(1 + much.length);
});
