import { Type, type Static } from "typebox";
import { providerTypes } from "./account.ts";
import { wires } from "./wire.ts";
import { members, oneOf, textOf, wholeNumber } from "./documented-schema.ts";
import {
  accountModelsMax,
  bodyBudgetBytes,
  connectTimeoutMsDefault,
  headersTimeoutMsDefault,
  idleTimeoutMsDefault,
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
            "Another name that requests may use. Accounts that give a model the same alias are one pool.",
          ),
        ),
      },
      { description: "A model with an alias." },
    ),
  ],
  {
    description: "A model that the account serves.",
    errorMessage:
      'a model id (1 to 256 printable ASCII characters without spaces) or {"id", "alias"}, the alias without a slash',
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
