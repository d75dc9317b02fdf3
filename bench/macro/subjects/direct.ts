import { plainSubject, type Subject } from "./subject.ts";

/** No gateway in between. It shows the cost of the provider and the load generator alone. */
export function direct(providerPort: number): Subject {
  return plainSubject("direct", providerPort, null);
}
