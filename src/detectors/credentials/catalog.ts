import type { EntityDetector } from "../entity.ts";
import { credentialShapes } from "./shapes/catalog.ts";
import { vendorTokens } from "./vendors/catalog.ts";

/** All detectors of credentials. */
export const credentialDetectors: readonly EntityDetector[] = [
  ...credentialShapes,
  ...vendorTokens,
];
