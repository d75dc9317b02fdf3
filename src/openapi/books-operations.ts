import { Type } from "typebox";
import { OrgBudgetAnswer, type OrgBudget } from "../contract/keys-api/budget.ts";
import {
  BalanceAnswer,
  CreateCorrection,
  CreateTopUp,
  LedgerEntryAnswer,
  LedgerList,
  LedgerMonths,
} from "../contract/keys-api/books.ts";
import { org } from "./keys-api-examples.ts";
import { keysApiOperation } from "./keys-api-operation.ts";
import type { Operation } from "./operation.ts";

const topUp = {
  id: "1",
  type: "top_up",
  amountUsd: "25.000000",
  balanceAfterUsd: "25.000000",
  idempotencyKey: "invoice-2026-0117",
  requestId: null,
  catalogVersion: null,
  usage: null,
  createdAt: "2026-01-17T09:30:00.000Z",
};
const correction = {
  ...topUp,
  id: "2",
  type: "correction",
  amountUsd: "-5.000000",
  balanceAfterUsd: "20.000000",
  idempotencyKey: "ticket-77",
};
const debit = {
  ...topUp,
  id: "3",
  type: "debit",
  amountUsd: "0.000031",
  balanceAfterUsd: "19.999969",
  idempotencyKey: "5mUyOhPrRjuCXXcYRSkHKg-12",
  requestId: "5mUyOhPrRjuCXXcYRSkHKg-12",
  catalogVersion: "4f1d2c7a90be",
  usage: { uncachedInput: 12, outputText: 4 },
};

const orgBudget: OrgBudget = {
  orgId: org.id,
  budget: { usd: "100.00", window: "month", usedUsd: "12.345678", exceeded: false },
  balanceUsd: "19.999969",
  availableUsd: "19.979969",
  heldUsd: "0.020000",
  holds: 1,
  isLow: false,
  month: "2026-01",
  spentUsd: "12.345678",
};

const csv =
  "id,created_at,type,amount_usd,balance_after_usd,idempotency_key,request_id,catalog_version,usage\r\n" +
  `1,${topUp.createdAt},top_up,25.000000,25.000000,invoice-2026-0117,,,\r\n`;

export const booksOperations = {
  "/api/v1/gateway/orgs/{id}/top-ups": {
    post: keysApiOperation({
      operationId: "topUp",
      summary: "Top up a balance",
      description:
        "For operators. What is owed for requests that the balance could not cover is debited next.",
      tag: "Organizations",
      hasId: true,
      body: {
        schema: CreateTopUp,
        value: { amountUsd: "25", idempotencyKey: "invoice-2026-0117" },
      },
      answer: { schema: LedgerEntryAnswer, value: { data: topUp }, status: "201" },
      errors: ["not_found", "duplicate_entry"],
    }),
  },
  "/api/v1/gateway/orgs/{id}/corrections": {
    post: keysApiOperation({
      operationId: "correctBalance",
      summary: "Correct a balance",
      description: "For operators. Never takes more than is available.",
      tag: "Organizations",
      hasId: true,
      body: { schema: CreateCorrection, value: { amountUsd: "-5", idempotencyKey: "ticket-77" } },
      answer: { schema: LedgerEntryAnswer, value: { data: correction }, status: "201" },
      errors: ["not_found", "duplicate_entry"],
    }),
  },
  "/api/v1/gateway/orgs/{id}/balance": {
    get: keysApiOperation({
      operationId: "getBalance",
      summary: "Get a balance",
      description: "An admin sees its own organization's.",
      tag: "Organizations",
      hasId: true,
      answer: {
        schema: BalanceAnswer,
        value: { balanceUsd: "19.999969", availableUsd: "19.979969", holds: 1, isLow: false },
      },
      errors: ["not_found"],
    }),
  },
  "/api/v1/gateway/orgs/{id}/budget": {
    get: keysApiOperation({
      operationId: "getBudget",
      summary: "Get what an organization may spend and has spent",
      description:
        "Its budget with its use, its balance with what requests in flight hold of it, and what the ledger debited this month. An admin sees its own organization's.",
      tag: "Organizations",
      hasId: true,
      answer: { schema: OrgBudgetAnswer, value: { data: orgBudget } },
      errors: ["not_found"],
    }),
  },
  "/api/v1/gateway/orgs/{id}/ledger": {
    get: keysApiOperation({
      operationId: "listLedger",
      summary: "List ledger entries",
      description: "Newest first. `/ledger.csv` gives all of them as a file.",
      tag: "Organizations",
      hasId: true,
      lists: "pages",
      answer: { schema: LedgerList, value: { data: [debit], nextCursor: "3" } },
      errors: ["not_found"],
    }),
  },
  "/api/v1/gateway/orgs/{id}/ledger.csv": {
    get: keysApiOperation({
      operationId: "exportLedgerCsv",
      summary: "Export a ledger",
      description:
        "All entries, newest first. Cells that a spreadsheet would run as a formula begin with an apostrophe.",
      tag: "Organizations",
      hasId: true,
      answer: { type: "text/csv", schema: Type.String(), value: csv },
      errors: ["not_found"],
    }),
  },
  "/api/v1/gateway/orgs/{id}/ledger/months": {
    get: keysApiOperation({
      operationId: "listLedgerMonths",
      summary: "List a ledger's months",
      description: "What was debited, topped up and corrected in each month.",
      tag: "Organizations",
      hasId: true,
      answer: {
        schema: LedgerMonths,
        value: {
          data: [
            {
              month: "2026-01",
              debitsUsd: "0.000031",
              topUpsUsd: "25.000000",
              correctionsUsd: "-5.000000",
              entries: 3,
            },
          ],
        },
      },
      errors: ["not_found"],
    }),
  },
} as const satisfies Record<string, Record<string, Operation>>;
