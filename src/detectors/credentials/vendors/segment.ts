import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const segment: readonly EntityDetector[] = [
  assignedToken({
    id: "segment-write-key",
    entityType: "SEGMENT_KEY",
    description: "Write key of Segment.",
    owners: ["segment"],
    what: "(?:write|api|key|token)",
    value: "[A-Za-z0-9]{32}",
    exampleName: "write_key",
    examples: ["c53LneS3xWd9txPz1HzRURp31InC8mI1", "OKbhyA6wZwiqhwrrFgDQuFGQeX4Vo3Bz"],
  }),
  markedToken({
    id: "segment-public-api-token",
    entityType: "SEGMENT_KEY",
    description: "Public API token of Segment.",
    prefix: "sgp_",
    body: "[A-Za-z0-9]{64}",
    examples: [
      "KfchXHpOglhJtEjuacxyeH9wuQMEMYFuyeU1UjSOx6Gvnytp38dX9sIMoPHuc792",
      "WLrti0wL71NtFj3MifpbIAEwvG7c28fahOFygWVzMEG0dwW5H5LuCa9e8jpTj05r",
    ],
  }),
];
