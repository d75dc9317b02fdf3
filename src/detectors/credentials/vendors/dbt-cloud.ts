import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const dbtCloud: readonly EntityDetector[] = [
  markedToken({
    id: "dbt-cloud-token",
    entityType: "DBT_CLOUD_TOKEN",
    description: "User or service token of dbt Cloud.",
    prefix: ["dbtu_", "dbtc_", "dbts_"],
    body: String.raw`[\w-]{40,60}`,
    examples: [
      "X8Hks305fLUc60GqQWGjIcuDJkVTLFtdpLCsCdH27nDWCqEy",
      "HDxoFxIwM8Pyi11xvL7Hm65I2ImJE6jSRVe8qRjtQ7pl45F9",
    ],
  }),
];
