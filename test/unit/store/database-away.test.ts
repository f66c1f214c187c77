import { expect, test } from 'vitest';
import { isDatabaseAway, untilDatabaseIsThere } from '../../../src/store/database-away.ts';

const failed = (message: string, more: object) => Object.assign(new Error(message), more);
/** As Prisma tells of what its adapter for pg was told. */
const wrapped = (cause: Error) =>
  failed(`Invalid invocation:\n${cause.message}`, { meta: { driverAdapterError: cause } });

const NOBODY = failed('getaddrinfo ENOTFOUND db', { code: 'ENOTFOUND', syscall: 'getaddrinfo' });

test.each([
  failed('connect EMFILE 127.0.0.1:5432 - Local (undefined:undefined)', { code: 'EMFILE', syscall: 'connect' }),
  failed('connect ENFILE 127.0.0.1:5432', { code: 'ENFILE', syscall: 'connect' }),
  failed('getaddrinfo EMFILE db', { code: 'EMFILE', syscall: 'getaddrinfo' }),
  NOBODY,
  failed('server login has been failing, try again later (server_login_retry)', { code: '08P01' }),
  failed('no more connections allowed (max_client_conn)', { code: '08P01' }),
])('who cannot connect has no server: $message', (error) => {
  const all = [error, wrapped(error), new Error(error.message)];
  expect(all.map(isDatabaseAway)).toEqual([true, true, true]);
});

test.each([
  failed("EMFILE: too many open files, open '/tmp/script.sh'", { code: 'EMFILE', syscall: 'open' }),
  failed("ENOENT: no such file or directory, open '/tmp/script.sh'", { code: 'ENOENT', syscall: 'open' }),
  failed('bind message supplies 3 parameters, but prepared statement "s1" requires 2', { code: '08P01' }),
])('what is no matter of connecting is a fault: $message', (error) => {
  expect([isDatabaseAway(error), isDatabaseAway(wrapped(error))]).toEqual([false, false]);
});

test('a server whose name nobody knows is not waited for', async () => {
  let asked = 0;
  const ask = () => {
    asked += 1;
    return Promise.reject(NOBODY);
  };
  await expect(untilDatabaseIsThere(ask, 60_000, () => undefined)).rejects.toThrow('ENOTFOUND');
  expect(asked).toBe(1);
});
