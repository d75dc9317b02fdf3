import type { EntityDetector } from "../../entity.ts";
import { inUrl } from "../printable.ts";
import { tokenStart } from "../token-shape.ts";
import { urlPasswordScore } from "../url-password.ts";

export const urlCredentials: EntityDetector = {
  id: "url-credentials",
  entityType: "URL_CREDENTIALS",
  label: "URL_CREDENTIALS",
  category: "credential",
  description: "URL with a user and a password, up to its host.",
  keywords: ["://"],
  pattern: String.raw`${tokenStart}([a-z][a-z0-9+.-]{1,20}://[\w.%+~!$*-]{0,64}:${inUrl}{1,128}@[\w\[][\w.\[\]-]{0,252}(?::\d{1,5})?)`,
  caseInsensitive: true,
  group: 1,
  score: 0.85,
  validate: (url) => urlPasswordScore(url, 0.85),
  positives: [
    [
      "git clone https://meadow-ci:tZ71vLq9@git.meadow.test/app.git",
      "https://meadow-ci:tZ71vLq9@git.meadow.test",
    ],
    [
      "ftp://backup:Frost71y@files.meadow.test:2121/",
      "ftp://backup:Frost71y@files.meadow.test:2121",
    ],
    ["(http://ops:zp31nQ@10.1.2.3)", "http://ops:zp31nQ@10.1.2.3"],
    [
      "https://v7Tq2Lxk81cQn4Vt90Zp:x-oauth-basic@git.meadow.test/app.git",
      "https://v7Tq2Lxk81cQn4Vt90Zp:x-oauth-basic@git.meadow.test",
    ],
    ["https://ops:zp31nQ8w@api.example.com", "https://ops:zp31nQ8w@api.example.com"],
  ],
  negatives: [
    "https://meadow.test/path?at=12:30@noon",
    "https://meadow.test:8080/@user",
    "https://user:{password}@meadow.test/",
    "https://$USER:$PASS@meadow.test/",
    "see http://meadow.test:80",
    "https://user:password@example.com/path",
    "http://admin:admin@localhost:5984/",
    "ftp://anonymous:guest@ftp.meadow.test/",
    "https://token:x-oauth-basic@github.com/meadow/app.git",
    "http://api.meadow.test:80@127.0.0.1:8787",
  ],
};
