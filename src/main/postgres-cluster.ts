import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writePrivateFile } from './files.ts';
import { ownerOf, runAlone, serverPrograms, serverUser } from './postgres-programs.ts';

/** The role that the service is: it owns its databases and may make more, and has no other privilege. */
export const SERVICE_ROLE = 'gridcast_service';

/** The role that set the server up, a superuser. It has no password and no way in. */
const SUPERUSER = 'gridcast';

/** Only the service's role may come in, over the socket, with its password. */
const ACCESS = `# Written by Gridcast before every start.\nlocal all ${SERVICE_ROLE} scram-sha-256\n`;

/** Who may come in, instead of what the data directory says. */
export const accessFileOf = (folder: string) => join(folder, 'pg_hba.conf');

/** Where the password of the service's role is kept, for the user who runs it alone. */
const secretFileOf = (folder: string) => join(folder, 'postgres.secret');

/** The password of the service's role; null where a version before it, or nobody yet, has set a server up. */
export function readSecret(folder: string): string | null {
  const file = secretFileOf(folder);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

/**
 * Makes the server in the folder fit to be started: set up when there is none, with a password of its own, and closed
 * to everybody else. One of an earlier version, whose superuser everybody could be, is changed to that; its data become
 * the service's.
 * @throws Error with the server's words when that fails; the next call goes on from there
 */
export async function prepareCluster(folder: string, databaseDir: string): Promise<void> {
  if (!existsSync(join(databaseDir, 'PG_VERSION'))) {
    rmSync(secretFileOf(folder), { force: true });
    await initialise(databaseDir);
  }
  const accessFile = accessFileOf(folder);
  writePrivateFile(accessFile, ACCESS);
  const owner = ownerOf(databaseDir);
  if (owner) chownSync(accessFile, owner.uid, owner.gid);
  if (readSecret(folder) !== null) return;
  const secret = randomBytes(32).toString('base64url');
  await giveToService(databaseDir, secret);
  writePrivateFile(secretFileOf(folder), `${secret}\n`);
}

/** Sets a server up beside its place and moves it there when it is whole. */
async function initialise(databaseDir: string): Promise<void> {
  const { initdb } = await serverPrograms();
  const user = await serverUser();
  const fresh = `${databaseDir}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true, mode: 0o700 });
  if (user) chownSync(fresh, user.uid, user.gid);
  const parameters = [
    `--pgdata=${fresh}`,
    `--username=${SUPERUSER}`,
    '--auth=reject',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
  ];
  try {
    await promisify(execFile)(initdb, parameters, { ...user, cwd: fresh });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`the embedded PostgreSQL could not be set up in ${databaseDir}: ${stdout}${stderr}`);
  }
  rmSync(databaseDir, { recursive: true, force: true });
  renameSync(fresh, databaseDir);
}

async function giveToService(databaseDir: string, secret: string): Promise<void> {
  const printed = await runAlone(databaseDir, 'postgres', [
    `DO $$ BEGIN CREATE ROLE ${SERVICE_ROLE}; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
    "SET password_encryption = 'scram-sha-256'",
    `ALTER ROLE ${SERVICE_ROLE} LOGIN CREATEDB NOSUPERUSER NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD '${secret}'`,
    `ALTER ROLE ${SUPERUSER} PASSWORD NULL`,
    "SELECT datname FROM pg_database WHERE datallowconn AND datname NOT IN ('postgres', 'template0', 'template1')",
  ]);
  for (const [, database = ''] of printed.matchAll(/datname = "(.*?)"\t/g)) {
    const name = `"${database.replaceAll('"', '""')}"`;
    await runAlone(databaseDir, database, [OWN_EVERYTHING, `ALTER DATABASE ${name} OWNER TO ${SERVICE_ROLE}`]);
  }
}

const NOT_THE_SYSTEMS = "n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'";

/**
 * What the superuser owns in a database but the system's own. Sequences of columns and types of tables go with their
 * tables.
 */
const OWN_EVERYTHING = `DO $$ DECLARE change text; BEGIN FOR change IN
  SELECT format('SCHEMA %I', n.nspname) FROM pg_namespace n
   WHERE n.nspowner = 10 AND ${NOT_THE_SYSTEMS}
  UNION ALL
  SELECT format('TABLE %I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relowner = 10 AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND ${NOT_THE_SYSTEMS}
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
                        AND d.refclassid = 'pg_class'::regclass AND c.relkind = 'S')
  UNION ALL
  SELECT format('TYPE %I.%I', n.nspname, t.typname) FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
   WHERE t.typowner = 10 AND t.typtype IN ('e', 'd', 'r') AND ${NOT_THE_SYSTEMS}
  UNION ALL
  SELECT format('ROUTINE %s', p.oid::regprocedure) FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
   WHERE p.proowner = 10 AND ${NOT_THE_SYSTEMS}
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e')
  LOOP EXECUTE 'ALTER ' || change || ' OWNER TO ${SERVICE_ROLE}'; END LOOP; END $$`;
