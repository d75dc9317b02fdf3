import { Type, type Static } from "typebox";
import { credentialHeaders, providerTypes } from "./account.ts";
import { wires } from "./wire.ts";
import { members, oneOf, textOf, wholeNumber } from "./documented-schema.ts";
import {
  accountModelsMax,
  bodyBudgetBytes,
  connectTimeoutMsDefault,
  headersTimeoutMsDefault,
  idleTimeoutMsDefault,
  poolPriorityMax,
  poolWeightMax,
  responseBytesMaxDefault,
  timeoutMsCeiling,
} from "./limits.ts";

const accountName = (description: string) =>
  textOf("^[a-z0-9_-]{1,64}$", "1 to 64 characters out of a-z, 0-9, _ and -", description);

const modelId = textOf(
  "^[!-~]{1,256}$",
  "1 to 256 printable ASCII characters without spaces",
  "What the provider calls the model.",
);

const model = Type.Union(
  [
    modelId,
    members(
      {
        id: modelId,
        alias: Type.Optional(
          textOf(
            "^[!-.0-~]{1,128}$",
            "1 to 128 printable ASCII characters without spaces and slashes",
            "Another name that requests may use. Models with the same alias are one pool, in whatever account they are.",
          ),
        ),
        priority: Type.Optional(
          wholeNumber(0, poolPriorityMax, {
            description:
              "Its place in a pool: models with a higher number are tried after all with a lower one.",
            default: 0,
          }),
        ),
        weight: Type.Optional(
          wholeNumber(0, poolWeightMax, {
            description:
              "Its share of the first tries among the models of a pool that have its priority. 0: it is tried after the others.",
            default: 1,
          }),
        ),
      },
      { description: "A model with an alias, or with a place in a pool." },
    ),
  ],
  {
    description: "A model that the account serves.",
    errorMessage:
      'a model id (1 to 256 printable ASCII characters without spaces) or {"id", "alias", "priority", "weight"}, the alias without a slash',
  },
);

const timeoutMs = (milliseconds: number, description: string) =>
  Type.Optional(
    wholeNumber(1, timeoutMsCeiling, {
      description: `${description}, in milliseconds.`,
      default: milliseconds,
    }),
  );

/** An entry of `providers`. */
export const ProviderEntry = members(
  {
    name: accountName("Unique name of the account; `X-Svc-Provider` takes it."),
    provider: Type.Optional(
      accountName("The prefix in `provider/model`. Accounts may share one. Default: the name."),
    ),
    type: oneOf(providerTypes, { description: "Which API the account speaks." }),
    baseUrl: Type.Optional(
      Type.String({
        description:
          "Where the provider listens, without `/v1`: the request's path is appended. `bedrock` and `vertex` need none, `demo` takes none.",
        errorMessage: 'an address such as "https://api.openai.com"',
        examples: ["https://api.openai.com", "https://api.anthropic.com"],
      }),
    ),
    apiPath: Type.Optional(
      textOf(
        "^(/([A-Za-z0-9._~!$&'()*+,;=:@-]|\\{model\\})+){1,16}$",
        'a path such as "/openai/v1", without a slash at its end',
        "Replaces the `/v1` of the request's path. `{model}` in it stands for the model's id. Default: `/v1`.",
      ),
    ),
    query: Type.Optional(
      Type.Record(
        Type.String({ pattern: "^[A-Za-z0-9._~-]{1,64}$" }),
        Type.String({ pattern: "^[!-~]{0,256}$" }),
        {
          description: "Parameters that each call to the account has, such as `api-version`.",
          maxProperties: 16,
          errorMessage: "an object of at most 16 names and texts of printable ASCII characters",
        },
      ),
    ),
    credentialHeader: Type.Optional(
      oneOf(credentialHeaders, {
        description:
          "The header that takes the credential; `authorization` as a bearer token. Default: `x-api-key` on the messages wire, else `authorization`.",
      }),
    ),
    wires: Type.Optional(
      Type.Array(oneOf(wires, { description: "A kind of request." }), {
        description:
          "`chat` is /v1/chat/completions, `messages` is /v1/messages, token counts included, `responses` is /v1/responses, `embeddings` is /v1/embeddings. Default: what the type speaks.",
        errorMessage:
          'a list of "chat", "messages", "responses" and "embeddings", each at most once',
        minItems: 1,
        uniqueItems: true,
      }),
    ),
    apiKey: Type.Optional(
      members(
        {
          env: textOf(
            "^[A-Za-z_][A-Za-z0-9_]{0,127}$",
            "the name of an environment variable",
            "The environment variable that holds the credential.",
          ),
        },
        {
          description: "Where the credential is. Leave it out where the provider asks for none.",
          errorMessage:
            '{"env": "NAME"}, the name of a variable: the secret itself is never written',
        },
      ),
    ),
    models: Type.Optional(
      Type.Array(model, {
        description: "What the account serves. Only `demo` has a default: its model `echo`.",
        errorMessage: `a list of 1 to ${accountModelsMax} models`,
        minItems: 1,
        maxItems: accountModelsMax,
      }),
    ),
    orgId: Type.Optional(
      textOf(
        "^[!-~]{1,64}$",
        "the id of an organization",
        "The only organization that the account serves. It may name what the provider stores even if that was not made through the gateway. Default: the account serves all.",
      ),
    ),
    timeoutsMs: Type.Optional(
      members(
        {
          connect: timeoutMs(connectTimeoutMsDefault, "TCP and TLS until the connection stands"),
          headers: timeoutMs(headersTimeoutMsDefault, "Request sent until the answer's headers"),
          idle: timeoutMs(idleTimeoutMsDefault, "The longest silence inside an answer"),
        },
        { description: "How long to wait for this account." },
      ),
    ),
    responseBytesMax: Type.Optional(
      wholeNumber(1024, bodyBudgetBytes, {
        description: "The longest answer that is held whole, in bytes.",
        default: responseBytesMaxDefault,
      }),
    ),
  },
  { description: "One account at a provider." },
);
export type ProviderEntry = Static<typeof ProviderEntry>;
