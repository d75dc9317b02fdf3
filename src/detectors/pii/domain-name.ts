import type { EntityDetector } from "../entity.ts";
import { topLevelDomain } from "./top-level-domains.ts";

const path = String.raw`(?:[/?#](?:[^\s<>"'\x60{}|\\^]*[^\s<>"'\x60{}|\\^.,;:!?)\]*])?)?`;

/** Domains that code and prose write for something else: `run.sh`, `this.name`, `done.it`. */
const ambiguous: ReadonlySet<string> = new Set(
  (
    "py rs sh md pl ps cc so do in is it id me my no be by us to as at am st ml la re se sc pm vi ms " +
    "mm ai ad ag ar im io tv name test example invalid local localhost post int pro app map page " +
    "link zone host style work group team top one live store bar fun game games car link support " +
    "services media network systems email web site audio photo film click"
  ).split(" "),
);

/** A host name on its own. */
export const domainName: EntityDetector = {
  id: "domain-name",
  entityType: "URL",
  label: "URL",
  category: "pii",
  description: "A host name without a scheme, in a top-level domain that is nothing else in text.",
  keywords: ["."],
  pattern: String.raw`[@\w]*@[\w.-]*|\b((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,18})\b${path}`,
  caseInsensitive: true,
  group: 1,
  score: 0.5,
  validate: (value) => {
    const last = value.slice(value.lastIndexOf(".") + 1);
    const oneCase = last === last.toLowerCase() || value === value.toUpperCase();
    return oneCase && !ambiguous.has(last.toLowerCase()) && topLevelDomain(value) === "known";
  },
  positives: [
    ["our site weir-example.com is down", "weir-example.com"],
    ["hosted on static.cdn.example.de", "static.cdn.example.de"],
  ],
  negatives: [
    "run setup.py and index.js",
    "this.name = request.id",
    "It is done.It was late.",
    "v1.2.3 and 3.14",
    "e.g. this, i.e. that, a.m.",
  ],
};
