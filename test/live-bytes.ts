import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What the heap holds, without what nobody holds any more, which others in this process may have left. */
export function liveBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
