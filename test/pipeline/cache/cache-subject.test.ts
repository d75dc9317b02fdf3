import { describe, expect, test } from "vitest";
import type { ProviderAccount } from "../../../src/contract/account.ts";
import { Accounts } from "../../../src/pipeline/routing/accounts.ts";
import {
  byokSubject,
  payThroughSubject,
  type CacheSubject,
} from "../../../src/pipeline/cache/cache-subject.ts";
import type { FlatHeaders } from "../../../src/exchange/exchange.ts";
import type { NamedUpstream } from "../../../src/exchange/exchange.ts";
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
    models: [{ id: modelId, alias: "small", priority: 0, weight: 1 }],
    apiPath: "/v1",
    query: "",
    credentialHeader: null,
    orgId: null,
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

describe("with own keys", () => {
  const upstream: NamedUpstream = { origin: "https://provider.example", basePath: "" };
  const headers = ["authorization", "Bearer own", "openai-beta", "one"];
  const asked = { ...head, query: "a=b", headers };
  const subject = byokSubject(asked, "chat", upstream);

  test.each<[string, FlatHeaders]>([
    ["in another order", ["openai-beta", "one", "authorization", "Bearer own"]],
    ["of another client", [...headers, "user-agent", "x/2", "x-stainless-os", "Linux"]],
    ["in another encoding", [...headers, "accept-encoding", "br"]],
    ["tried again", [...headers, "idempotency-key", "k", "traceparent", "t"]],
  ])("the same is asked with headers %s", (_, others) => {
    expect(byokSubject({ ...asked, headers: others }, "chat", upstream)).toEqual(subject);
  });

  test.each<[string, () => CacheSubject]>([
    ["query", () => byokSubject({ ...asked, query: "a=c" }, "chat", upstream)],
    ["path", () => byokSubject({ ...asked, path: "/v1/other" }, "chat", upstream)],
    ["wire", () => byokSubject(asked, "messages", upstream)],
    ["upstream", () => byokSubject(asked, "chat", { ...upstream, origin: "https://other" })],
    ["base path", () => byokSubject(asked, "chat", { ...upstream, basePath: "/base" })],
    ["header", () => byokSubject({ ...asked, headers: headers.with(3, "two") }, "chat", upstream)],
    [
      "credential",
      () => byokSubject({ ...asked, headers: headers.with(1, "Bearer x") }, "chat", upstream),
    ],
  ])("something else is asked with another %s", (_, other) => {
    expect(other()).not.toEqual(subject);
  });
});
