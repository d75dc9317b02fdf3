import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const ionic: readonly EntityDetector[] = [
  assignedToken({
    id: "ionic-token",
    entityType: "IONIC_TOKEN",
    description: "API token of Ionic.",
    owners: ["ionic"],
    value: "ion_[A-Za-z0-9]{42}",
    exampleName: "token",
    examples: [
      "ion_ir5Pv0owrZrdcuK4XLkmJbOBi25Qxdq18gEGbIaJjq",
      "ion_LLs9GAnKrxS5xGFlXTdyk7z1bJuEGIZLwd35yMeAnN",
    ],
  }),
];
