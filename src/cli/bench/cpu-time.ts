/** CPU time of this process so far, in milliseconds: what others do on the machine hardly counts. */
export function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
