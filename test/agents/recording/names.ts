import { createHash } from "node:crypto";
import type { Setting } from "../client.ts";

const alphabets = {
  hex: "0123456789abcdef",
  letters: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
} as const;

/** What is an id wherever it stands, and of what its random part is made. */
const ids: readonly (readonly [RegExp, keyof typeof alphabets])[] = [
  [/(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "hex"],
  [
    /(?<=\b(?:toolu_01|msg_01|(?:msg|call|fc|ctc|rs|resp|ws)_|chatcmpl-|prt_|ses_))(?![0-9a-f]{8}-)[A-Za-z0-9]{16,}\b/g,
    "letters",
  ],
  [/(?<=\bgAAAA)[A-Za-z0-9]{100,}\b/g, "letters"],
  [/\b[A-Za-z0-9]{200,}\b/g, "letters"],
  [/(?<=\bsk-gw-)[0-9a-f]{48}\b/g, "hex"],
  [/\b[0-9a-f]{17,64}\b/g, "hex"],
];

/** Puts names of our own in the place of all that differs from machine to machine and run to run. */
export class Names {
  readonly #paths: readonly (readonly [string, string])[];
  readonly #known = new Map<string, string>();

  constructor({ home, project, gatewayUrl, upstreamUrl }: Setting) {
    const dashed = (path: string): string => path.replaceAll(/[^A-Za-z0-9]/g, "-");
    this.#paths = [
      [project, "/home/ada/project"],
      [home, "/home/ada"],
      [dashed(project), "-home-ada-project"],
      [dashed(home), "-home-ada"],
      [gatewayUrl, "https://weir.example"],
      [gatewayUrl.replace("http://", ""), "weir.example"],
      [upstreamUrl, "https://provider.example"],
    ];
  }

  /** Equal ids stay equal, and the nth id is the same in every recording. */
  in(text: string): string {
    let named = text;
    for (const [from, to] of this.#paths) named = named.replaceAll(from, to);
    for (const [pattern, alphabet] of ids) {
      named = named.replaceAll(pattern, (id) => this.#named(id, alphabets[alphabet]));
    }
    return named
      .replaceAll(/\b1[79]\d{11}\b/g, "1795000000000")
      .replaceAll(/Linux \d+\.\d+\.\d+[\w.-]*/g, "Linux 6.12.0")
      .replaceAll(/\b(uid|pid|port)=\d+/g, "$1=1000");
  }

  #named(id: string, alphabet: string): string {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const bytes = Buffer.concat(
      Array.from({ length: Math.ceil(id.length / 32) }, (_, part) =>
        createHash("sha256").update(`${this.#known.size} ${part}`).digest(),
      ),
    );
    let at = 0;
    // Signs keep their place: a UUID stays one.
    const name = id.replaceAll(
      /[A-Za-z0-9]/g,
      () => alphabet[(bytes[at++] ?? 0) % alphabet.length] ?? "",
    );
    this.#known.set(id, name);
    // What is named once is not named again by the next pattern.
    this.#known.set(name, name);
    return name;
  }
}
