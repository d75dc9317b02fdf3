import { beforeEach } from "vitest";
import { ledgerContract } from "../ledger/contract.ts";
import { describeWithPostgres, TestDatabase } from "./database.ts";
import { GatewayBooks } from "./gateway-books.ts";

describeWithPostgres("the books of a gateway that shares a store", () => {
  const database = new TestDatabase();
  beforeEach(() => database.empty());
  ledgerContract(async (options) => (await GatewayBooks.open(database.url, options)).ledger);
});
