import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const clickhouse: readonly EntityDetector[] = [
  markedToken({
    id: "clickhouse-cloud-secret",
    entityType: "CLICKHOUSE_SECRET",
    description: "API secret key of ClickHouse Cloud.",
    prefix: "4b1d",
    body: "[A-Za-z0-9]{38}",
    examples: ["enhCI2N8Aqmu2M0tDWzw18t3q6XLmXUkAhx0Lh", "BSna3U6EfNxG9fZEshzos1xPzrf3VAl71Ltd2Y"],
  }),
];
