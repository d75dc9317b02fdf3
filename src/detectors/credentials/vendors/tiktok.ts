import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const tiktok: readonly EntityDetector[] = [
  assignedToken({
    id: "tiktok-client-secret",
    entityType: "TIKTOK_SECRET",
    description: "Client secret of TikTok.",
    owners: ["tiktok"],
    what: "secret",
    value: "[A-Za-z0-9]{32,40}",
    exampleName: "client_secret",
    examples: ["glZ6pQLf3W9dCrHvelk8K49ErOaPO82F", "RHIZbacl8H0mlmgVqrRQXW0jPXySIbd5"],
  }),
];
