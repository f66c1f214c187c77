import { describeFindings } from '../resources/requests.ts';
import { findRequests } from '../resources/systems.ts';

/** Asks every system for all that a job can ask for, and prints what each of them makes of it. */
export async function run(): Promise<void> {
  const findings = await findRequests((what) => console.error(what));
  console.log(describeFindings(findings));
  if (findings.some(({ verdict }) => verdict === 'WRONG')) process.exitCode = 1;
}
