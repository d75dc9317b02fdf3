import type { EntityDetector } from "../../entity.ts";
import { bare } from "../printable.ts";
import { assignedPlain } from "../assignment.ts";
import { couldBePassword } from "../chosen-password.ts";
import { passwordName, passwordNameKeywords } from "../secret-name.ts";

export const plainPassword: EntityDetector = {
  id: "plain-password",
  entityType: "PASSWORD",
  label: "PASSWORD",
  category: "credential",
  description: "Text with letters and digits, assigned to the name of a password.",
  keywords: passwordNameKeywords,
  // The match includes a bracket after the value, so that a call or an index is refused. The
  // alternative for templates comes first: `{{ .Values.password | b64enc }}`.
  pattern: String.raw`\{\{[^{}\n]{0,200}\}\}|${passwordName}${assignedPlain}(${bare}{5,127}[!#-&*+\-/-9=?-Z^_a-z~][(\[{]?)`,
  caseInsensitive: true,
  group: 1,
  score: 0.6,
  validate: (value) => !/[([{]$/.test(value) && couldBePassword(value),
  positives: [
    ["DB_PASSWORD=Meadow!71q\n", "Meadow!71q"],
    ["  password: kT7vq2Lx", "kT7vq2Lx"],
    ["My password is quietFox71.", "quietFox71"],
    ["<password>zp31n-Q8w</password>", "zp31n-Q8w"],
    ["smtp.pass = n4Vt81cQ", "n4Vt81cQ"],
    ["**Password:** quietFox71", "quietFox71"],
    ["password:             kT7vq2Lx", "kT7vq2Lx"],
    ["password: Meadow_6273", "Meadow_6273"],
    ["My password was quietFox71, what now?", "quietFox71"],
    ["Das Passwort lautet quietFox71.", "quietFox71"],
    ["Mot de passe : quietFox71", "quietFox71"],
    ["La contraseña es quietFox71", "quietFox71"],
    ["A palavra-passe é quietFox71", "quietFox71"],
    ["Parola d'ordine: quietFox71", "quietFox71"],
    ["Wachtwoord: quietFox71", "quietFox71"],
    ["LÖSENORD: quietFox71", "quietFox71"],
    ["Hasło: quietFox71", "quietFox71"],
    ["Şifre: quietFox71", "quietFox71"],
    ["Пароль: quietFox71", "quietFox71"],
    ["パスワード: quietFox71", "quietFox71"],
    ["密码：quietFox71", "quietFox71"],
    ["我的密码是quietFox71。", "quietFox71"],
    ["パスワードはquietFox71です", "quietFox71"],
  ],
  negatives: [
    "DB_PASSWORD=$PASSWORD",
    "password = config.database.password1",
    "password = hash256(input)",
    "password: <your password>",
    "The password is required.",
    "password: at least 8 characters",
    "PASSWORD=%PASSWORD%",
    "La parola è importante.",
    "password: redis-7",
    "The password was reset.",
    "password: {{ .Values.password | b64enc }}",
    "PASSWORD=\nquietFox71",
    "It passes size2048 to the pool.",
    "readonly STENCIL_DEPTH_PASS: 0x0B96;",
    "void f(int max_passes: int=10000000)",
    "password: *db_pass",
  ],
};
