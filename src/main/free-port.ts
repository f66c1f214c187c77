import { createServer } from 'node:net';

/** A port of 127.0.0.1 that nobody listens on at this moment: the wanted one, or any. @throws when that one is taken */
export function freePort(wanted = 0): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', fail);
    probe.listen(wanted, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => done(port));
    });
  });
}
