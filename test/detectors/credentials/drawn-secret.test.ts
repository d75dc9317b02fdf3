import { describe, expect, it } from "vitest";
import { isDrawnSecret } from "../../../src/detectors/credentials/drawn-secret.ts";

describe("isDrawnSecret", () => {
  it.each([
    "v7Tq2Lxk81cQn4Vt90Zp",
    "9fk2-LxT7vq81cQn4",
    "k#7v(q2)L@x81cQn4&Vt90",
    "3f0c9a1e-7b52-4d8e-9c06-52d1b7e9a4f3",
    "Xk9.vT7q2Lx81cQ.n4Vt90Zp",
  ])("%j", (value) => {
    expect(isDrawnSecret(value)).toBe(true);
  });

  it.each([
    "https://meadow.test/v7Tq2Lxk81cQn4Vt90Zp",
    "ops71x@meadow.test",
    "/run/secrets/v7Tq2Lxk81",
    "~/.config/k7/v7Tq2Lxk81",
    "loadSecret(v7Tq2Lxk81)",
    "arn:aws:iam::718203645091:role/x7q",
    "sha256:3f0c9a1e7b524d8e9c0652d1b7e9a4f3",
    "data:image/png;v7Tq2Lxk81cQ",
    "2024/01/31-12:00",
    "EVP_PKEY_get_raw_pkcs",
    "token_urlsafe",
    "ed25519.Ed25519PrivateKey",
    "&(?!amp;|nbsp;|quot;|#)",
    "changeme12345",
  ])("not %j", (value) => {
    expect(isDrawnSecret(value)).toBe(false);
  });
});
