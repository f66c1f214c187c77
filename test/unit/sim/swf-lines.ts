import type { Workload } from '../../../src/sim/workload.ts';

/**
 * A workload as lines of SWF without their newlines, the header first: what `SwfParser` reads back to the same columns.
 * Fields that the simulator does not keep (CPU time, memory, preceding job, think time) are written as unknown.
 */
export function* swfLines(workload: Workload): Generator<string> {
  for (const [name, value] of workload.header) {
    for (const line of value.split('\n')) yield `; ${name}: ${line}`;
  }
  const columns = workload.columns;
  for (let index = 0; index < workload.length; index++) {
    const at = (name: keyof typeof columns) => columns[name][index] as number;
    yield [
      at('id'),
      at('submitAt'),
      at('waitSeconds'),
      at('runSeconds'),
      at('allocatedProcessors'),
      -1,
      -1,
      at('requestedProcessors'),
      at('requestedSeconds'),
      -1,
      at('status'),
      at('user'),
      at('group'),
      at('executable'),
      at('queue'),
      at('partition'),
      -1,
      -1,
    ].join(' ');
  }
}
