import { randomFillSync } from "node:crypto";
import { crc32 } from "node:zlib";
import { Connection } from "./connection.ts";
import { answered } from "./once.ts";
import { requestHead, type Target } from "./request.ts";

export interface UploadBody {
  /** `media`: base64 images and a line of text; `prose`: documents that are new each time. */
  readonly kind: "media" | "prose";
  readonly model: string;
  /** The length of the whole body. */
  readonly bytes: number;
}

export interface UploadResult {
  /** From the first byte sent to the answer's last. */
  readonly wallMs: number;
  readonly sentBytes: number;
  readonly sentCrc: number;
  /** The provider's count of received bytes. Its CRC-32 is 0 if none was requested. */
  readonly received: number;
  readonly crc: number;
}

/** Sends one upload on a connection of its own. Rejects if the status is not 200. */
export async function upload(target: Target, spec: UploadBody): Promise<UploadResult> {
  const body = bodyOf(spec);
  const connection = await Connection.open(target.port);
  try {
    const begunMs = performance.now();
    const answering = answered(connection, Buffer.from(requestHead(target, body.length)));
    connection.more(body);
    const answer = await answering;
    const wallMs = performance.now() - begunMs;
    // The provider's answer. A gateway that rewrites it keeps its members.
    const { received = 0, crc = 0 } = JSON.parse(answer.body) as {
      readonly received?: number;
      readonly crc?: number;
    };
    return { wallMs, sentBytes: body.length, sentCrc: crc32(body), received, crc };
  } finally {
    connection.close();
  }
}

/** The images are built once. No subject remembers them, because none scans them. */
const media = new Map<string, Buffer>();

function bodyOf({ kind, model, bytes }: UploadBody): Buffer {
  if (kind === "prose") return proseBody(model, bytes);
  const key = `${model} ${bytes}`;
  const known = media.get(key);
  if (known !== undefined) return known;
  const made = mediaBody(model, bytes);
  media.clear();
  media.set(key, made);
  return made;
}

const imagesCount = 10;

function mediaBody(model: string, bytes: number): Buffer {
  const text = { type: "text", text: "What is on these pictures? Answer in one sentence." };
  const image = (url: string): object => ({ type: "image_url", image_url: { url } });
  const request = (urls: readonly string[]): string =>
    JSON.stringify({
      model,
      max_tokens: 100,
      messages: [{ role: "user", content: [text, ...urls.map(image)] }],
    });
  const prefix = "data:image/png;base64,";
  const empty = Array.from({ length: imagesCount }, () => prefix);
  const each = Math.floor((bytes - request(empty).length) / imagesCount / 4) * 4;
  return Buffer.from(request(empty.map(() => prefix + base64(each))));
}

function base64(chars: number): string {
  return randomFillSync(Buffer.alloc((chars / 4) * 3)).toString("base64");
}

const documentChars = 100_000;

/** Documents with their words in a new order each time, so that no part of them is remembered. */
function proseBody(model: string, bytes: number): Buffer {
  const words = [
    ...["river", "letter", "garden", "window", "market", "station", "orange", "winter", "paper"],
    ...["the", "of", "and", "in", "was", "near", "before", "a", "with", "slowly", "they", "said"],
  ];
  const random = randomFillSync(Buffer.alloc(bytes / 4));
  let at = 0;
  const document = (chars: number): string => {
    let text = "";
    while (text.length < chars) {
      const byte = random[at++ % random.length] ?? 0;
      text += `${words[byte % words.length] ?? ""}${byte % 13 === 0 ? ". " : " "}`;
    }
    return text.slice(0, chars);
  };
  const messages = Array.from({ length: Math.max(1, Math.floor(bytes / documentChars)) }, () => ({
    role: "user",
    content: document(Math.min(bytes, documentChars)),
  }));
  return Buffer.from(JSON.stringify({ model, max_tokens: 100, messages }));
}
