import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const launchdarkly: readonly EntityDetector[] = [
  markedToken({
    id: "launchdarkly-key",
    entityType: "LAUNCHDARKLY_KEY",
    description: "SDK, mobile or API key of LaunchDarkly.",
    prefix: ["sdk-", "mob-", "api-"],
    isWordMark: true,
    body: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    examples: ["f2792010-ce8d-9304-037e-6b3f7d9df0c7", "53db140a-73d7-6411-190c-116d438ba5f3"],
  }),
  assignedToken({
    id: "launchdarkly-access-token",
    entityType: "LAUNCHDARKLY_KEY",
    description: "Access token of LaunchDarkly.",
    owners: ["launchdarkly", "launch darkly"],
    value: String.raw`[\w=-]{40}`,
    exampleName: "access_token",
    examples: [
      "45bOxqSz4pFMXNxirJKE5ZyIzFr2iMLN1b1ExAqL",
      "ViiPtRp4KJ2nK9qhthoeQC9gR1WMi1UK3PtNLB8i",
    ],
  }),
];
