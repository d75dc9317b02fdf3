import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const sumologic: readonly EntityDetector[] = [
  assignedToken({
    id: "sumologic-access-id",
    entityType: "SUMOLOGIC_ACCESS_ID",
    description: "Access id of Sumo Logic.",
    owners: ["sumo"],
    value: "su[A-Za-z0-9]{12}",
    exampleName: "access_id",
    examples: ["suUm5ikMAJv9dc", "suVvHT4564al64"],
  }),
  assignedToken({
    id: "sumologic-access-key",
    entityType: "SUMOLOGIC_ACCESS_KEY",
    description: "Access key of Sumo Logic.",
    owners: ["sumo"],
    value: "[A-Za-z0-9]{64}",
    exampleName: "access_key",
    examples: [
      "VIwYo0ijgOTo95cV8NAoXznxY7GzBya9hZ4EP4sgfGRLmRUMI0UZMJtdun4AZ75t",
      "O2KIyI2auaeVUPhbx5nFwqeUIicmVs1NN3MjtFncUFapRm8Lj5cvNdQw1MVIUaYl",
    ],
  }),
];
