import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const ionic: readonly EntityDetector[] = [
  markedToken({
    id: "ionic-token",
    entityType: "IONIC_TOKEN",
    description: "API token of Ionic.",
    prefix: "ion_",
    body: "[A-Za-z0-9]{42}",
    examples: [
      "ir5Pv0owrZrdcuK4XLkmJbOBi25Qxdq18gEGbIaJjq",
      "LLs9GAnKrxS5xGFlXTdyk7z1bJuEGIZLwd35yMeAnN",
    ],
  }),
];
