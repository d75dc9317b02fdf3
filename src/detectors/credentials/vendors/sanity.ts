import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const sanity: readonly EntityDetector[] = [
  assignedToken({
    id: "sanity-token",
    entityType: "SANITY_TOKEN",
    description: "API token of Sanity.",
    owners: ["sanity"],
    value: "sk[A-Za-z0-9]{78,180}",
    exampleName: "token",
    examples: [
      "sk6FRjqnIyyIEq3mxwTFKu4clIDiVXPGeHxkFLrslsimB43CLTHZZQGuNUYQOUz0WWxjtgfrnj8nx7F2YMGOrx3nabAmf57Np1jwjtPxk9c2XJEVJB9poZqXpcyJflnCoJVfhLalhRD7RlCKe9sHJi8tMk4DyqFcwJEUc6haGx7IXsECWRr7",
    ],
  }),
];
