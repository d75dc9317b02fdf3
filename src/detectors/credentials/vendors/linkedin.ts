import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const linkedin: readonly EntityDetector[] = [
  assignedToken({
    id: "linkedin-client-secret",
    entityType: "LINKEDIN_SECRET",
    description: "Client secret of LinkedIn.",
    owners: ["linkedin", "linked in"],
    value: String.raw`[A-Za-z0-9]{16}|WPL_AP1\.[A-Za-z0-9]{16}\.[A-Za-z0-9+/=]{8}`,
    exampleName: "client_secret",
    examples: ["uXypv9JYm0xMtzDw", "ziCyvBgt7iFC4L6k"],
  }),
  assignedToken({
    id: "linkedin-client-id",
    entityType: "LINKEDIN_CLIENT_ID",
    description: "Client id of LinkedIn.",
    owners: ["linkedin", "linked in"],
    value: "[A-Za-z0-9]{14}",
    exampleName: "client_id",
    examples: ["IA5OvtH1hap8XT", "1V2QxrE8LmfdSt"],
  }),
];
