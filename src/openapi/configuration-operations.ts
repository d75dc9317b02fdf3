import { ProviderEntry } from "../contract/configuration-provider.ts";
import { errorRules } from "../contract/errors.ts";
import {
  CreatePolicy,
  PolicyAnswer,
  PolicyList,
  UpdatePolicy,
} from "../contract/keys-api/policy.ts";
import { ProviderAnswer, ProviderList, UpdateProvider } from "../contract/keys-api/provider.ts";
import { ProviderHealthAnswer } from "../contract/keys-api/provider-health.ts";
import * as examples from "./keys-api-examples.ts";
import { keysApiOperation } from "./keys-api-operation.ts";
import type { Operation } from "./operation.ts";
import { invalidPatterns } from "./scan-examples.ts";

const { provider, policy } = examples;

export const providerOperations = {
  "/api/v1/gateway/providers": {
    post: keysApiOperation({
      operationId: "createProvider",
      summary: "Add a provider account",
      description:
        "For operators. Serves from the next request on. The credential is named by environment variable, as in the configuration file, and never stored.",
      tag: "Providers",
      body: { schema: ProviderEntry, value: examples.newProvider },
      answer: { schema: ProviderAnswer, value: { data: provider }, status: "201" },
      errors: ["duplicate_entry"],
    }),
    get: keysApiOperation({
      operationId: "listProviders",
      summary: "List provider accounts",
      description: "For operators. Accounts of the configuration file too, by name.",
      tag: "Providers",
      lists: "pages",
      answer: { schema: ProviderList, value: { data: [provider], nextCursor: null } },
    }),
  },
  "/api/v1/gateway/providers/{id}": {
    get: keysApiOperation({
      operationId: "getProvider",
      summary: "Get a provider account",
      description: "For operators. Its id is its name.",
      tag: "Providers",
      hasId: true,
      answer: { schema: ProviderAnswer, value: { data: provider } },
      errors: ["not_found"],
    }),
    patch: keysApiOperation({
      operationId: "updateProvider",
      summary: "Change a provider account",
      description:
        "For operators. Takes effect on the next request; its name stays. Accounts of the configuration file are read-only.",
      tag: "Providers",
      hasId: true,
      body: { schema: UpdateProvider, value: { models: ["gpt-5.1"] } },
      answer: {
        schema: ProviderAnswer,
        value: {
          data: { ...provider, models: [{ id: "gpt-5.1", alias: null, priority: 0, weight: 1 }] },
        },
      },
      errors: ["not_found"],
    }),
    delete: keysApiOperation({
      operationId: "deleteProvider",
      summary: "Remove a provider account",
      description:
        "For operators. Requests under way finish. Accounts of the configuration file are read-only.",
      tag: "Providers",
      hasId: true,
      errors: ["not_found"],
    }),
  },
  "/api/v1/gateway/providers/{id}/health": {
    get: keysApiOperation({
      operationId: "getProviderHealth",
      summary: "Tell how a provider account does",
      description:
        "For operators. Its circuit, its calls of the last seconds and since the start, and its last error, over all threads; metrics tell the same over time.",
      tag: "Providers",
      hasId: true,
      answer: { schema: ProviderHealthAnswer, value: { data: examples.providerHealth } },
      errors: ["not_found"],
    }),
  },
} as const satisfies Record<string, Record<string, Operation>>;

/** The 400 of patterns, with its own details. */
const otherErrors = { [errorRules.invalid_request.status]: invalidPatterns };

export const policyOperations = {
  "/api/v1/gateway/policies": {
    post: keysApiOperation({
      operationId: "createPolicy",
      summary: "Create a security policy",
      description: "A key or an organization takes it as `securityPolicyId`.",
      tag: "Policies",
      body: { schema: CreatePolicy, value: examples.newPolicy },
      answer: { schema: PolicyAnswer, value: { data: policy }, status: "201" },
      errors: ["not_found", "duplicate_entry"],
      otherErrors,
    }),
    get: keysApiOperation({
      operationId: "listPolicies",
      summary: "List security policies",
      description: "The configuration file's default one first, the others oldest first.",
      tag: "Policies",
      lists: "pages of an organization",
      answer: { schema: PolicyList, value: { data: [policy], nextCursor: null } },
      errors: ["not_found"],
    }),
  },
  "/api/v1/gateway/policies/{id}": {
    get: keysApiOperation({
      operationId: "getPolicy",
      summary: "Get a security policy",
      description: "The configuration file's default one has the id `default`.",
      tag: "Policies",
      hasId: true,
      answer: { schema: PolicyAnswer, value: { data: policy } },
      errors: ["not_found"],
    }),
    patch: keysApiOperation({
      operationId: "updatePolicy",
      summary: "Change a security policy",
      description: "Makes the next version, which holds from the next request on.",
      tag: "Policies",
      hasId: true,
      body: { schema: UpdatePolicy, value: { dryRun: true } },
      answer: { schema: PolicyAnswer, value: { data: { ...policy, version: 2, dryRun: true } } },
      errors: ["not_found", "duplicate_entry"],
      otherErrors,
    }),
    delete: keysApiOperation({
      operationId: "deletePolicy",
      summary: "Delete a security policy",
      description: "Refused while an organization or an active key uses it.",
      tag: "Policies",
      hasId: true,
      errors: ["not_found"],
    }),
  },
} as const satisfies Record<string, Record<string, Operation>>;
