import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const infisical: readonly EntityDetector[] = [
  markedToken({
    id: "infisical-token",
    entityType: "INFISICAL_TOKEN",
    description: "Service token of Infisical.",
    prefix: "st.",
    body: String.raw`[0-9a-f]{24}\.[0-9a-f]{32}\.[0-9a-f]{32}|[0-9a-f-]{36}\.[0-9a-f]{32}\.[0-9a-f]{32}`,
    examples: [
      "1e77b36d733b20c1965d7b88.e1d948beb75b044a8fe8b9e28ebd1049.52b9dbc8a3e1bd460d86f0ec5ef73fa6",
      "24d6fbb736d2ebfef59bcf78.6347481bc4a01f6e513d7b4172374bb7.2ee678ae2a10cab39dc316deabb43aa6",
    ],
  }),
];
