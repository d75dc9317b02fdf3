import { describe, expect, it } from "vitest";
import { isDrawnSecret } from "../../../src/detectors/credentials/drawn-secret.ts";

describe("isDrawnSecret", () => {
  it.each([
    "v7Tq2Lxk81cQn4Vt90Zp",
    "9fk2-LxT7vq81cQn4",
    "k#7v(q2)L@x81cQn4&Vt90",
    "3f0c9a1e-7b52-4d8e-9c06-52d1b7e9a4f3",
    "Xk9.vT7q2Lx81cQ.n4Vt90Zp",
    "0x3f0c9a1e7b524d8e9c0652d1b7e9a4f33f0c9a1e7b524d8e9c0652d1b7e9a4f3",
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7",
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
    "uploads/3f0c9a1e7b524d8e.png",
    "projects/718203645091/secrets/db71",
    "vault:secret/data/db71#key",
    "[0-9A-Fa-f]{1,4}",
    "H{1,2}|h{1,2}|m{1,2}|YYYY",
    "jpg;png;webp;mp4",
    "--kms-keyring2",
    "hmac-sha256-v2",
    "0x6B175474E89094C44Da98b954EedeAC495271d0F",
    "$5$rounds=1004$nacl$oiWPbm.kQ7.jTCZoOtdv7",
    "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAuNIzKBOFB77aT",
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE7Tq2Lxk81cQn4Vt90Zp",
    "AAAAC3NzaC1lZDI1NTE5AAAAIK7Tq2Lxk81cQn4Vt90Zp",
    "258EAFA5-E914-47DA-95CA-C5AB0DC85B11",
    Buffer.from("user:password").toString("base64"),
  ])("not %j", (value) => {
    expect(isDrawnSecret(value)).toBe(false);
  });
});
