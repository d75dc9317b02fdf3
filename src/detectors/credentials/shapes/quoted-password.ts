import type { EntityDetector } from "../../entity.ts";
import { unquoted } from "../printable.ts";
import { assignedQuotedAlone, describedQuoted, listedQuoted } from "../assignment.ts";
import { couldBePassword } from "../chosen-password.ts";
import { passwordName, passwordNameKeywords } from "../secret-name.ts";

/**
 * `PASSWORD '…'`, `IDENTIFIED BY '…'` in SQL, and the like in prose; not an option of a command.
 */
const statement = String.raw`[\s,;(](?:password|identified by)[ \t]{1,4}n?["'\x60]`;

/** `put("password", "…")`: the first argument of a call names the second. */
const argument = String.raw`\(\s{0,4}\\?["'\x60][\w.:-]{0,32}${passwordName}${listedQuoted}`;

export const quotedPassword: EntityDetector = {
  id: "quoted-password",
  entityType: "PASSWORD",
  label: "PASSWORD",
  category: "credential",
  description: "Text in quotes, assigned to the name of a password.",
  keywords: [...passwordNameKeywords, "identified by"],
  pattern: String.raw`(?:${passwordName}(?:${describedQuoted}|${assignedQuotedAlone})|${argument}|${statement})(${unquoted}{6,128})\\{0,2}["'\x60]`,
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
    [`config.put("db.password", "quietFox71")`, "quietFox71"],
    [`PASSWORD           = "Meadow!71q"`, "Meadow!71q"],
    [`CREATE ROLE app LOGIN PASSWORD 'kT7vq2Lx';`, "kT7vq2Lx"],
    [`CREATE USER 'app'@'%' IDENTIFIED BY 'Meadow_7164';`, "Meadow_7164"],
    [`const password = process.env.DB_PASSWORD || "kT7vq2Lx"`, "kT7vq2Lx"],
    [`CREATE LOGIN app WITH PASSWORD = N'Meadow!71q'`, "Meadow!71q"],
    [
      `variable "db_password" {\n  type      = string\n  sensitive = true\n  default   = "Meadow!71q"\n}`,
      "Meadow!71q",
    ],
    [`{"db_password": {"sensitive": true, "type": "string", "value": "kT7vq2Lx"}}`, "kT7vq2Lx"],
  ],
  negatives: [
    `password = "\${var.db_password}"`,
    `password = "changeme123"`,
    `"password": "newPassword2"`,
    `<input type="password" name="pw1" placeholder="Password">`,
    `"password": "********"`,
    `password: "string"`,
    `password_field = "user.password"`,
    `variable "db_password" {\n  type = string\n  description = "Set by TF_VAR_1"\n}`,
    `{"password": {"type": "string", "description": "8 to 64 characters", "default": "none"}}`,
    "Pass `utf8mb4` or `-DHAVE-LIBRSVG` to it.",
    `The option password "policy" is off.`,
    `const fields = ["password", "address1", "address2"];`,
    `os.path.join(pwd, 'page2,line.s2p')`,
    `password =\n\n"quietFox71"`,
    `PASSWORD=\n"quietFox71"`,
    `"password": "required|string|min:8"`,
    `"password": "$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$v7Tq2Lxk81cQn4Vt90Zp"`,
  ],
};
