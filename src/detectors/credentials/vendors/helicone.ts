import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const helicone: readonly EntityDetector[] = [
  markedToken({
    id: "helicone-key",
    entityType: "HELICONE_KEY",
    description: "API key of Helicone.",
    prefix: ["sk-helicone-"],
    body: "(?:[a-z]{2}-)?[a-z0-9]{7}-[a-z0-9]{7}-[a-z0-9]{7}-[a-z0-9]{7}",
    examples: ["0o58r92-atlhw8p-mfe78km-ynz70c2", "9akb8xm-ob5yo7o-fd1df5f-s9geqwl"],
  }),
];
