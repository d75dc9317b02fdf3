import { Type } from "typebox";
import { members, oneOf } from "../documented-schema.ts";
import { keySecretCharsMax } from "../limits.ts";
import { dataOf, id, moment, nullable } from "./fields.ts";

/** The body of a sign-in. */
export const OpenSession = members(
  {
    key: Type.String({
      description: "A service key's secret.",
      minLength: 1,
      maxLength: keySecretCharsMax,
      errorMessage: "a service key",
      examples: ["sk-gw-0e6…"],
    }),
  },
  { description: "A sign-in." },
);

const sessionKey = members(
  {
    id: id("The key that the session stands for."),
    name: Type.String({ description: "What it is called." }),
    label: Type.String({ description: "What may be shown of the secret." }),
    role: oneOf(["operator", "admin", "viewer", "member"], {
      description: "What it may see and do.",
    }),
    orgId: nullable(Type.String(), "Its organization; null: a platform key.", "an id"),
  },
  { description: "A session's key." },
);

const session = {
  id: id("Names the session in audit events; it is no secret."),
  key: sessionKey,
  openedAt: moment("When it was opened."),
  endsAt: moment("When it ends at the latest."),
  idleSeconds: Type.Integer({ description: "It ends after so many seconds without a request." }),
};

export const SessionAnswer = dataOf(
  members(session, { description: "An open session." }),
  "The session.",
);

/** The answer to a sign-in. The session's other secret is in the cookie. */
export const OpenedSessionAnswer = dataOf(
  members(
    {
      ...session,
      token: Type.String({
        description: "Goes with every request as `X-Svc-Session`, beside the cookie. Shown once.",
      }),
    },
    { description: "A session that was just opened." },
  ),
  "The session that was opened.",
);
