import { isDrawnSecret } from "../drawn-secret.ts";
import type { EntityDetector } from "../../entity.ts";

export const npmrcToken: EntityDetector = {
  id: "npmrc-token",
  entityType: "REGISTRY_CREDENTIALS",
  label: "REGISTRY_CREDENTIALS",
  category: "credential",
  description: "Token or password of a package registry in an .npmrc or .yarnrc file.",
  keywords: ["_authtoken", "_password", "npmauthtoken", "npmauthident"],
  pattern: String.raw`(?:\b_authtoken|\b_password|npmauthtoken|npmauthident)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?([!#%&(-;=?-z|}~]{8,256})`,
  caseInsensitive: true,
  group: 1,
  score: 0.88,
  validate: isDrawnSecret,
  positives: [
    [
      "//registry.meadow.test/:_authToken=3f0c9a1e-7b52-4d8e-9c06-52d1b7e9a4f3",
      "3f0c9a1e-7b52-4d8e-9c06-52d1b7e9a4f3",
    ],
    ['npmAuthToken: "kT7vq2Lx81cQn4Vt"', "kT7vq2Lx81cQn4Vt"],
  ],
  negatives: [
    "//registry.meadow.test/:_authToken=${NPM_TOKEN}",
    "//registry.meadow.test/:_authToken=<token>",
    "self._password = to_bytes(password)",
    "self._password = raw_password",
    "'_password': password,",
    "//registry.meadow.test/:_authToken=\nregistry71x.meadow.test",
    "//registry.meadow.test/:always-auth=true",
  ],
};
