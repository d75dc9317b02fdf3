import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const xero: readonly EntityDetector[] = [
  assignedToken({
    id: "xero-client-secret",
    entityType: "XERO_SECRET",
    description: "Client secret of Xero.",
    owners: ["xero"],
    what: "secret",
    value: String.raw`[\w-]{48}`,
    exampleName: "client_secret",
    examples: [
      "Wd2gs10v1YNZZYNwhq51OXbiTaR0B2XqMBGNvfnAomX7GJ51",
      "ZVaY2QndpwWPSNp7csPNZcqoAyaD5goLccDuXtY6LSrcD433",
    ],
  }),
];
