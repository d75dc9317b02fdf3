/**
 * Milliseconds of CPU time that this process spends on `work`. A test that asks whether something takes
 * linear time bounds this, and generously: the clock would count what other processes do.
 */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
