import { openStayingLabs } from '../lab.ts';
import { describeLab } from './describe-lab.ts';

/** Tells what runs. */
export function run(): void {
  console.log(openStayingLabs().map(describeLab).join('\n') || 'no lab is running');
}
