import type { HttpResponse } from "uWebSockets.js";

/**
 * Sends `100 Continue`, which uWS 20.51.4 does by itself for a client that spells its expectation in lower
 * case, and answers Guzzle and the JDK, which write `100-Continue`, with silence: they wait a second, or
 * for ever. uWS has one status line for a response, and any text may stand in it; so the interim one goes
 * out as that, and the answer's own as what comes next, a header line. To be called while the request's
 * handler runs.
 */
export function sendContinue(res: HttpResponse): HttpResponse {
  res.cork(() => {
    res.writeStatus("100 Continue\r\n");
  });
  // A header line has a colon behind its name; here it stands in the reason phrase, which nobody reads.
  res.writeStatus = (status: string) => res.writeHeader(`HTTP/1.1 ${status}`, "");
  return res;
}
