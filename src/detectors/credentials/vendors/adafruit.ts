import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const adafruit: readonly EntityDetector[] = [
  assignedToken({
    id: "adafruit-io-key",
    entityType: "ADAFRUIT_KEY",
    description: "Key of Adafruit IO.",
    owners: ["adafruit"],
    value: String.raw`[\w-]{32}`,
    exampleName: "io_key",
    examples: ["jSeRLKgnrkkYCFlkmmJO8LeZgjDwmjLS", "0tF24rzUwYLbwGkmI2ez2o1m6RjFor2G"],
  }),
  markedToken({
    id: "adafruit-io-prefixed-key",
    entityType: "ADAFRUIT_KEY",
    description: "Key of Adafruit IO with a prefix.",
    prefix: "aio_",
    body: "[A-Za-z0-9]{28}",
    examples: ["veUQOMMhLlQfGUCh1ppNKygMn1QU", "8ybD24DwxIuHVLrmExqmQEkzyPkD"],
  }),
];
