import type { HttpResponse } from "uWebSockets.js";

/**
 * Sends `100 Continue`. uWS 20.51.4 sends it only if the client writes the expectation in lower case. It does
 * not answer Guzzle and the JDK, which write `100-Continue` and then wait a second, or for ever. uWS has one
 * status line per response, and it may contain any text. So that line becomes the interim status, and the
 * final status goes out next, as a header line. Must be called while the request's handler runs.
 */
export function sendContinue(res: HttpResponse): HttpResponse {
  res.cork(() => {
    res.writeStatus("100 Continue\r\n");
  });
  // A header line has a colon after its name. Here it stands in the reason phrase, which nobody reads.
  res.writeStatus = (status: string) => res.writeHeader(`HTTP/1.1 ${status}`, "");
  return res;
}
