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
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === undefined || (syscall !== 'listen' && syscall !== 'getaddrinfo')) return error;
  if (code === 'EADDRINUSE') {
    const who = `\`ss -ltnp 'sport = :${port}'\` or \`lsof -i :${port}\` names the process that holds it`;
    return new CannotStart(`port ${port} of ${host} is in use`, `${who}; choose another one with ${option}`);
  }
  if (code === 'EACCES') {
    return new CannotStart(`port ${port} of ${host} is not for everybody`, `choose one from 1024 on with ${option}`);
  }
  if (NO_ADDRESS.has(code)) {
    const remedy =
      'choose one with GRIDCAST_HOST: 127.0.0.1 for this machine alone, 0.0.0.0 for every network it is in';
    return new CannotStart(`GRIDCAST_HOST "${host}" is no address of this machine`, remedy);
  }
  return error;
}

/** Of others, of no network that there is, or names that nobody knows. */
const NO_ADDRESS: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL', 'ENOTFOUND', 'EAI_AGAIN']);
