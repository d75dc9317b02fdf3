import { Type, type Static } from "typebox";
import { credentialHeaders, providerTypes } from "../account.ts";
import { ProviderEntry } from "../configuration-provider.ts";
import { wires as wireNames } from "../wire.ts";
import { members, oneOf } from "../documented-schema.ts";
import { dataOf, listOf, nullable } from "./fields.ts";

const text = Type.String();
const count = Type.Integer({ minimum: 1 });

/** An account as the API shows it: complete, and without its credential. */
export const Provider = members(
  {
    name: Type.String({ description: "Unique; the account's id in paths." }),
    provider: Type.String({ description: "The prefix in `provider/model`." }),
    type: oneOf(providerTypes, { description: "Which API the account speaks." }),
    baseUrl: nullable(text, "Where the provider listens; null: it needs no address.", "a text"),
    apiPath: Type.String({ description: "Stands for the `/v1` of a request's path." }),
    query: Type.Record(text, text, { description: "What each call has in its query." }),
    credentialHeader: nullable(
      oneOf(credentialHeaders, { description: "A header." }),
      "The header that takes the credential; null: the wire's own.",
      "a header",
    ),
    wires: Type.Array(oneOf(wireNames, { description: "A kind of request." }), {
      description: "The kinds of request that it serves.",
    }),
    apiKey: nullable(
      members({ env: text }, { description: "Names the environment variable." }),
      "Where the credential is; null where it needs none, and for accounts of the file.",
      '{"env": "NAME"}',
    ),
    credential: oneOf(["set", "missing", "none"], {
      description:
        "`missing`: it is named but not set; requests are answered `missing_credentials`.",
    }),
    models: Type.Array(
      members(
        {
          id: text,
          alias: nullable(text, "Another name; null: none.", "a text"),
          priority: Type.Integer({ minimum: 0 }),
          weight: Type.Integer({ minimum: 0 }),
        },
        { description: "A model." },
      ),
      { description: "What it serves." },
    ),
    orgId: nullable(text, "The only organization that it serves; null: it serves all.", "an id"),
    timeoutsMs: members(
      { connect: count, headers: count, idle: count },
      { description: "How long to wait for it, in milliseconds." },
    ),
    responseBytesMax: Type.Integer({
      minimum: 1,
      description: "The longest answer that is held whole, in bytes.",
    }),
    source: oneOf(["file", "api"], {
      description: "`file`: it stands in the configuration file and is read-only here.",
    }),
    createdAt: nullable(
      Type.String({ format: "date-time" }),
      "When it was created; null for an account of the file.",
      "a moment",
    ),
    updatedAt: nullable(
      Type.String({ format: "date-time" }),
      "When it was last changed; null for an account of the file.",
      "a moment",
    ),
  },
  { description: "An account at a provider." },
);
export type Provider = Static<typeof Provider>;

const { type, provider, baseUrl, apiPath, query, credentialHeader, wires, apiKey } =
  ProviderEntry.properties;
const { models, orgId, timeoutsMs, responseBytesMax } = ProviderEntry.properties;

const orDefault = "null: the default.";

/** The members of `ProviderEntry` without its name. null removes an optional member. */
export const UpdateProvider = members(
  {
    type: Type.Optional(type),
    provider: Type.Optional(nullable(provider, orDefault, "a name")),
    baseUrl: Type.Optional(nullable(baseUrl, orDefault, "an address")),
    apiPath: Type.Optional(nullable(apiPath, orDefault, "a path")),
    query: Type.Optional(nullable(query, orDefault, "an object of names and texts")),
    credentialHeader: Type.Optional(nullable(credentialHeader, orDefault, "a header")),
    wires: Type.Optional(nullable(wires, orDefault, "a list of wires")),
    apiKey: Type.Optional(nullable(apiKey, orDefault, '{"env": "NAME"}')),
    models: Type.Optional(nullable(models, orDefault, "a list of models")),
    orgId: Type.Optional(nullable(orgId, orDefault, "an id")),
    timeoutsMs: Type.Optional(nullable(timeoutsMs, orDefault, "timeouts")),
    responseBytesMax: Type.Optional(nullable(responseBytesMax, orDefault, "a whole number")),
  },
  { description: "What is to be another; what is left out stays." },
);
export type UpdateProvider = Static<typeof UpdateProvider>;

export const ProviderAnswer = dataOf(Provider, "A provider account.");
export type ProviderAnswer = Static<typeof ProviderAnswer>;
export const ProviderList = listOf(Provider, "Provider accounts, by name.");
export type ProviderList = Static<typeof ProviderList>;
