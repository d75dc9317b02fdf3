import { oneOf } from "../contract/documented-schema.ts";
import { Type } from "typebox";
import {
  CreatedKeyAnswer,
  CreateKey,
  KeyAnswer,
  KeyList,
  keySorts,
  keyStatuses,
  RotatedKeyAnswer,
  RotateKey,
  UpdateKey,
} from "../contract/keys-api/api-key.ts";
import { CreateOrg, OrgAnswer, OrgList, UpdateOrg } from "../contract/keys-api/organization.ts";
import {
  CreateUsageLimit,
  UpdateUsageLimit,
  UsageAnswer,
  UsageLimitAnswer,
  UsageLimitList,
} from "../contract/keys-api/usage-limit.ts";
import { TeamList } from "../contract/keys-api/team.ts";
import { keySearchCharsMax } from "../contract/limits.ts";
import * as examples from "./keys-api-examples.ts";
import { keysApiOperation } from "./keys-api-operation.ts";
import { inQuery, type Operation } from "./operation.ts";

const { key, secret, org, limit } = examples;

export const keyOperations = {
  "/api/v1/gateway/api-keys": {
    post: keysApiOperation({
      operationId: "createKey",
      summary: "Create a key",
      description:
        "The secret is shown once; only its hash is kept. Admins create keys of their organization.",
      tag: "Keys",
      body: { schema: CreateKey, value: examples.newKey },
      answer: { schema: CreatedKeyAnswer, value: { data: key, key: secret }, status: "201" },
      errors: ["not_found"],
    }),
    get: keysApiOperation({
      operationId: "listKeys",
      summary: "List keys",
      description:
        "Oldest first, revoked ones too. No secret is listed. A search reads many keys, so a page may have few rows or none and still a `nextCursor`. Sorted by `lastUsedAt`, a key that is used meanwhile changes its place.",
      tag: "Keys",
      lists: "pages of an organization",
      parameters: [
        inQuery(
          "q",
          "Whose name has this text, in any case, or whose `id` or `label` begins with it.",
          Type.String({ minLength: 1, maxLength: keySearchCharsMax }),
        ),
        inQuery("status", "With this status.", oneOf(keyStatuses, { description: "The status." })),
        inQuery(
          "sort",
          "The order; `-` is descending. A name counts without its case, a key that was never used as the longest unused.",
          { ...oneOf(keySorts, { description: "The order." }), default: "createdAt" },
        ),
      ],
      answer: { schema: KeyList, value: { data: [key], nextCursor: null } },
      errors: ["not_found"],
    }),
  },
  "/api/v1/gateway/api-keys/{id}": {
    get: keysApiOperation({
      operationId: "getKey",
      summary: "Get a key",
      description: "Revoked ones too.",
      tag: "Keys",
      hasId: true,
      answer: { schema: KeyAnswer, value: { data: key } },
      errors: ["not_found"],
    }),
    patch: keysApiOperation({
      operationId: "updateKey",
      summary: "Change a key",
      description:
        "Takes effect on the next request. A revoked key can't be changed, and a key can't end itself earlier or give up its role.",
      tag: "Keys",
      hasId: true,
      body: { schema: UpdateKey, value: { rateLimit: 60 } },
      answer: { schema: KeyAnswer, value: { data: { ...key, rateLimit: 60 } } },
      errors: ["not_found"],
    }),
    delete: keysApiOperation({
      operationId: "revokeKey",
      summary: "Revoke a key",
      description:
        "For good, with the secret before a rotation too; revoking twice is no error. Streams that are open end by themselves, the next request is refused. A key can't revoke itself, nor can the last operator key that never expires be revoked.",
      tag: "Keys",
      hasId: true,
      errors: ["not_found"],
    }),
  },
  "/api/v1/gateway/api-keys/{id}/rotate": {
    post: keysApiOperation({
      operationId: "rotateKey",
      summary: "Give a key another secret",
      description:
        "Id, limits and usage stay. The secret before works to the end of the grace period; the one before that dies at once.",
      tag: "Keys",
      hasId: true,
      body: { schema: RotateKey, value: { gracePeriodSeconds: 86_400 }, optional: true },
      answer: {
        schema: RotatedKeyAnswer,
        value: { data: key, key: secret, previousKeyExpiresAt: examples.expiry },
      },
      errors: ["not_found"],
    }),
  },
} as const satisfies Record<string, Record<string, Operation>>;

const include = inQuery(
  "include",
  "What each row has besides: `usage` is its use.",
  oneOf(["usage"], { description: "What to include." }),
);

