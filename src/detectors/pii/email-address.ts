import type { EntityDetector } from "../entity.ts";
import { topLevelDomain } from "./top-level-domains.ts";

/** RFC 5321's longest path. */
const addressUnitsMax = 254;

/** A letter of another script than the Latin one. */
const other = String.raw`[^\P{L}\p{Latin}]`;

/**
 * In scripts without spaces, words stand right beside an address: 邮箱lee@example.org请. So a name has
 * Latin letters and digits, or letters of another script. It has letters of another script together
 * with digits only if the domain is in another script too.
 */
const local =
  String.raw`(?:"[^"\s@\\]{1,62}"|[\p{Latin}\p{N}_](?:[\p{Latin}\p{N}_.%+'~-]*[\p{Latin}\p{N}_+-])?|` +
  String.raw`${other}(?:(?:${other}|[_.%+'~-])*${other})?)@[\p{L}\p{N}]|` +
  String.raw`${other}(?:${other}|[\p{N}_.%+'~-])*@${other}`;
const topLevel = String.raw`(?:[\p{Latin}\p{N}-]*[\p{Latin}\p{N}]|(?:${other}|[\p{N}-])*${other})`;

export const emailAddress: EntityDetector = {
  id: "email-address",
  entityType: "EMAIL_ADDRESS",
  label: "EMAIL",
  category: "pii",
  description: "An e-mail address, with plus tags, quoted local parts and international domains.",
  keywords: ["@"],
  keywordPlace: "run",
  // The login of a URL comes first, so that validate refuses it: ssh://deploy@host,
  // https://key@host/project.
  pattern:
    String.raw`://[\w.%+~!$*:-]{1,256}@[\w.-]*|(?:${local})` +
    String.raw`(?:[\p{L}\p{N}-]*\.)+${topLevel}`,
  score: 0.95,
  validate: (value) => {
    if (value.startsWith(":")) return false;
    const at = value.lastIndexOf("@");
    const local = value.slice(0, at);
    if (value.length > addressUnitsMax || local.includes("..")) return false;
    // The login of a repository's address over SSH: git@host:path.
    if (local === "git" || local === "hg") return 0.3;
    const host = value.slice(at + 1);
    const kind = topLevelDomain(host);
    if (kind !== "none") return kind === "known" || 0.6;
    // A file whose name contains an address: lee@example.org.pdf.
    return topLevelDomain(host.slice(0, host.lastIndexOf("."))) === "known" && 0.6;
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
    ["邮箱lee.7@example.org请回复", "lee.7@example.org"],
    ["メールはlee@example.jpです。", "lee@example.jp"],
    ["QQ邮箱4821390@example.com", "4821390@example.com"],
    ["почта мира@пример.рф", "мира@пример.рф"],
    ["用户7@例子.公司", "用户7@例子.公司"],
    ["see lee@example.org.pdf", "lee@example.org.pdf"],
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
