import { expect, test } from "vitest";
import { OpenExchanges, type PlacedExchange } from "../../../src/proxy/listener/open-exchanges.ts";
import { Random } from "../../sim/random.ts";

test("holds what was added and not deleted, whatever the order", () => {
  const open = new OpenExchanges<PlacedExchange>();
  const expected = new Set<PlacedExchange>();
  const random = new Random(1);
  for (let step = 0; step < 5_000; step += 1) {
    const [some] = [...expected].slice(Math.floor(random.next() * expected.size));
    if (some !== undefined && random.next() < 0.5) {
      open.delete(some);
      expected.delete(some);
    } else {
      const responder = { place: 0 };
      open.add(responder);
      expected.add(responder);
    }
    expect(open.size).toBe(expected.size);
  }
  expect(new Set(open.all())).toEqual(expected);
});
