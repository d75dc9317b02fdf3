import { serviceKeyPrefix } from "../contract/wire.ts";

/** How many nested percent-encodings are decoded. No server decodes so often. */
const decodingsMax = 4;

/**
 * True if a service key stands anywhere in `text`: in any case, percent-encoded (repeatedly too), or in the
 * base64 of Basic credentials. Such text is never sent to an upstream, and never counts as another
 * credential.
 */
export function holdsServiceKey(text: string): boolean {
  if (includesKey(text)) return true;
  if (text.includes("%") && includesKey(percentDecoded(text))) return true;
  const basic = /^\s*basic\s+(\S+)/i.exec(text)?.[1];
  return basic !== undefined && includesKey(Buffer.from(basic, "base64").toString("latin1"));
}

function includesKey(text: string): boolean {
  return text.toLowerCase().includes(serviceKeyPrefix);
}

/**
 * Decodes percent-encoded ASCII characters, however many `%25` stand in front. decodeURIComponent would stop
 * at the first sequence that is not UTF-8, and leave the rest encoded.
 */
export function percentDecoded(text: string): string {
  let decoded = text;
  for (let i = 0; i < decodingsMax && decoded.includes("%"); i++) {
    decoded = decoded.replace(/%(?:25)*([0-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
  return decoded;
}
