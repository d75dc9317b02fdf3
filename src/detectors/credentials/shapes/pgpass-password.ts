import { couldBeTypedPassword } from "../chosen-password.ts";
import type { EntityDetector } from "../../entity.ts";

export const pgpassPassword: EntityDetector = {
  id: "pgpass-password",
  entityType: "PASSWORD",
  label: "PASSWORD",
  category: "credential",
  description: "Password in PostgreSQL's .pgpass file.",
  keywords: ["pgpass", ":5432:", ":*:"],
  pattern: String.raw`(?:^|[\s"'])[\w.*-]{1,253}:(?:543\d|6432|\*):[\w*-]{1,63}:[\w.*-]{1,63}:([!#-&(-9;-~]{4,128})`,
  group: 1,
  score: 0.85,
  validate: couldBeTypedPassword,
  positives: [
    ["db.meadow.test:5432:app:app:kT7vq2Lx", "kT7vq2Lx"],
    ["# pgpass\n*:*:*:ops:frosty-lake\n", "frosty-lake"],
  ],
  negatives: ["hostname:port:database:username:password", "db:5432:app:app:<password>"],
};
