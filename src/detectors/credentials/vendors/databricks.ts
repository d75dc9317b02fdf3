import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const databricks: readonly EntityDetector[] = [
  markedToken({
    id: "databricks-token",
    entityType: "DATABRICKS_TOKEN",
    description: "Access token of Databricks.",
    prefix: "dapi",
    body: String.raw`[0-9a-fA-F]{32}(?:-\d)?`,
    examples: ["455da26c1663c6b887cfae2a3dc40b42", "fa3905f836a2bc71f79c5e9b877873ed"],
  }),
  markedToken({
    id: "databricks-oauth-secret",
    entityType: "DATABRICKS_TOKEN",
    description: "OAuth secret of Databricks.",
    prefix: "dose",
    body: "[0-9a-f]{32}",
    examples: ["d5d00fd7f5704cfe3bf1263ee3fa37ee", "63e0f70cf19c70400f13fa906ddb3bb7"],
  }),
];
