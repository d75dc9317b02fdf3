import { Accounts, type Candidate } from "../../src/pipeline/routing/accounts.ts";
import { accepted } from "./accepted.ts";

/** The accounts that a request for `openai/gpt-5.1` may go to: one. */
export function openAiCandidates(): readonly Candidate[] {
  const accounts = new Accounts([
    {
      name: "openai",
      provider: "openai",
      type: "openai",
      origin: "https://api.openai.com",
      basePath: "",
      wires: ["chat"],
      credential: "secret",
      credentialVariable: null,
      models: [{ id: "gpt-5.1", alias: null, priority: 0, weight: 1 }],
      apiPath: "/v1",
      query: "",
      credentialHeader: null,
      orgId: null,
      timeoutsMs: { connect: 1, headers: 1, idle: 1 },
      responseBytesMax: 1,
    },
  ]);
  return accepted(accounts.route("chat", "openai/gpt-5.1", null));
}
