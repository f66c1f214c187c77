import { openStayingLabs } from '../lab.ts';
import { deadDaemons } from './describe-lab.ts';
import { run as status } from './status.ts';

/** For health checks: fails unless a lab runs and all of it does. */
export function run(): void {
  const labs = openStayingLabs();
  if (labs.length === 0 || labs.some((lab) => deadDaemons(lab).length > 0)) process.exitCode = 1;
  status();
}
