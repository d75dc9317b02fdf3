import { couldBeTypedPassword } from "../chosen-password.ts";
import type { EntityDetector } from "../../entity.ts";

export const netrcPassword: EntityDetector = {
  id: "netrc-password",
  entityType: "PASSWORD",
  label: "PASSWORD",
  category: "credential",
  description: "Password in a .netrc file.",
  keywords: ["login "],
  pattern: String.raw`\b(?:machine\s{1,8}[!-~]{1,253}|default)\s{1,8}login\s{1,8}[!-~]{1,128}\s{1,8}(?:account\s{1,8}[!-~]{1,128}\s{1,8})?password\s{1,8}([!-~]{1,256})`,
  group: 1,
  score: 0.9,
  validate: couldBeTypedPassword,
  positives: [
    ["machine api.meadow.test login ci password kT7vq2Lx", "kT7vq2Lx"],
    ["machine git.meadow.test\n  login ops\n  password frosty-lake\n", "frosty-lake"],
  ],
  negatives: [
    "machine api.meadow.test login ci password <password>",
    "the machine asks for a login and a password first",
  ],
};
