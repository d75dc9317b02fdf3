import type { EntityDetector } from "../../entity.ts";
import { isDrawnSecret } from "../drawn-secret.ts";
import { passwordName, secretName } from "../secret-name.ts";

export const secretArgument: EntityDetector = {
  id: "secret-argument",
  entityType: "SECRET",
  label: "SECRET",
  category: "credential",
  description: "Random text after a command's option, or set by a command, under a secret's name.",
  keywords: ["--", "env ", "arg ", "setx ", "set "],
  pattern: String.raw`(?:\s--[\w-]{0,32}|\b(?:env|arg|setx|configure set|config set) [\w.:/-]{0,60})(?:${secretName}|${passwordName})[ \t]{1,4}["']?([\w.+/=~!@#%^&*:-]{8,300})`,
  caseInsensitive: true,
  group: 1,
  score: 0.6,
  validate: isDrawnSecret,
  positives: [
    ["meadow login --token v7Tq2Lxk81cQn4Vt90Zp", "v7Tq2Lxk81cQn4Vt90Zp"],
    ["ENV MEADOW_API_KEY v7Tq2Lxk81cQn4Vt90Zp", "v7Tq2Lxk81cQn4Vt90Zp"],
    [
      "aws configure set aws_secret_access_key kT7vq2Lx81cQn4Vt90ZpWm5Ys3Hd6Rb1Gf0Uja4N",
      "kT7vq2Lx81cQn4Vt90ZpWm5Ys3Hd6Rb1Gf0Uja4N",
    ],
    ["mysql --password 'kT7vq2Lx!9'", "kT7vq2Lx!9"],
  ],
  negatives: [
    "meadow login --token $MEADOW_TOKEN",
    "meadow login --token <token>",
    "meadow --token-file /run/secrets/meadow",
    "--password is required",
  ],
};
