import { plainSubject, type Subject } from "./subject.ts";

/** Nobody between: what the provider and the load generator take by themselves. */
export function direct(providerPort: number): Subject {
  return plainSubject("direct", providerPort, null);
}
