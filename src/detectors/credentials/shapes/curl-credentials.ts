import { couldBePassword } from "../chosen-password.ts";
import { looksRandom } from "../randomness.ts";
import type { EntityDetector } from "../../entity.ts";

export const curlCredentials: EntityDetector = {
  id: "curl-credentials",
  entityType: "BASIC_CREDENTIALS",
  label: "BASIC_CREDENTIALS",
  category: "credential",
  description: "User and password given to curl.",
  keywords: [" -u", "--user", "--proxy-user"],
  pattern: String.raw`\s(?:-u|--user|--proxy-user|-U)(?:=|[ \t]{0,4})["']?([\w.@+%-]{0,128}:[!#-&(-~]{0,128})`,
  group: 1,
  score: 0.8,
  validate: isSecretPair,
  positives: [
    ["curl -u v7Tq2Lxk81cQn4Vt: https://api.meadow.test", "v7Tq2Lxk81cQn4Vt:"],
    ["curl -u meadow:kT7vq2Lx https://api.meadow.test", "meadow:kT7vq2Lx"],
    [`curl -s --user "ops:zp31n-Q8w" https://api.meadow.test`, "ops:zp31n-Q8w"],
    ["curl https://api.meadow.test \\\n  -u 'ci:v7Tq2Lxk81cQn4Vt'", "ci:v7Tq2Lxk81cQn4Vt"],
  ],
  negatives: [
    "curl -u user:$PASSWORD https://api.meadow.test",
    "curl -u <user>:<password> https://api.meadow.test",
    "curl -u username:password https://api.meadow.test",
    "docker run -u 1000:1000 curlimages/curl",
    "socat -u UDP-RECVFROM:8888,reuseaddr,ip-add-membership=224.1.0.1 -",
    "socat -U TCP:target:9999,end-close TCP-L:8888",
  ],
};

/** `8888,reuseaddr`, `target:9999`: values that other commands take after `-u` and `-U`. */
function isAddress(password: string): boolean {
  return /^\d{1,5}(?:,|$)|:\d{1,5}(?:,|$)/.test(password);
}

/** Whether this is a user and a password, or a token in place of the user without a password. */
function isSecretPair(pair: string): boolean {
  const colon = pair.indexOf(":");
  const password = pair.slice(colon + 1);
  if (isAddress(password)) return false;
  return password === "" ? looksRandom(pair.slice(0, colon)) : couldBePassword(password);
}
