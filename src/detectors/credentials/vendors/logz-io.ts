import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const logzIo: readonly EntityDetector[] = [
  assignedToken({
    id: "logz-io-token",
    entityType: "LOGZ_IO_TOKEN",
    description: "Shipping token of Logz.io.",
    owners: ["logz", "logzio"],
    value: "[A-Za-z0-9]{32}",
    exampleName: "token",
    examples: ["HVmDuPMPxqUmtTEcYiVYQ5ICQD6mwIEq", "CGdu2JJfaYCfNMKks7Lb1YkJ8DKn0Uvz"],
  }),
];
