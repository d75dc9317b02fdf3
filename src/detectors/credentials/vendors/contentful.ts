import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const contentful: readonly EntityDetector[] = [
  markedToken({
    id: "contentful-management-token",
    entityType: "CONTENTFUL_TOKEN",
    description: "Management token of Contentful.",
    prefix: "CFPAT-",
    body: String.raw`[\w-]{43}`,
    examples: [
      "Pvk5ASKEkhrCS69HcdVEcuujXdEwLWkkg8oYoEXXkqy",
      "h7rARpfWThxO1UwA9EPNqrmR60yKLSgsK5KHC4eOx3W",
    ],
  }),
  assignedToken({
    id: "contentful-delivery-token",
    entityType: "CONTENTFUL_TOKEN",
    description: "Delivery or preview token of Contentful.",
    owners: ["contentful"],
    value: String.raw`[\w=-]{43}`,
    exampleName: "delivery_token",
    examples: [
      "9tdgjFuKwc0juLmLLJWkVL50zhIibt0L8ffLzqX32fW",
      "TccVRaNhvdg6AibvLDrwLIizAB5g7IukkTnyX4Bt7mF",
    ],
  }),
];
