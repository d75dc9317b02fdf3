import type { EntityDetector } from "../../entity.ts";
import { listedQuoted } from "../assignment.ts";
import { couldBePassword } from "../chosen-password.ts";
import { unquoted } from "../printable.ts";
import { passwordName, passwordNameKeywords } from "../secret-name.ts";

export const pairedPassword: EntityDetector = {
  id: "paired-password",
  entityType: "PASSWORD",
  label: "PASSWORD",
  category: "credential",
  description: "Text in quotes, in a pair with the name of a password.",
  keywords: passwordNameKeywords,
  pattern: String.raw`[\[{]\s{0,4}["'\x60][\w.:-]{0,32}${passwordName}${listedQuoted}(${unquoted}{6,128})\\?["'\x60]\s{0,4}[\]}]`,
  caseInsensitive: true,
  group: 1,
  score: 0.6,
  validate: couldBePassword,
  positives: [
    [`new Map([["user", "ops"], ["password", "kT7vq2Lx"]])`, "kT7vq2Lx"],
    [`{{"db.password", "quietFox71"}}`, "quietFox71"],
  ],
  negatives: [
    `const fields = ["password", "address1", "address2"];`,
    `["password", "passwordRepeated2"]`,
    `["user", "password"], ["ops71x", "admin71x"]`,
  ],
};
