import type { EntityDetector } from "../../entity.ts";
import { couldBePassword } from "../chosen-password.ts";
import { unquoted } from "../printable.ts";

export const pipedPassword: EntityDetector = {
  id: "piped-password",
  entityType: "PASSWORD",
  label: "PASSWORD",
  category: "credential",
  description: "Password that a shell writes to a command which reads one.",
  keywords: ["echo", "printf"],
  pattern:
    String.raw`\b(?:echo|printf)[ \t]{1,4}(?:-[neE]{1,3}[ \t]{1,4})?["']?(?:[\w.-]{1,64}:)?(${unquoted}{4,128})["']?[ \t]{0,4}\|[ \t]{0,4}` +
    String.raw`(?:sudo[^\n|;]{0,40}[ \t]-S\b|(?:sudo[ \t]{1,4})?chpasswd\b|[^\n|;]{1,120}[ \t]--(?:password-|pass-)?stdin\b)`,
  group: 1,
  score: 0.7,
  validate: couldBePassword,
  positives: [
    ["echo 'Meadow!71q' | sudo -S apt update", "Meadow!71q"],
    ['echo "ops:kT7vq2Lx" | sudo chpasswd', "kT7vq2Lx"],
    ["echo n4Vt81cQ | docker login -u ci --password-stdin", "n4Vt81cQ"],
  ],
  negatives: [
    "echo $PASSWORD | sudo -S apt update",
    'echo "$REGISTRY_TOKEN" | docker login -u ci --password-stdin',
    "echo n4Vt81cQ | sha256sum",
    "echo done | sudo tee -a /etc/motd",
  ],
};
