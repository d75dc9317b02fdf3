import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const sidekiq: readonly EntityDetector[] = [
  assignedToken({
    id: "sidekiq-secret",
    entityType: "SIDEKIQ_SECRET",
    description: "Credentials of Sidekiq's gem server.",
    owners: ["bundle_enterprise__contribsys__com", "bundle_gems__contribsys__com", "sidekiq"],
    what: null,
    value: "[0-9a-f]{8}:[0-9a-f]{8}",
    exampleName: "",
    examples: ["e85df85f:793b48a3", "e7a7f2b6:ee0217cb"],
  }),
];
