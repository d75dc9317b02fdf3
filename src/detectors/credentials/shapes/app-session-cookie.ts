import type { EntityDetector } from "../../entity.ts";
import { looksRandom } from "../randomness.ts";

/** A cookie's name in the header of a request or an answer, maybe after other cookies. */
const headerName = String.raw`\bcookie\\?["']?[ \t]{0,4}[:=,][ -~]{0,200}?(?:session|sess|sid)(?:[_-]?id)?=`;

/** A browser's cookie in JSON. */
const jsonName = String.raw`(?:session|sess|sid)(?:[_-]?id)?\\?["'][ \t]{0,4},\s{0,40}\\?["']value\\?["']\s{0,4}:\s{0,4}\\?["']`;

export const appSessionCookie: EntityDetector = {
  id: "app-session-cookie",
  entityType: "SESSION_COOKIE",
  label: "SESSION_COOKIE",
  category: "credential",
  description: "Session id in a cookie that an application has named.",
  keywords: ["cookie", 'session"', 'session_id"', 'sess"', 'sid"', "session'", "sid'"],
  pattern: String.raw`(?:${headerName}|${jsonName})([\w.%+/=~-]{20,1000})`,
  caseInsensitive: true,
  group: 1,
  score: 0.6,
  validate: looksRandom,
  positives: [
    ["> cookie: _meadow_session=v7Tq2Lxk81cQn4Vt90Zp; lang=en", "v7Tq2Lxk81cQn4Vt90Zp"],
    ["< set-cookie: sid=s%3Av7Tq2Lxk81cQn4Vt90Zp; Path=/", "s%3Av7Tq2Lxk81cQn4Vt90Zp"],
    [
      `{"name":"session","value":"v7Tq2Lxk81cQn4Vt90Zp","domain":"app.meadow.test"}`,
      "v7Tq2Lxk81cQn4Vt90Zp",
    ],
  ],
  negatives: [
    "cookie: session=$SESSION; lang=en",
    "replay finished, session=v7Tq2Lxk81cQn4Vt90Zp took 4 s",
    "set-cookie: session=deleted; Path=/",
  ],
};
