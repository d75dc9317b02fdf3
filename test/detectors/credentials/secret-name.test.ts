import RE2 from "re2";
import { describe, expect, it } from "vitest";
import {
  passwordName,
  passwordNameKeywords,
  publicName,
  secretName,
  secretNameKeywords,
} from "../../../src/detectors/credentials/secret-name.ts";

/** Whether the identifier ends as such a name, as it must before an assignment. */
const ends = (fragment: string, identifier: string) =>
  new RE2(`${fragment}=$`, "iu").test(`${identifier}=`);
const holdsOne = (keywords: readonly string[], identifier: string) =>
  keywords.some((keyword) => identifier.toLowerCase().includes(keyword));

const secrets = [
  "secret",
  "clientSecret",
  "SECRET_KEY",
  "SECRET_KEY_BASE",
  "access_token",
  "authToken",
  "tokenValue",
  "API_KEY",
  "apikey",
  "x-api-key",
  "api key",
  "encryptionKey",
  "MEADOW_KEY",
  "db_credentials",
  "meadow_auth",
  "oauth",
  "GITHUB_PAT",
  "token_secret_prod",
  "API_KEY_2",
  "APP_KEYS",
  "tokens",
  "API-Schlüssel",
  "clé API",
  "clave de API",
  "APIキー",
  "токен",
];
const passwords = [
  "password",
  "DB_PASSWORD",
  "userPwd",
  "passwd",
  "dbpass",
  "smtp.pass",
  "Passphrase",
  "pw",
  "Mot de passe",
  "mdp",
  "Contraseña",
  "palavra-passe",
  "Wachtwoord",
  "LÖSENORD",
  "Hasło",
  "Şifre",
  "Пароль",
  "パスワード",
  "密码",
];
const others = [
  "token_url",
  "secretName",
  "password_hash",
  "key_id",
  "tokenizer",
  "keyboard",
  "monkey",
  "author",
  "compass",
  "keyword",
  "secret_arn",
  "passed",
];

describe("names of secrets", () => {
  it.each(secrets)("%s is one", (identifier) => {
    expect(ends(secretName, identifier)).toBe(true);
    expect(holdsOne(secretNameKeywords, identifier)).toBe(true);
  });

  it.each(passwords)("%s is a password's", (identifier) => {
    expect(ends(passwordName, identifier)).toBe(true);
    expect(holdsOne(passwordNameKeywords, identifier)).toBe(true);
  });

  it.each(others)("%s is none", (identifier) => {
    expect(ends(secretName, identifier)).toBe(false);
    expect(ends(passwordName, identifier)).toBe(false);
  });

  it.each([
    "publicKey",
    "next_page_token",
    "nextPageToken",
    "cache-key",
    "csrfToken",
    "primary_key",
    "PublicKeyToken",
    "Sec-WebSocket-Key",
    "ClientRequestToken",
    "lifecycle_action_token",
    "pagination_token",
    "encrypted_key_5_7_3",
    "dedupeKey",
  ])("%s is public", (identifier) => {
    expect(ends(publicName, identifier)).toBe(true);
  });

  it.each(["apiKey", "private_key", "accessToken"])("%s is not public", (identifier) => {
    expect(ends(publicName, identifier)).toBe(false);
  });
});
