/**
 * What every store does, and which tests show it. `npm test` runs each file twice, on the embedded store and on the
 * shared one (`vitest.config.ts`, project "shared"). Files of `test/store/` run once, because each is the half of a
 * contract that has the other store in its other half.
 */
export const areas = {
  keys: ["wire/keys-api/api-keys", "wire/keys-api/access", "wire/keys-api/roles"],
  "searches for keys": ["wire/keys-api/key-search"],
  organizations: ["wire/keys-api/organizations"],
  teams: ["wire/keys-api/teams"],
  policies: ["wire/keys-api/policies"],
  providers: ["wire/keys-api/providers"],
  "usage limits": ["wire/keys-api/usage-limits", "wire/limits"],
  budgets: ["wire/keys-api/budgets", "wire/limits"],
  "rate windows": ["wire/limits"],
  "rate windows of addresses": ["wire/keyless", "wire/limits"],
  "holds, debits, debts and their recovery, top-ups": [
    "wire/money",
    "store/embedded/ledger/contract",
    "store/shared/ledger-contract",
  ],
  "ledger and months": [
    "wire/money",
    "store/embedded/ledger/contract",
    "store/shared/ledger-contract",
  ],
  "audit log, checkpoints, proofs, bundles": ["wire/audit"],
  "readable content": ["wire/audit-content", "wire/content-reads"],
  "reaping and erasure of content": [
    "wire/audit-content",
    "store/embedded/content/contents",
    "store/shared/contents",
  ],
  "batch jobs": ["endpoints/batch/jobs", "wire/keys-api/batches"],
  records: ["wire/recorded-callers", "wire/records-stream"],
  exports: ["wire/exports"],
  "sessions of the dashboard": ["wire/sessions"],
  "bindings of response ids": ["wire/provider-state"],
  "response cache, each gateway's own": ["wire/response-cache"],
} satisfies Readonly<Record<string, readonly string[]>>;

/** What is there only where several gateways share a store. */
export const betweenGateways = {
  "limits, budgets and addresses are exact over all of them; a changed limit": [
    "wire/shared-limits",
  ],
  "money: what one does not use, another may hold": ["store/shared/ledger"],
  "revocations, new keys, one log": ["app/mixed-releases", "store/shared/copies"],
  "erasures and response caches": ["wire/shared-erasures", "store/shared/contents"],
  "the keys of the first start": ["app/shared-first-run"],
  "a move, a restored database": ["app/move-to-postgres", "app/accept-restored"],
} satisfies Readonly<Record<string, readonly string[]>>;

export const fileOf = (name: string): string => `test/${name}.test.ts`;

/** The files that run on both stores. */
export const onBothStores: readonly string[] = [
  ...new Set(["support/store-in-use", ...Object.values(areas).flat()]),
]
  .filter((name) => !name.startsWith("store/"))
  .map(fileOf);
