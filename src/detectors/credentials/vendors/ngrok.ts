import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const ngrok: readonly EntityDetector[] = [
  assignedToken({
    id: "ngrok-token",
    entityType: "NGROK_TOKEN",
    description: "Auth token of ngrok.",
    owners: ["ngrok"],
    value: "[12][A-Za-z0-9]{26}_[A-Za-z0-9]{20,21}",
    exampleName: "authtoken",
    examples: [
      "2qifcNfBOoj4eXw8KY2rG218TUZ_mWpfuZqqVaMtQkw1VpQP",
      "2IYOPdQI3KSe7jBwPfxGuJnOBTv_grWxaZLfla3tJAGflrjW",
    ],
  }),
];
