import type { EntityDetector } from "../../entity.ts";
import { base64Text } from "../base64.ts";
import { markedToken } from "../marked-token.ts";

/** An id's first three digits in base64; it never begins with 0. */
const idBeginnings = Array.from({ length: 900 }, (_, index) =>
  Buffer.from(String(100 + index))
    .toString("base64")
    .toLowerCase(),
);

const body = (id: string) => Buffer.from(id).toString("base64url");

export const discordBotToken: EntityDetector = markedToken({
  id: "discord-bot-token",
  entityType: "DISCORD_TOKEN",
  description: "Token of a Discord bot or user, which begins with its id in base64.",
  body: String.raw`(?:mfa\.)?[MNO][\w-]{22,27}\.[\w-]{5,7}\.[\w-]{27,40}`,
  keywords: idBeginnings,
  validate: (value) =>
    exactParts.test(value) ||
    /^\d{6}$/.test(base64Text(value.replace("mfa.", "").slice(0, 8)) ?? ""),
  examples: [
    `${body("718203645091827364")}.Gk3vTn.qm7vTn4wLsd72JfQhVbE1mGtPuKo3XyR6HcWzD`,
    `${body("1093827465019283746")}.XyR6Hc.WzD5iSgNaTjU0pBvMlq9eCnYfZ8`,
  ],
});

/**
 * The exact lengths of the parts of an issued token. A token of other lengths must begin with an
 * id.
 */
const exactParts = /^[\w-]{24}(?:[\w-]{2})?\.[\w-]{6}\.[\w-]{27}(?:[\w-]{11})?$/;
