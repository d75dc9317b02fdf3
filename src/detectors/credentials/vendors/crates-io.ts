import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const cratesIo: readonly EntityDetector[] = [
  markedToken({
    id: "crates-io-token",
    entityType: "CRATES_IO_TOKEN",
    description: "API token of crates.io.",
    prefix: "cio",
    body: "[A-Za-z0-9]{32}",
    examples: ["c4coDaKsTVRaJ2AHm4E8YXxS4zbvKAKq", "OxNCO1TC6X3oHKt8HW30Dl6jS61Devas"],
  }),
];
