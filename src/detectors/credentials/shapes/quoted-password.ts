import type { EntityDetector } from "../../entity.ts";
import { unquoted } from "../printable.ts";
import { assignedQuoted } from "../assignment.ts";
import { couldBePassword } from "../chosen-password.ts";
import { passwordName, passwordNameKeywords } from "../secret-name.ts";

export const quotedPassword: EntityDetector = {
  id: "quoted-password",
  entityType: "PASSWORD",
  label: "PASSWORD",
  category: "credential",
  description: "Text in quotes, assigned to the name of a password.",
  keywords: passwordNameKeywords,
  pattern: String.raw`${passwordName}${assignedQuoted}(${unquoted}{6,128})\\{0,2}["'\x60]`,
  caseInsensitive: true,
  group: 1,
  score: 0.65,
  validate: couldBePassword,
  positives: [
    [`password = "Meadow!71q"`, "Meadow!71q"],
    [`administrator_login_password = "quietFox71"`, "quietFox71"],
    [`{"db_pass": "kT7vq2Lx"}`, "kT7vq2Lx"],
    [`<add key="ClearTextPassword" value="zp31n-Q8w" />`, "zp31n-Q8w"],
    [`connect(host, user, password='kT7,vq2;Lx')`, "kT7,vq2;Lx"],
  ],
  negatives: [
    `password = "\${var.db_password}"`,
    `password = "changeme123"`,
    `"password": "newPassword2"`,
    `<input type="password" name="pw1" placeholder="Password">`,
    `"password": "********"`,
    `password: "string"`,
    `password_field = "user.password"`,
  ],
};
