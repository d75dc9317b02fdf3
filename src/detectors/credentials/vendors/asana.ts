import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const asana: readonly EntityDetector[] = [
  assignedToken({
    id: "asana-client-secret",
    entityType: "ASANA_SECRET",
    description: "Client secret of Asana.",
    owners: ["asana"],
    value: "[A-Za-z0-9]{32}",
    exampleName: "client_secret",
    examples: ["pB4ALOFQqgbce7NgjCm0EzCKuwRf2P3t", "CruyoAbaAQpWDLfKMgY5fJepxkjC9q45"],
  }),
  assignedToken({
    id: "asana-client-id",
    entityType: "ASANA_CLIENT_ID",
    description: "Client id of Asana.",
    owners: ["asana"],
    value: String.raw`\d{16}`,
    exampleName: "client_id",
    examples: ["7705830581240099", "6068296666796142"],
  }),
  assignedToken({
    id: "asana-access-token",
    entityType: "ASANA_TOKEN",
    description: "Personal access token of Asana.",
    owners: ["asana"],
    value: String.raw`[0-2]/\d{15,17}(?:/\d{15,17})?:[0-9a-f]{32}`,
    exampleName: "access_token",
    examples: [
      "1/0749238943785828:0818a3600665b48cd1b6fc8c4280a4a8",
      "1/1143465951740352:89cf1de87be65db5c45a63db445eaffa",
    ],
  }),
];
