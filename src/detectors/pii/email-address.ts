import type { EntityDetector } from "../entity.ts";
import { topLevelDomain } from "./top-level-domains.ts";

/** RFC 5321's longest path. */
const addressUnitsMax = 254;

export const emailAddress: EntityDetector = {
  id: "email-address",
  entityType: "EMAIL_ADDRESS",
  label: "EMAIL",
  category: "pii",
  description: "An e-mail address, with plus tags, quoted local parts and international domains.",
  keywords: ["@"],
  keywordPlace: "run",
  // The login of a URL comes first, for validate to refuse: ssh://deploy@host, https://key@host/project.
  pattern:
    String.raw`://[\w.%+~!$*:-]{1,256}@[\w.-]*|(?:"[^"\s@\\]{1,62}"|[\p{L}\p{N}_](?:[\p{L}\p{N}_.%+'~-]*[\p{L}\p{N}_+-])?)` +
    String.raw`@[\p{L}\p{N}](?:[\p{L}\p{N}-]*\.)+[\p{L}\p{N}-]*[\p{L}\p{N}]`,
  score: 0.95,
  validate: (value) => {
    if (value.startsWith(":")) return false;
    const at = value.lastIndexOf("@");
    const local = value.slice(0, at);
    if (value.length > addressUnitsMax || local.includes("..")) return false;
    // The login of a repository's address over SSH: git@host:path.
    if (local === "git" || local === "hg") return 0.3;
    const kind = topLevelDomain(value.slice(at + 1));
    return kind === "known" || (kind === "possible" && 0.6);
  },
  positives: [
    ["Write to mira.holt@example.com today.", "mira.holt@example.com"],
    ["<tomas+invoices@mail.example.co.uk>", "tomas+invoices@mail.example.co.uk"],
    ['reply-to: "anna.b"@example.org', '"anna.b"@example.org'],
    ["Schreib an jörg@müller-söhne.de!", "jörg@müller-söhne.de"],
    ['{"to":"o\'neil_7@sub-domain.example.io"}', "o'neil_7@sub-domain.example.io"],
    ["see https://example.org;lee@example.org", "lee@example.org"],
    ["?from=lee@example.org&x=1", "lee@example.org"],
    ["mailto:lee@xn--bcher-kva.example?subject=hi", "lee@xn--bcher-kva.example"],
  ],
  negatives: [
    "import { debounce } from '@scope/package';",
    "the sprite icon@2x.png is missing",
    "git clone git@github.com:example/example.git",
    "mention @mira in the channel",
    "npm install left-pad@1.3.0",
    "info@example.",
    "a@b@c",
    "git clone https://oauth2@git.example.com/app.git",
    "ssh://deploy@bastion.example.com:22",
    "postgres://app:$PASSWORD@db.example.com/app",
  ],
};
