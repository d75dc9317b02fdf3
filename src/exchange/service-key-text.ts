import { serviceKeyPrefix } from "../contract/wire.ts";

/** Percent-encodings within percent-encodings that are looked through; no server decodes so often. */
const decodingsMax = 4;

/**
 * True where a service key stands anywhere in `text`, in whatever case, percent-encoded (many times
 * over) or in the base64 of Basic credentials: such text is never sent to an upstream, and never
 * passes for another credential.
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
 * ASCII characters decoded wherever they are encoded, `%25` in front of them as often as it stands.
 * decodeURIComponent would give up at the first sequence that is not UTF-8, and hide all the others.
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
