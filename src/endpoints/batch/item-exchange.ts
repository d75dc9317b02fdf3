import { refuse } from "../../contract/errors.ts";
import type { Outcome } from "../../contract/outcome.ts";
import type { Exchange, ExchangeState, RequestHead } from "../../exchange/exchange.ts";

const head: RequestHead = {
  method: "POST",
  path: "/v1/security/scan/batch",
  query: "",
  headers: [],
};

/** The run of one batch item as records see it: a request of its own, without a client. */
export class ItemExchange implements Exchange {
  readonly requestId: string;
  readonly head = head;
  readonly remoteAddress = "";
  readonly arrivedAtMs = performance.now();
  readonly state: ExchangeState = "done";
  readonly bytesSent = 0;
  /** What the same scan would have been answered with. */
  status = 0;

  constructor(requestId: string) {
    this.requestId = requestId;
  }

  readBody(): Promise<Outcome<Uint8Array>> {
    return Promise.resolve(refuse("invalid_request", "A batch item has no body."));
  }
  reserve(): boolean {
    return true;
  }
  keepHeaders(): void {}
  respond(): void {}
  begin(): void {}
  write(): boolean {
    return true;
  }
  end(): void {}
  cut(): void {}
  onDrained(): void {}
  onGone(): void {}
}
