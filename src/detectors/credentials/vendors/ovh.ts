import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const ovh: readonly EntityDetector[] = [
  assignedToken({
    id: "ovh-application-secret",
    entityType: "OVH_SECRET",
    description: "Application secret or consumer key of OVHcloud.",
    owners: ["ovh"],
    what: "(?:secret|consumer)",
    value: "[A-Za-z0-9]{32}",
    exampleName: "application_secret",
    examples: ["yECPjBSnAuxKfvI3cZoKVGSom5lSe1Zk", "sPymzeLltcppaWvV82bhzo0VK3zDJyyc"],
  }),
];
