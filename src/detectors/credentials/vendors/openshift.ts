import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const openshift: readonly EntityDetector[] = [
  markedToken({
    id: "openshift-token",
    entityType: "OPENSHIFT_TOKEN",
    description: "User token of OpenShift.",
    prefix: "sha256~",
    body: String.raw`[\w-]{43}`,
    examples: [
      "nfJ5C9LdRW695vR9SRB36pk7Fny5crMsE6kTEUQjR4h",
      "QcEjoNSrfEqV2VWGJWB7zRTdSUxpMG0xURsXivf5Yt5",
    ],
  }),
];
