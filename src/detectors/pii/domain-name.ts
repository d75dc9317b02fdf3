import type { EntityDetector } from "../entity.ts";
import { topLevelDomains } from "./top-level-domains.ts";
import { urlPath } from "./url-path.ts";
import { isVocabulary } from "./vocabulary.ts";

/** Endings that have another meaning in code and prose: `run.sh`, `this.name`, `done.it`. */
const ambiguous: ReadonlySet<string> = new Set(
  (
    "py rs sh md pl ps cc so do in is it id me my no be by us to as at am st ml la re se sc pm vi ms " +
    "mm ai ad ag ar im io tv name test example invalid local localhost post int pro app map page " +
    "link zone host style work group team top one live store bar fun game games car link support " +
    "services media network systems email web site audio photo film click"
  ).split(" "),
);

const endings = topLevelDomains.filter((domain) => !ambiguous.has(domain));

/** A host name on its own. */
export const domainName: EntityDetector = {
  id: "domain-name",
  entityType: "URL",
  label: "URL",
  category: "pii",
  description: "A host name without a scheme, in a top-level domain that is nothing else in text.",
  keywords: endings.map((domain) => `.${domain}`),
  keywordPlace: "run",
  // The match includes a character that shows that the name goes on or is called, so that such a
  // match is refused.
  pattern: String.raw`\b(?:[a-z0-9][a-z0-9-]{0,62}\.){1,8}(?:${endings.join("|")})\b(?:[-(]|${urlPath})`,
  caseInsensitive: true,
  score: 0.5,
  validate: (value) => {
    if ((/[-(]$/.test(value) && !/[/?#]/.test(value)) || isVocabulary(value)) return false;
    // A full stop without a space after it: "at home.De facto".
    const host = value.split(/[/?#]/, 1)[0] ?? "";
    return host === host.toUpperCase() || !/[A-Z]/.test(host.slice(host.lastIndexOf(".")));
  },
  positives: [
    ["our site weir-example.com is down", "weir-example.com"],
    ["hosted on static.cdn.example.de", "static.cdn.example.de"],
    ["see example.org/about#team.", "example.org/about#team"],
  ],
  negatives: [
    "run setup.py and index.js",
    "this.name = request.id",
    "It is done.It was late.",
    "at home.De facto",
    "v1.2.3 and 3.14",
    "e.g. this, i.e. that, a.m.",
    "ip-10-0-12-88.eu-west-1.compute.internal",
    'log.info("started")',
  ],
};
