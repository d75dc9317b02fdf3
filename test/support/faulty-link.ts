import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** `there`: what a client sends; `back`: what its server answers. */
export type Direction = "there" | "back";
export const bothDirections: readonly Direction[] = ["there", "back"];

/** A network between clients and a server, and what networks do to connections. */
export interface Link {
  /** The same address over this link. */
  readonly through: (url: string) => string;
  /** Both sides of every connection see a reset. New connections go on. */
  readonly cut: () => void;
  /** As `cut`, and new connections fail at once until `heal`. */
  readonly refuse: () => void;
  /** Nothing passes in these directions until `heal`, and neither side is told. */
  readonly stall: (lost?: readonly Direction[]) => void;
  /** Everything passes again, also what was sent meanwhile. */
  readonly heal: () => void;
  readonly close: () => Promise<void>;
}

/**
 * A network between a client and a server: it forwards connections to a port of this machine, and does to them what
 * networks do.
 */
export class FaultyLink implements Link {
  readonly port: number;
  readonly #target: number;
  readonly #server: Server;
  /** Both ends of every connection. */
  readonly #sockets = new Set<Socket>();
  #refuses = false;
  #delayMs = 0;
  /** Directions in which the link stalls; each resolves when that is over. */
  readonly #stalled = new Map<Direction, PromiseWithResolvers<void>>();

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.#target = target;
    this.port = (server.address() as AddressInfo).port;
    server.on("connection", (client) => this.#forward(client));
  }

  /** `target`: a port on 127.0.0.1. */
  static async start(target: number): Promise<FaultyLink> {
    const server = createServer({ allowHalfOpen: true, noDelay: true });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new FaultyLink(server, target);
  }

  /** The same address over this link. */
  through(url: string): string {
    const over = new URL(url);
    [over.hostname, over.port] = ["127.0.0.1", String(this.port)];
    return over.href;
  }

  get connections(): number {
    return this.#sockets.size / 2;
  }

  /** Both sides of every connection see a reset. New connections go on. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
    this.#sockets.clear();
  }

  /** As `cut`, and new connections are reset until `heal`. */
  refuse(): void {
    this.#refuses = true;
    this.cut();
  }

  /**
   * Nothing passes in these directions until `heal`, and neither side is told: not even that the other one has ended.
   * New connections are accepted and stand still too. What was sent meanwhile passes then.
   */
  stall(lost = bothDirections): void {
    for (const direction of lost) {
      if (!this.#stalled.has(direction)) this.#stalled.set(direction, Promise.withResolvers());
    }
  }

  /** From now on each piece of up to 64 KiB takes so long. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** Everything passes at once again. */
  heal(): void {
    this.#refuses = false;
    this.#delayMs = 0;
    for (const stalled of this.#stalled.values()) stalled.resolve();
    this.#stalled.clear();
  }

  /** Cuts everything, and frees the port. */
  async close(): Promise<void> {
    this.cut();
    this.heal();
    this.#server.close();
    await once(this.#server, "close");
  }

  #forward(client: Socket): void {
    if (this.#refuses) {
      client.resetAndDestroy();
      return;
    }
    const server = connect({ port: this.#target, host: "127.0.0.1", allowHalfOpen: true });
    server.setNoDelay(true);
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
      // `error` is followed by `close`, and the other side hears of that where the link lets it.
      socket.on("error", () => undefined);
    }
    void this.#pass("there", client, server);
    void this.#pass("back", server, client);
  }

  /** Carries one direction to its end. */
  async #pass(direction: Direction, from: Socket, to: Socket): Promise<void> {
    try {
      for await (const piece of from.iterator({ destroyOnReturn: false })) {
        await this.#clear(direction);
        if (!to.write(piece as Buffer) && !to.destroyed) {
          await Promise.race([once(to, "drain"), once(to, "close")]);
        }
      }
      await this.#clear(direction);
      to.end();
    } catch {
      await this.#clear(direction);
      to.resetAndDestroy();
    }
  }

  /** Resolves when a piece may pass. */
  async #clear(direction: Direction): Promise<void> {
    if (this.#delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.#delayMs));
    for (let stalled; (stalled = this.#stalled.get(direction));) await stalled.promise;
  }
}
