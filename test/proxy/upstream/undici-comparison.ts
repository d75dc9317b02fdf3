import { expect } from "vitest";
import { HttpConnection } from "../../../src/proxy/upstream/http-connection.ts";
import type { Connect } from "../../../src/proxy/upstream/upstream.ts";
import { Random } from "../../sim/random.ts";
import {
  differenceOf,
  randomResponse,
  type PlannedResponse,
} from "../../support/hostile-responses.ts";
import { callTo, KeptResponse, optionsFor, RawProvider } from "../../support/read-response.ts";
import { UndiciConnection } from "../../support/undici-connection.ts";

/** Lets Weir's client and undici read the same responses, and expects that they read the same. */
export async function compareReadings(fromSeed: number, count: number): Promise<void> {
  const provider = await RawProvider.start();
  try {
    for (let seed = fromSeed; seed < fromSeed + count; seed++) {
      const planned = randomResponse(new Random(seed));
      const ours = await read(provider, planned, (options) => new HttpConnection(options));
      const theirs = await read(provider, planned, (options) => new UndiciConnection(options));
      expect(differenceOf(ours, theirs, planned.text), `seed ${seed}: ${planned.text}`).toBe(null);
    }
  } finally {
    await provider.stop();
  }
}

async function read(
  provider: RawProvider,
  { method, pieces }: PlannedResponse,
  connect: Connect,
): Promise<KeptResponse> {
  provider.answer = (socket) => {
    socket.once("data", () => {
      for (const piece of pieces) socket.write(piece);
      socket.end();
    });
  };
  const connection = connect(optionsFor(provider.origin));
  const response = new KeptResponse();
  connection.send(callTo(provider.origin, { method }), response);
  await response.over;
  await connection.destroy();
  return response;
}
