import type { EntityDetector } from "../../entity.ts";

const keyLines =
  "AAAAgQCx3vYk0ZqTn4wLsd72JfQhVbE1mGtPuKo3XyR6HcWzD5iSgNaTjU0pBvMl\nq9eCnYfZ8sKwXo2Hd4rJ";

export const puttyPrivateKey: EntityDetector = {
  id: "putty-private-key",
  entityType: "PRIVATE_KEY",
  label: "PRIVATE_KEY",
  category: "credential",
  description: "Private part of a PuTTY key file.",
  keywords: ["private-lines"],
  pattern: String.raw`Private-Lines: \d{1,4}(?:\r?\n|\\r?\\n|\\n)([A-Za-z0-9+/=\s\\]{32,})`,
  group: 1,
  score: 0.98,
  validate: (value) => /[A-Za-z0-9+/]{32}/.test(value),
  positives: [[`PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 2\n${keyLines}`, keyLines]],
  negatives: [
    "PuTTY-User-Key-File-3: ssh-rsa\nPublic-Lines: 1\nAAAAB3NzaC1yc2EAAAADAQABAAABgQCx3v",
  ],
};