export const teamOperations = {
  "/api/v1/gateway/teams": {
    get: keysApiOperation({
      operationId: "listTeams",
      summary: "List teams",
      description:
        "By organization and name. A team is what keys of one organization name alike; its keys share its budget. A team that no key names any more is in `records/facets`.",
      tag: "Keys",
      lists: "pages of an organization",
      answer: { schema: TeamList, value: { data: [examples.team], nextCursor: null } },
      errors: ["not_found"],
    }),
  },
} as const satisfies Record<string, Record<string, Operation>>;

export const limitOperations = {
  "/api/v1/gateway/usage-limits": {
    post: keysApiOperation({
      operationId: "createUsageLimit",
      summary: "Create a usage limit",
      description:
        "Checked from the next request on. On the free plan it is refused with `forbidden`.",
      tag: "Usage limits",
      body: { schema: CreateUsageLimit, value: examples.newLimit },
      answer: { schema: UsageLimitAnswer, value: { data: limit }, status: "201" },
      errors: ["not_found"],
    }),
    get: keysApiOperation({
      operationId: "listUsageLimits",
      summary: "List usage limits",
      description:
        "Oldest first, disabled ones too; with `include=usage`, each with its use in the rolling window that ends now.",
      tag: "Usage limits",
      lists: "pages of an organization",
      parameters: [include],
      answer: {
        schema: UsageLimitList,
        value: { data: [{ ...limit, usage: examples.usage }], nextCursor: null },
      },
      errors: ["not_found"],
    }),
  },
  "/api/v1/gateway/usage-limits/{id}": {
    get: keysApiOperation({
      operationId: "getUsageLimit",
      summary: "Get a usage limit",
      description: "Its definition; `/usage` tells how much of it is used.",
      tag: "Usage limits",
      hasId: true,
      answer: { schema: UsageLimitAnswer, value: { data: limit } },
      errors: ["not_found"],
    }),
    patch: keysApiOperation({
      operationId: "updateUsageLimit",
      summary: "Change a usage limit",
      description: "Takes effect on the next request. Refused with `forbidden` on the free plan.",
      tag: "Usage limits",
      hasId: true,
      body: { schema: UpdateUsageLimit, value: { threshold: "75.00" } },
      answer: { schema: UsageLimitAnswer, value: { data: { ...limit, threshold: "75.00" } } },
      errors: ["not_found"],
    }),
    delete: keysApiOperation({
      operationId: "deleteUsageLimit",
      summary: "Delete a usage limit",
      description: "For good. What was used stays on record.",
      tag: "Usage limits",
      hasId: true,
      errors: ["not_found"],
    }),
  },
  "/api/v1/gateway/usage-limits/{id}/usage": {
    get: keysApiOperation({
      operationId: "getUsage",
      summary: "Tell how much of a usage limit is used",
      description: "In the rolling window that ends now.",
      tag: "Usage limits",
      hasId: true,
      answer: { schema: UsageAnswer, value: { data: examples.usage } },
      errors: ["not_found"],
    }),
  },
} as const satisfies Record<string, Record<string, Operation>>;

export const organizationOperations = {
  "/api/v1/gateway/orgs": {
    post: keysApiOperation({
      operationId: "createOrganization",
      summary: "Create an organization",
      description: "For operators.",
      tag: "Organizations",
      body: { schema: CreateOrg, value: examples.newOrg },
      answer: { schema: OrgAnswer, value: { data: org }, status: "201" },
      errors: ["duplicate_entry"],
    }),
    get: keysApiOperation({
      operationId: "listOrganizations",
      summary: "List organizations",
      description: "Oldest first; an admin sees its own.",
      tag: "Organizations",
      lists: "pages",
      answer: { schema: OrgList, value: { data: [org], nextCursor: null } },
    }),
  },
  "/api/v1/gateway/orgs/{id}": {
    get: keysApiOperation({
      operationId: "getOrganization",
      summary: "Get an organization",
      description: "An admin sees its own.",
      tag: "Organizations",
      hasId: true,
      answer: { schema: OrgAnswer, value: { data: org } },
      errors: ["not_found"],
    }),
    patch: keysApiOperation({
      operationId: "updateOrganization",
      summary: "Change an organization",
      description: "For operators. Takes effect on the next request.",
      tag: "Organizations",
      hasId: true,
      body: { schema: UpdateOrg, value: { rateLimit: 3000 } },
      answer: { schema: OrgAnswer, value: { data: { ...org, rateLimit: 3000 } } },
      errors: ["not_found", "duplicate_entry"],
    }),
  },
} as const satisfies Record<string, Record<string, Operation>>;
