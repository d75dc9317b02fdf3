import type { EntityDetector } from "../../entity.ts";
import { looksRandom } from "../randomness.ts";

export const sessionCookie: EntityDetector = {
  id: "session-cookie",
  entityType: "SESSION_COOKIE",
  label: "SESSION_COOKIE",
  category: "credential",
  description: "Session id in a cookie of a common web framework.",
  keywords: ["sessid", "sessionid", "connect.sid", "laravel_session", "ci_session"],
  pattern: String.raw`\b(?:phpsessid|jsessionid|asp\.net_sessionid|sessionid|connect\.sid|laravel_session|ci_session)(?:=|["']?:[ \t]{0,4}["']?)([\w.%+/=-]{16,256})`,
  caseInsensitive: true,
  group: 1,
  score: 0.65,
  validate: looksRandom,
  positives: [
    ["Cookie: lang=en; sessionid=v7tq2lxk81cqn4vt90zp", "v7tq2lxk81cqn4vt90zp"],
    ["curl -b 'PHPSESSID=9fk2lxt7vq81cqn4vt90zpwm5y'", "9fk2lxt7vq81cqn4vt90zpwm5y"],
  ],
  negatives: [
    "Cookie: sessionid=<id>",
    "the sessionid: see-the-manual-of-it",
    "PHPSESSID=$SESSION",
  ],
};
