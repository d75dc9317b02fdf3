import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const age: readonly EntityDetector[] = [
  markedToken({
    id: "age-secret-key",
    entityType: "AGE_SECRET_KEY",
    description: "Secret key of the age encryption tool.",
    prefix: "AGE-SECRET-KEY-1",
    body: "[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}",
    examples: [
      "CN5Q0YKGKPA0EZ3GZATC89XV9S0ZWFSRE5RCE2A3WD4YYX3S3GHQN8P72S",
      "YYNPZUAPXT6MRWAMS5EFV4SZEKFNQF39R5EAGQTWLCWEAARQNTAN2C9F6R",
    ],
  }),
];
