import { couldBeTypedPassword } from "../chosen-password.ts";
import type { EntityDetector } from "../../entity.ts";

/** A word of the next entry, which follows if the password is missing. */
const keyword = /^(?:machine|default|login|account|password|macdef)$/;

const entry = String.raw`\b(?:machine\s{1,8}[!-~]{1,253}|default)\s{1,8}login\s{1,8}`;

export const netrcPassword: EntityDetector = {
  id: "netrc-password",
  entityType: "PASSWORD",
  label: "PASSWORD",
  category: "credential",
  description: "Password in a .netrc file.",
  keywords: ["login "],
  // The alternative for an anonymous login comes first and has no value, so that its password is
  // not found.
  pattern: String.raw`${entry}anonymous\s{1,8}password\s{1,8}[!-~]{1,256}|${entry}[!-~]{1,128}\s{1,8}(?:account\s{1,8}[!-~]{1,128}\s{1,8})?password\s{1,8}([!-~]{4,256})`,
  group: 1,
  score: 0.9,
  validate: (value) => !keyword.test(value) && couldBeTypedPassword(value),
  positives: [
    ["machine api.meadow.test login ci password kT7vq2Lx", "kT7vq2Lx"],
    ["machine git.meadow.test\n  login ops\n  password frosty-lake\n", "frosty-lake"],
  ],
  negatives: [
    "machine api.meadow.test login ci password <password>",
    "the machine asks for a login and a password first",
    "machine a.meadow.test login ci password\nmachine b.meadow.test login ci",
    'machine HOST login USER password "PASSWORD"',
    "default login anonymous password me@meadow.test",
    "use a default login and password to avoid a prompt",
  ],
};
