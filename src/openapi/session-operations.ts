import { OpenedSessionAnswer, OpenSession, SessionAnswer } from "../contract/keys-api/session.ts";
import { keysApiOperation } from "./keys-api-operation.ts";
import type { Operation } from "./operation.ts";

const session = {
  id: "session_019f2c7a90be1f2e3d4c5b6a79887766",
  key: {
    id: "key_019f2c7a90be4f1d2c7a90be4f1d2c7a",
    name: "Operations",
    label: "sk-gw-0e6…1c96",
    role: "operator",
    orgId: null,
  },
  openedAt: "2026-01-17T09:30:00.000Z",
  endsAt: "2026-01-17T21:30:00.000Z",
  idleSeconds: 1_800,
};
const key = "sk-gw-0e63b7d18f4c2a9b5d6e7f80112233445566778899aabbcc";
const token = "5f".repeat(32);

const withSession: readonly Readonly<Record<string, readonly []>>[] = [{ session: [] }];

export const sessionOperations = {
  "/api/v1/gateway/sessions": {
    post: {
      ...keysApiOperation({
        operationId: "openSession",
        summary: "Sign in",
        description:
          "Exchanges a key for a session. The answer sets a cookie and has a token; every later call needs both, and one that changes something the dashboard's own `Origin`. The session ends when it is idle for 30 minutes, after 12 hours, at sign-out, and at the next call after its key was revoked or rotated past its grace. Ten attempts a minute and address.",
        tag: "Sessions",
        body: { schema: OpenSession, value: { key } },
        answer: {
          schema: OpenedSessionAnswer,
          value: { data: { ...session, token } },
          status: "201",
        },
        errors: ["rate_limit_exceeded"],
      }),
      security: [],
    },
  },
  "/api/v1/gateway/sessions/current": {
    get: {
      ...keysApiOperation({
        operationId: "getSession",
        summary: "Who is signed in",
        description: "The session and its key, as the key is now.",
        tag: "Sessions",
        answer: { schema: SessionAnswer, value: { data: session } },
      }),
      security: withSession,
    },
    delete: {
      ...keysApiOperation({
        operationId: "closeSession",
        summary: "Sign out",
        description: "Ends the session on the server and takes the cookie away.",
        tag: "Sessions",
      }),
      security: withSession,
    },
  },
} satisfies Readonly<Record<string, Readonly<Record<string, Operation>>>>;
