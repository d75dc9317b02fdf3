import { couldBePassword } from "../chosen-password.ts";
import type { EntityDetector } from "../../entity.ts";
import { bare } from "../printable.ts";
import { passwordName, passwordNameKeywords } from "../secret-name.ts";

/** `… for the staging server is`, `… fürs Portal lautet:` */
const verb = String.raw`(?:[ \t]{1,2}[^\s:=,;()<>"]{1,24}){1,8}[ \t]{1,2}(?:is|was|ist|war|lautet|est|es|era|é|è)[ \t]?:?[ \t]{1,2}`;

export const prosePassword: EntityDetector = {
  id: "prose-password",
  entityType: "PASSWORD",
  label: "PASSWORD",
  category: "credential",
  description: "A chosen password that follows the word for it in a sentence.",
  keywords: passwordNameKeywords,
  pattern: String.raw`${passwordName}(?:[ \t]{1,2}|${verb})["'\x60]?([a-z0-9]${bare}{6,62}[!#-&*+\-/-9=?-Z^_a-z~])`,
  caseInsensitive: true,
  group: 1,
  score: 0.55,
  validate: isPlainlyPassword,
  positives: [
    ["Her login is lena, password Harbor-Tulip-2291\n(to be changed)", "Harbor-Tulip-2291"],
    ["The password for the staging server is Meadow!71q, keep it.", "Meadow!71q"],
    ["Das Passwort fürs Portal lautet Regen-Schirm-44.", "Regen-Schirm-44"],
    ["La contraseña del portal es Roble2024!", "Roble2024!"],
    ["Le mot de passe du wifi est `Chene-Vert-71`", "Chene-Vert-71"],
    ["user svc, password Winter2019", "Winter2019"],
  ],
  negatives: [
    "The password hash is SHA-256 with a salt.",
    "Our password policy was written for Windows-2019",
    "password Base64-encoded",
    "password reset?token=1a2b3c",
    "reset the password lena.k71@meadow.test asked for",
    "a password field#2 of the form",
    "The password for the server is in config/app-2024",
  ],
};

/**
 * This is stricter than the rule for assigned values, because prose has numbers and hyphens of its
 * own.
 */
function isPlainlyPassword(value: string): boolean {
  if (/[=/]|@[\w-]+\.\w/.test(value) || !couldBePassword(value)) return false;
  const isMixed = /[a-z]/.test(value) && /[A-Z]/.test(value);
  return /[!$%&@^*?~]/.test(value) || (isMixed && /[-_.]\d{2,}$|[a-z]\d{4,}$/i.test(value));
}
