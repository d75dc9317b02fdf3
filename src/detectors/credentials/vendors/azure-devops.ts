import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const azureDevops: readonly EntityDetector[] = [
  assignedToken({
    id: "azure-devops-token",
    entityType: "AZURE_DEVOPS_TOKEN",
    description: "Personal access token of Azure DevOps.",
    owners: ["azure devops", "ado pat", "vsts", "system accesstoken"],
    what: "(?:pat|token|access)",
    value: "[a-z2-7]{52}|[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}",
    exampleName: "pat",
    examples: [
      "yt2rglrtvqapa65yltj2covorgvbmvvyf6qb7spacxlg4wvkzlsv",
      "34niclkhwpldcipl2axowkgeaybans6q2ykel5iyre2spevflzei",
    ],
  }),
];
