import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const tinybird: readonly EntityDetector[] = [
  markedToken({
    id: "tinybird-token",
    entityType: "TINYBIRD_TOKEN",
    description: "Token of Tinybird.",
    prefix: "p.eyJ",
    body: String.raw`[\w-]{60,220}\.[\w-]{20,60}`,
    examples: [
      "1OmLEGQGjkmM4PTlhutiL3YXwiHVDnwRCn6ueByc6ftGw2rR0Tb4haX9h3PoCev7R6dgLWKDTatzZuZCkkrq7MgG6TYB0HBq3W81N.FiTPCBTLuIgaHG5EwnLFtzvk5CdJuwX6EdO4nODDvPD",
      "1y8KL5FykAI2PgjToTbVgnwjvvZLbqLYGYccMDBjM4p1iDSy8qG4k5wBsdNeMpI9TDwXzsz8jkQSSuKchQJfW8XxkRlXmkdtSoTO9.vWSFiYcQO2rwSdEcxrYnFKvkZtPAaP44dPvFppmorv5",
    ],
  }),
];
