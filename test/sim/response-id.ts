/** The id of the provider's answer to a request. */
export function responseIdOf(requestId: string): string {
  return `resp_${requestId.replace(" ", "_")}`;
}
