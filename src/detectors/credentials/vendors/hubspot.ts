import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const hubspot: readonly EntityDetector[] = [
  markedToken({
    id: "hubspot-private-app-token",
    entityType: "HUBSPOT_TOKEN",
    description: "Private app token of HubSpot.",
    prefix: ["pat-na1-", "pat-na2-", "pat-eu1-", "pat-ap1-"],
    body: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    examples: ["3efe050f-11ac-0a6c-33c9-7964bee8eddd", "9a39d3db-ad49-7833-7a89-1c1e816106f3"],
  }),
  assignedToken({
    id: "hubspot-api-key",
    entityType: "HUBSPOT_API_KEY",
    description: "API key of HubSpot.",
    owners: ["hubspot"],
    value: "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}",
    examples: ["95650d15-9861-230f-fb96-e5c06964ceb7", "0c420ff8-cc0d-f5b6-c059-332223784ce7"],
  }),
];
