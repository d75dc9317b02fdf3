import { couldBeTypedPassword } from "../chosen-password.ts";
import type { EntityDetector } from "../../entity.ts";

export const connectionPassword: EntityDetector = {
  id: "connection-password",
  entityType: "PASSWORD",
  label: "PASSWORD",
  category: "credential",
  description: "Password in a connection string.",
  keywords: ["password", "pwd"],
  pattern: String.raw`;[ \t]{0,4}(?:user[ _]?)?(?:password|pwd)[ \t]{0,2}=[ \t]{0,2}([!#-&(-:=?-\[\]-_a-~]{4,128})`,
  caseInsensitive: true,
  group: 1,
  score: 0.8,
  validate: couldBeTypedPassword,
  positives: [
    ["Server=db;Database=app;User Id=sa;Password=Meadow!71q;", "Meadow!71q"],
    ["Server=db;User Id=sa;Password=Meadow&71q;Encrypt=True", "Meadow&71q"],
    ["jdbc:sqlserver://db.meadow.test;user=app;password=kT7vq2Lx", "kT7vq2Lx"],
    ['"Driver={SQL};Uid=app;Pwd=zp31nQ8w"', "zp31nQ8w"],
  ],
  negatives: [
    "Server=db;User Id=sa;Password=${DB_PASSWORD};",
    "Server=db;User Id=sa;Password=<password>;",
    "Server=db;Password=********;",
    "Server=db;Password=password;",
  ],
};
