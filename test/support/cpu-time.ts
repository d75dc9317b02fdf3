/**
 * Milliseconds of CPU time that this process spends on `work`. A test for linear time puts a generous
 * bound on this, because elapsed time would include other processes.
 */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
