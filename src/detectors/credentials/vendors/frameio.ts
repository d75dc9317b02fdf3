import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const frameio: readonly EntityDetector[] = [
  markedToken({
    id: "frameio-token",
    entityType: "FRAMEIO_TOKEN",
    description: "API token of Frame.io.",
    prefix: "fio-u-",
    body: String.raw`[\w=-]{64}`,
    examples: [
      "RVfmH2uK7Oepo5vWeHyBZKOotNyGUCn8js03ctcHVWSzG0C517CBWDruNX6jHEtF",
      "rNjDc8euMRDcb7VrIRKX44FrFxT69s91Ohh1q6PDEbT2BlrKl3feMXAihA6ltsUJ",
    ],
  }),
];
