import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const octopusDeploy: readonly EntityDetector[] = [
  markedToken({
    id: "octopus-deploy-api-key",
    entityType: "OCTOPUS_DEPLOY_API_KEY",
    description: "API key of Octopus Deploy.",
    prefix: "API-",
    body: "[A-Z0-9]{25,32}",
    examples: ["FVO0WHKF8F94NDY3LIWECEUZ6G", "D78A8JIKDFKG1KSM2U2DLLMOO0"],
  }),
];
