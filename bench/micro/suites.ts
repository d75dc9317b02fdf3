import { auditSuite } from "./audit.ts";
import { billingSuite } from "./billing.ts";
import { customPatternSuite } from "./custom-patterns.ts";
import { entitySuite } from "./entities.ts";
import { hopSuite } from "./hop.ts";
import { jsonSuite } from "./json.ts";
import { ledgerSuite } from "./ledger.ts";
import { limitSuite } from "./limits.ts";
import { policySuite } from "./policy.ts";
import { proxySuite } from "./proxy.ts";
import type { Suite } from "./suite.ts";
import { textSuite } from "./text.ts";

/** In the order of the report: first the way of a request, then the scans. */
export const suites: readonly Suite[] = [
  proxySuite,
  jsonSuite,
  limitSuite,
  billingSuite,
  ledgerSuite,
  auditSuite,
  hopSuite,
  policySuite,
  textSuite,
  entitySuite,
  customPatternSuite,
];
