/** Texts of the kinds that a gateway sees. The same at every call. */

const sentences = [
  "The harbour was quiet that morning, and the ferries waited for the fog to lift.",
  "Nobody in the village could remember a winter that had lasted so long.",
  "She asked whether the report would be ready before the committee met again.",
  "Most of the seeds that were sown in spring had been eaten by birds within a week.",
  "He put the letter back into its envelope and said nothing for a while.",
  "A good map shows what it leaves out as clearly as what it contains.",
  "The engine started at the third attempt, coughed twice and fell silent.",
  "Prices rose slowly at first, then faster than anyone had thought possible.",
  "It is easy to forget how much of a city lies below its streets.",
  "They had agreed to share the cost, but not how it would be counted.",
  "When the rain stopped, the children ran out to look at the flooded meadow.",
  "The second edition corrects several mistakes that readers were kind enough to report.",
  "What we call a habit is often only a decision that was never looked at again.",
  "The old bridge carries more traffic in a day than its builders saw in a year.",
  "Please read the summary first; the tables behind it can wait until tomorrow.",
  "The museum keeps its oldest instruments in a cellar where the air never changes.",
  "After dinner the conversation turned to music, as it always did in that house.",
  "A small change in temperature was enough to spoil the whole experiment.",
  "The train stood for an hour between two stations, and nobody explained why.",
  "Her first book sold badly, yet it is the one that people still quote.",
  "Farmers in the valley have begun to plant trees along the edges of their fields.",
  "The law says little about this case, so the judge looked for older decisions.",
  "Once the paint is dry, a second coat makes the surface smooth and bright.",
  "We walked back along the river and talked about what had to be done next.",
];

/** An endless sequence of numbers, the same at every call (Park and Miller, 1988). */
function numbers(): (below: number) => number {
  let state = 20_261_121;
  return (below) => {
    state = (state * 48_271) % 0x7fff_ffff;
    return state % below;
  };
}

/**
 * Sentences whose beginnings and ends are drawn separately, so that few repeat. Their meaning does
 * not matter.
 */
function sentencesDrawn(): () => string {
  const next = numbers();
  const halves = sentences.map((sentence) => {
    const middle = sentence.indexOf(" ", sentence.length / 2);
    return { begin: sentence.slice(0, middle), end: sentence.slice(middle) };
  });
  const drawn = () => halves[next(halves.length)];
  return () => `${drawn()?.begin ?? ""}${drawn()?.end ?? ""}`;
}

/** Repeats a piece, which changes with its number, up to `length`. ASCII pieces are cut there. */
function filled(length: number, piece: (n: number) => string): string {
  let text = "";
  for (let n = 0; text.length < length; n++) text += piece(n);
  return text.slice(0, length);
}

/** English, with no names and nothing to find. */
export function prose(length: number): string {
  const next = sentencesDrawn();
  return filled(length, (n) => `${next()}${n % 6 === 5 ? "\n\n" : " "}`);
}

/** English with one e-mail address per kilobyte. */
function proseWithHits(length: number): string {
  const next = sentencesDrawn();
  return filled(length, (n) =>
    n % 13 === 12 ? `Write to n${n}@example.org for more. ` : `${next()} `,
  );
}

/** Texts of the kinds that detectors search, by name. */
export const textKinds: Readonly<Record<string, (length: number) => string>> = {
  prose: proseWithHits,
  json: (length) =>
    filled(length, (n) => `{"id":${n},"name":"row ${n}","tags":["a","b"],"ratio":0.${n}},\n`),
  code: (length) =>
    filled(length, (n) => `  const total${n} = sum(rows[${n}].price) ?? limits.max;\n`),
  base64: (length) =>
    Buffer.from(Uint8Array.from({ length }, (_, i) => i * 167 + (i >> 7)))
      .toString("base64")
      .slice(0, length),
};

/** A chat request with a body of about this many bytes. One message in four is the assistant's. */
export function chatBody(bytes: number): Buffer {
  const messageBytes = Math.max(100, Math.min(2_000, bytes / 4));
  const text = prose(bytes + 4 * messageBytes);
  const messages: { readonly role: string; readonly content: string }[] = [];
  for (let at = 0; at < bytes - 200; at += messageBytes + 40) {
    const role = messages.length % 4 === 3 ? "assistant" : "user";
    messages.push({ role, content: text.slice(at, at + messageBytes) });
  }
  return Buffer.from(
    JSON.stringify({ model: "openai/gpt-5.1", stream: true, max_tokens: 1024, messages }),
  );
}

/** The events of a chat answer as a provider sends them: one token each, the usage last. */
export function chatEvents(count: number): readonly Buffer[] {
  const words = prose(count * 12).split(" ");
  const head =
    '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1741569952,"model":"gpt-5.1",' +
    '"service_tier":"default","choices":[';
  const events = Array.from({ length: count }, (_, i) => {
    const content = JSON.stringify(`${words[i % words.length] ?? ""} `);
    return `${head}{"index":0,"delta":{"content":${content}},"finish_reason":null}],"usage":null}`;
  });
  return [...events, `${head}],${answerUsage}}`, "[DONE]"].map((payload) =>
    Buffer.from(`data: ${payload}\n\n`),
  );
}

export const answerUsage =
  '"usage":{"prompt_tokens":2006,"completion_tokens":300,"total_tokens":2306,' +
  '"prompt_tokens_details":{"cached_tokens":1920,"audio_tokens":0},' +
  '"completion_tokens_details":{"reasoning_tokens":192,"audio_tokens":0,' +
  '"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}';
