import { couldBeTypedPassword } from "../chosen-password.ts";
import type { EntityDetector } from "../../entity.ts";

export const queryPassword: EntityDetector = {
  id: "query-password",
  entityType: "PASSWORD",
  label: "PASSWORD",
  category: "credential",
  description: "Password among the parameters of a URL.",
  keywords: ["password", "pwd"],
  pattern: String.raw`[?&][ \t]{0,4}(?:user[ _]?)?(?:password|pwd)[ \t]{0,2}=[ \t]{0,2}([!#-%(-:=?-\[\]-_a-~]{4,128})`,
  caseInsensitive: true,
  group: 1,
  score: 0.8,
  validate: couldBeTypedPassword,
  positives: [
    ["jdbc:mysql://db.meadow.test/app?user=app&password=kT7vq2Lx&ssl=true", "kT7vq2Lx"],
    ["POST grant_type=password&username=app&password=zp31n%21Q8w&scope=all", "zp31n%21Q8w"],
  ],
  negatives: [
    "jdbc:mysql://db.meadow.test/app?password=${DB_PASSWORD}",
    "?user=app&password=password",
    "?password=********",
    "/users/:id?password=:password",
    "redis://localhost:6379?db=0[&password=password]",
  ],
};
