import { expect, test } from "vitest";
import { codeOf } from "../temporary-store.ts";
import { openBooks, orgId, topUp, usd } from "./books.ts";

test("a request of another thread keeps its id from being a top-up's key until it holds nothing", async () => {
  const books = await openBooks();
  const { ledger } = books;
  await topUp(ledger, "1");
  const requestId = "of-another-thread";
  const enter = async () =>
    codeOf(
      await ledger.topUp({ orgId, amount: usd("1"), type: "top_up", idempotencyKey: requestId }),
    );
  books.takeOver(null, [{ kind: "hold", requestId, orgId, amount: usd("0.5") }]);
  expect(await enter()).toBe("duplicate_entry");
  books.takeOver(null, [{ kind: "unhold", requestId }]);
  expect(await enter()).toBe("accepted");
});
