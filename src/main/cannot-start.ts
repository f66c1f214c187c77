/** A process of the service cannot start, for a reason that whoever runs it can mend. */
export class CannotStart extends Error {
  constructor(
    message: string,
    /** What to do about it. */
    readonly remedy: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'CannotStart';
  }
}

/**
 * What an error of listening means to whoever chose the address; other errors as they are.
 * @param option how another port is chosen
 */
export function explainListenError(error: unknown, host: string, port: number, option: string): unknown {
  const code =
    error instanceof Error && 'syscall' in error && error.syscall === 'listen' && 'code' in error && error.code;
  if (code === 'EADDRINUSE') {
    const who = `\`ss -ltnp 'sport = :${port}'\` or \`lsof -i :${port}\` names the process that holds it`;
    return new CannotStart(`port ${port} of ${host} is in use`, `${who}; choose another one with ${option}`);
  }
  if (code === 'EACCES') {
    return new CannotStart(`port ${port} of ${host} is not for everybody`, `choose one from 1024 on with ${option}`);
  }
  if (code === 'EADDRNOTAVAIL') {
    return new CannotStart(`${host} is no address of this machine`, 'choose another one with GRIDCAST_HOST');
  }
  return error;
}
