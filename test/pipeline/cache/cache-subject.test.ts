import { expect, test } from "vitest";
import type { ProviderAccount } from "../../../src/contract/account.ts";
import { Accounts } from "../../../src/pipeline/accounts.ts";
import { payThroughSubject } from "../../../src/pipeline/cache/cache-subject.ts";
import { valueOf } from "../../store/temporary-store.ts";

function account(name: string, credential: string, modelId = "m"): ProviderAccount {
  return {
    name,
    provider: "p",
    type: "openai",
    origin: "https://provider.example",
    basePath: "",
    wires: ["chat"],
    credential,
    credentialVariable: null,
    models: [{ id: modelId, alias: "small" }],
    timeoutsMs: { connect: 1, headers: 1, idle: 1 },
    responseBytesMax: 1,
  };
}

const head = { method: "POST", path: "/v1/chat/completions", query: "", headers: [] };

test("a pool is the same in any turn, and another one with a new credential of any account", () => {
  const accounts = new Accounts([account("a", "one"), account("b", "two")]);
  const subject = () =>
    payThroughSubject(head, "chat", null, valueOf(accounts.route("chat", "m", null)));
  const before = subject();
  expect(subject()).toEqual(before);
  accounts.replace([account("a", "one"), account("b", "new")]);
  expect(subject()).not.toEqual(before);
  accounts.replace([account("a", "new"), account("b", "two")]);
  expect(subject()).not.toEqual(before);
});

test("an alias is another subject once it stands for another model", () => {
  const accounts = new Accounts([account("a", "one", "m")]);
  const subject = () =>
    payThroughSubject(head, "chat", null, valueOf(accounts.route("chat", "small", null)));
  const before = subject();
  accounts.replace([account("a", "one", "n")]);
  expect(subject()).not.toEqual(before);
});
