import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const sentry: readonly EntityDetector[] = [
  markedToken({
    id: "sentry-org-token",
    entityType: "SENTRY_TOKEN",
    description: "Organization auth token of Sentry.",
    prefix: "sntrys_",
    body: "eyJ[A-Za-z0-9+/]{50,400}={0,2}_[A-Za-z0-9+/]{43}",
    examples: [
      "eyJpYXQiOcG8BhT70QlBXRppLX4nQRYRaL0ixaIFng3i6GhSEY9ReJrrZTNxMJFTadKDKZTRnWpUMbArJlMlgii8JJkUH7UNbYg_7RwRNBvzjuvXdqpjxSsrUqyZRURpyKHJjfv1V7HQNXn",
      "eyJpYXQiOtLfmixH3IkFe6D6d6OB3HKkllIwydGfOgc4WxZKEmOsf9yAJKvPhC4OWsKSjElvleFf6GWNEQu7RAt35xL8CTHJFas_0Mm6lMQmgfG1wc5Ot4OMbYPmVa4vRDZeysLmuWAb1bg",
    ],
  }),
  markedToken({
    id: "sentry-user-token",
    entityType: "SENTRY_TOKEN",
    description: "User auth token of Sentry.",
    prefix: "sntryu_",
    body: "[0-9a-f]{64}",
    examples: [
      "c55dd61b5fd7cc4074fbba7cf87e96d89e584c05456bb6412a99c7c70714d963",
      "9965b3d935d06353b1e4dea04b96babd59da91cccbff478d0d358d392f542f0c",
    ],
  }),
  markedToken({
    id: "sentry-internal-token",
    entityType: "SENTRY_TOKEN",
    description: "Integration token of Sentry.",
    prefix: "sntryi_",
    body: "[0-9a-f]{64}",
    examples: [
      "895f4ef7ba6871df1e699e8f152d3a8df6ca2539b2543ec2ad2e67bc35b99d66",
      "9e64e34a4f5b8ce40f98123dd0767dbbf8c2a0437e0f3deb5384cfa61e8b2d98",
    ],
  }),
  assignedToken({
    id: "sentry-legacy-token",
    entityType: "SENTRY_TOKEN",
    description: "Auth token of Sentry without a prefix.",
    owners: ["sentry"],
    value: "[0-9a-f]{64}",
    exampleName: "auth_token",
    examples: [
      "31e0a9398a2c72c08162d1f013737029cc2f8af5704c2c31c57f330c85a838a5",
      "9907c17454c61cddca6f6af34389e9b9603b974dba5ae9192877f08d861b1571",
    ],
  }),
];
