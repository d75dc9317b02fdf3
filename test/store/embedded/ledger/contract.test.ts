import { describe } from "vitest";
import { openBooks } from "../../ledger/books.ts";
import { ledgerContract } from "../../ledger/contract.ts";

describe("the books of one gateway", () => {
  ledgerContract(async (options) => (await openBooks(options)).ledger);
});
