/** Variables that bash sets itself and lets nobody else set. */
export const READ_ONLY_VARIABLES: readonly string[] = ['BASHOPTS', 'BASH_VERSINFO', 'EUID', 'PPID', 'SHELLOPTS', 'UID'];

/** Whether a shell can set a variable of that name. */
export function isSettable(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !READ_ONLY_VARIABLES.includes(name);
}
