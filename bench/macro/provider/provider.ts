import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Children } from "../children.ts";
import type { ProviderCounts } from "./main.ts";

/** The provider's process, as the bench holds it. */
export class Provider {
  readonly port: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  static async start(children: Children): Promise<Provider> {
    const child = children.fork(join(import.meta.dirname, "main.ts"));
    const [message] = (await once(child, "message")) as [{ readonly port: number }];
    return new Provider(child, message.port);
  }

  async counts(): Promise<ProviderCounts> {
    this.#child.send("counts");
    const [counts] = (await once(this.#child, "message")) as [ProviderCounts];
    return counts;
  }
}
