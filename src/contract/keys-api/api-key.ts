import { Type, type Static } from "typebox";
import { members, oneOf, wholeNumber } from "../documented-schema.ts";
import {
  allowedModelsMax,
  cacheTtlSecondsMax,
  keyGraceSecondsMax,
  modelCharsMax,
} from "../limits.ts";
import {
  budget,
  dataOf,
  id,
  listOf,
  moment,
  name,
  nullable,
  rateLimit,
  securityPolicyId,
} from "./fields.ts";

const team = nullable(
  members(
    { name: name("Keys whose team has the same name share its budget."), budget },
    { description: "The team that a key belongs to." },
  ),
  "The team; null: none.",
  'a team such as {"name": "search", "budget": null}',
);

const allowedModels = nullable(
  Type.Array(
    Type.String({
      pattern: `^[!-~]{1,${modelCharsMax}}$`,
      description: "`provider/model`, or an alias.",
      errorMessage: "a model such as openai/gpt-5.1",
    }),
    {
      description: "Models.",
      errorMessage: `a list of at most ${allowedModelsMax} models, each once`,
      maxItems: allowedModelsMax,
      uniqueItems: true,
    },
  ),
  "The models that the key may use; null: all. An empty list leaves it the scans.",
  `a list of at most ${allowedModelsMax} models, each once,`,
);

const responseCache = nullable(
  members(
    {
      ttlSeconds: wholeNumber(1, cacheTtlSecondsMax, {
        description: "How long its answers are kept, and how old a cached one may be.",
      }),
    },
    { description: "How the key uses the response cache." },
  ),
  "Answers from the response cache without being asked by `X-Svc-Cache`; null: only where asked.",
  'an object such as {"ttlSeconds": 3600}',
);

const expiresAt = nullable(
  Type.String({
    format: "date-time",
    description: "ISO 8601, in the future.",
    errorMessage: "a moment in the future such as 2027-01-31T00:00:00Z",
  }),
  "When the key stops to work; null: never.",
  "a moment in the future such as 2027-01-31T00:00:00Z",
);

export const keyStatuses = ["active", "revoked"] as const;
/** The orders in which keys are listed; with `-` descending. */
export const keySorts = [
  "createdAt",
  "-createdAt",
  "name",
  "-name",
  "lastUsedAt",
  "-lastUsedAt",
] as const;
export type KeySort = (typeof keySorts)[number];

/** A key as the API shows it: everything but its secret. */
export const Key = members(
  {
    id: id("Names the key; it stays when the key is rotated."),
    orgId: nullable(Type.String(), "Its organization; null: a platform key.", "an id"),
    name: name("What it is called; several may have one name."),
    label: Type.String({
      description: "What may be shown of the secret.",
      examples: ["sk-gw-0e6…1c96"],
    }),
    role: oneOf(["operator", "admin", "viewer", "member"], {
      description:
        "`admin` may manage its organization here, `operator` all; `viewer` sees its organization's records and settings, and neither changes anything nor calls models; `member` calls models and scans, and sees its own records.",
    }),
    status: oneOf(keyStatuses, { description: "Revoked is for good." }),
    rateLimit,
    allowedModels,
    securityPolicyId,
    team,
    responseCache,
    createdAt: moment("When it was created."),
    updatedAt: moment("When it was last changed, rotated or revoked."),
    lastUsedAt: nullable(
      Type.String({ format: "date-time" }),
      "When it was last used; null: never.",
      "a moment",
    ),
    expiresAt,
  },
  { description: "A service key without its secret." },
);
export type Key = Static<typeof Key>;

const secret = Type.String({
  description: "The secret. It is shown this once.",
  examples: [`sk-gw-${"0e6".repeat(16)}`],
});

export const CreateKey = members(
  {
    name: name("What it is called."),
    orgId: nullable(
      id("An organization."),
      "Its organization; null makes an operator key.",
      "the id of an organization",
    ),
    role: Type.Optional(
      oneOf(["operator", "admin", "viewer", "member"], {
        description: "Default: `member`; for a platform key it is always `operator`.",
      }),
    ),
    rateLimit: Type.Optional(rateLimit),
    allowedModels: Type.Optional(allowedModels),
    securityPolicyId: Type.Optional(securityPolicyId),
    team: Type.Optional(team),
    responseCache: Type.Optional(responseCache),
    expiresAt: Type.Optional(expiresAt),
  },
  { description: "A key to be made." },
);
export type CreateKey = Static<typeof CreateKey>;

export const UpdateKey = members(
  {
    name: Type.Optional(name("What it is called.")),
    role: Type.Optional(
      oneOf(["admin", "viewer", "member"], { description: "Not for platform keys." }),
    ),
    rateLimit: Type.Optional(rateLimit),
    allowedModels: Type.Optional(allowedModels),
    securityPolicyId: Type.Optional(securityPolicyId),
    team: Type.Optional(team),
    responseCache: Type.Optional(responseCache),
    expiresAt: Type.Optional(expiresAt),
  },
  { description: "What is to be another; what is left out stays." },
);
export type UpdateKey = Static<typeof UpdateKey>;

export const RotateKey = members(
  {
    gracePeriodSeconds: Type.Optional(
      wholeNumber(0, keyGraceSecondsMax, {
        description: "How long the secret before works on.",
        default: 0,
      }),
    ),
  },
  { description: "How to rotate a key." },
);
export type RotateKey = Static<typeof RotateKey>;

export const KeyAnswer = dataOf(Key, "A key.");
export type KeyAnswer = Static<typeof KeyAnswer>;

export const CreatedKeyAnswer = members(
  { data: Key, key: secret },
  { description: "A new key with its secret." },
);
export type CreatedKeyAnswer = Static<typeof CreatedKeyAnswer>;

export const RotatedKeyAnswer = members(
  {
    data: Key,
    key: secret,
    previousKeyExpiresAt: moment("When the secret before stops to work; without a grace: now."),
  },
  { description: "A key with its new secret." },
);
export type RotatedKeyAnswer = Static<typeof RotatedKeyAnswer>;

export const KeyList = listOf(
  Key,
  "Keys, revoked ones too.",
  "oldest first unless `sort` says otherwise",
);
export type KeyList = Static<typeof KeyList>;
