import type { Configuration } from "../contract/configuration.ts";

/**
 * The share of one proxy thread in everything that is bounded for the whole process: scan workers (at
 * least one for each thread) and the response cache. `thread` counts from 0, the main thread.
 */
export function shareOf(configuration: Configuration, thread: number): Configuration {
  const { gateway, cache } = configuration;
  const { proxyThreads, scanWorkers } = gateway;
  if (proxyThreads === 1) return configuration;
  const even = Math.floor(scanWorkers / proxyThreads);
  const more = thread < scanWorkers % proxyThreads ? 1 : 0;
  return {
    ...configuration,
    gateway: { ...gateway, scanWorkers: Math.max(1, even + more) },
    cache: { ...cache, bytesMax: Math.floor(cache.bytesMax / proxyThreads) },
  };
}
