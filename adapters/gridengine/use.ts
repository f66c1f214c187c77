import { sumTold } from '../shared/amounts.ts';

/**
 * What a line of the accounting file says of what a run used, accounting(5). Its `io` is what was read and written
 * together, so neither is told; its `ru_inblock` and `ru_oublock` are numbers of operations and no bytes.
 */
export interface EntryUse {
  readonly cpuSeconds: number | null;
  /**
   * The most that it had in virtual memory, as Grid Engine counts and limits it; null of a run too short for a look.
   */
  readonly memoryBytes: number | null;
}

/** @param cpu seconds  @param maxvmem bytes */
export function useOf(cpu: string, maxvmem: string): EntryUse {
  const [cpuSeconds, memoryBytes] = [amountOf(cpu), amountOf(maxvmem)];
  return { cpuSeconds, memoryBytes: memoryBytes || null };
}

function amountOf(text: string): number | null {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : null;
}

/** Who pays: the account string, of which `sge` stands for none (qsub -A), or else the project. */
export function accountOf(account: string, project: string): string | null {
  if (account !== '' && account !== 'sge') return account;
  return project === '' || project === 'NONE' ? null : project;
}

/**
 * Adds what the lines of single processes say to the line of their job, which comes after them, and leaves them out.
 */
export function addProcesses<Entry extends { readonly nativeId: string; readonly use: EntryUse }>(
  lines: readonly { readonly entry: Entry; readonly isProcess: boolean }[],
): Entry[] {
  const processes = new Map<string, EntryUse>();
  return lines.flatMap(({ entry, isProcess }) => {
    const others = processes.get(entry.nativeId);
    const use = others ? together(entry.use, others) : entry.use;
    if (isProcess) processes.set(entry.nativeId, use);
    else processes.delete(entry.nativeId);
    return isProcess ? [] : [{ ...entry, use }];
  });
}

function together(one: EntryUse, other: EntryUse): EntryUse {
  return {
    cpuSeconds: sumTold([one.cpuSeconds, other.cpuSeconds]),
    memoryBytes: sumTold([one.memoryBytes, other.memoryBytes]),
  };
}
