import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const dropbox: readonly EntityDetector[] = [
  assignedToken({
    id: "dropbox-app-secret",
    entityType: "DROPBOX_SECRET",
    description: "App key or secret of Dropbox.",
    owners: ["dropbox"],
    value: "[A-Za-z0-9]{15}",
    exampleName: "app_secret",
    examples: ["OANPAuxkcItHyRS", "CNpfQCSpmdnVNFv"],
  }),
  markedToken({
    id: "dropbox-short-lived-token",
    entityType: "DROPBOX_TOKEN",
    description: "Short-lived token of Dropbox.",
    prefix: ["sl.", "sl.u."],
    body: String.raw`[\w-]{130,}`,
    examples: [
      "IjwO48QdTtH3lrvyMD3Q57tEMDxz9ShQUkmKUALtHfoOq7Nj6mqVl5x1803FUBdxyTBmxlpxzfl79MyecC4Rz5kWzuYIVKoRYkWfERTyUzmMlfbIrPex5ExxuempjsczgiLBPvI5oM",
    ],
  }),
  assignedToken({
    id: "dropbox-long-lived-token",
    entityType: "DROPBOX_TOKEN",
    description: "Long-lived token of Dropbox.",
    owners: ["dropbox"],
    value: String.raw`[A-Za-z0-9]{11}A{10}[\w=-]{43}|[\w-]{64}`,
    exampleName: "access_token",
    examples: [
      "Mms01fGyI196266WsEhqEptixeJYKwIgCKijuyYE2KxnoVmwqIEiKbkC0UbmInVv",
      "27zxNTldJ7WRULohJLjxq2t9KiDea9jrDbRxdtCp3YCY1Ran2DLotDVWWuxpED6T",
    ],
  }),
];
