import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const finicity: readonly EntityDetector[] = [
  assignedToken({
    id: "finicity-token",
    entityType: "FINICITY_TOKEN",
    description: "API token of Finicity.",
    owners: ["finicity"],
    value: "[0-9a-f]{32}",
    exampleName: "app_token",
    examples: ["95cdc19230fee4ec4fd1a39cbc4b646c", "2fddb0534a9b983f0f4539b7444a295b"],
  }),
  assignedToken({
    id: "finicity-client-secret",
    entityType: "FINICITY_SECRET",
    description: "Partner secret of Finicity.",
    owners: ["finicity"],
    value: "[A-Za-z0-9]{20}",
    exampleName: "client_secret",
    examples: ["uvOVI3g3PpiuHUYUcRNd", "bLKidUXneH5SjzGW8xK5"],
  }),
];
