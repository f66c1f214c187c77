import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';

/** What a lab can be made of. */
export const LAB_PARTS = ['slurm', 'accounting', 'ssh', 'gridengine', 'oar', 'mpi'] as const;
export type LabPart = (typeof LAB_PARTS)[number];

interface Needs {
  /** Debian packages. */
  readonly packages: readonly string[];
  /** Files that are there when the packages are. */
  readonly files: readonly string[];
}

const NEEDS: Readonly<Record<LabPart, Needs>> = {
  slurm: {
    packages: ['slurmctld', 'slurmd', 'slurm-client', 'slurmrestd', 'slurm-wlm-jwt-plugin', 'munge', 'sudo'],
    files: [
      '/usr/sbin/slurmctld',
      '/usr/sbin/slurmd',
      '/usr/bin/sbatch',
      '/usr/sbin/slurmrestd',
      '/usr/sbin/munged',
      '/usr/bin/sudo',
    ],
  },
  accounting: {
    packages: ['slurmdbd', 'slurm-wlm-mysql-plugin', 'mariadb-server'],
    files: ['/usr/sbin/slurmdbd', '/usr/sbin/mariadbd'],
  },
  ssh: { packages: ['openssh-server', 'openssh-client'], files: ['/usr/sbin/sshd', '/usr/bin/ssh'] },
  gridengine: {
    packages: ['gridengine-master', 'gridengine-exec', 'gridengine-client'],
    files: ['/usr/sbin/sge_qmaster', '/usr/sbin/sge_execd', '/usr/lib/gridengine/qsub'],
  },
  oar: {
    packages: ['oar-server', 'oar-server-pgsql', 'oar-user', 'oar-user-pgsql', 'oar-node', 'postgresql'],
    files: ['/usr/sbin/oar-server', '/usr/bin/oarsub'],
  },
  mpi: {
    packages: ['openmpi-bin', 'python3-mpi4py', 'environment-modules', 'libgomp1'],
    files: ['/usr/bin/mpirun', '/usr/lib/python3/dist-packages/mpi4py/__init__.py', '/usr/share/modules/init/bash'],
  },
};

/** Why a lab of those parts cannot be started on this machine, in a line that says what is absent; null when it can. */
export function partsMissing(parts: readonly LabPart[]): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return 'the lab needs Linux and root, because batch systems run jobs as their users';
  }
  const absent = parts.filter((part) => NEEDS[part].files.some((file) => !existsSync(file)));
  if (absent.length === 0) return null;
  return `these Debian packages are absent: ${packagesOf(absent).join(' ')} (\`npm run lab -- install\` installs them)`;
}

/**
 * Installs the Debian packages of those parts. No service is started by it: a policy keeps Debian's own units from
 * running.
 * @param tell hears what is being done, because it takes a minute
 * @throws Error with apt's last words, when every part that can be installed is
 */
export function installPackages(parts: readonly LabPart[], tell: (line: string) => void = console.log): void {
  const absent = parts.filter((part) => NEEDS[part].files.some((file) => !existsSync(file)));
  if (absent.length === 0) return;
  if (process.getuid?.() !== 0) throw new Error(`only root can install ${packagesOf(absent).join(' ')}`);
  const hadPolicy = existsSync(POLICY);
  if (!hadPolicy) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    tell('installing Debian packages: reading the package lists ...');
    apt('update', '-q');
    const failures = absent.flatMap((part) => {
      try {
        tell(`installing ${part}: ${NEEDS[part].packages.join(' ')} ...`);
        apt('install', '-qy', '--no-install-recommends', ...NEEDS[part].packages);
        return [];
      } catch (error) {
        return [error instanceof Error ? error.message : String(error)];
      }
    });
    if (failures.length > 0) throw new Error(failures.join('\n'));
  } finally {
    if (!hadPolicy) rmSync(POLICY);
  }
}

/** Debian asks this file before it starts a service; 101 forbids. */
const POLICY = '/usr/sbin/policy-rc.d';

function packagesOf(parts: readonly LabPart[]): string[] {
  return parts.flatMap((part) => NEEDS[part].packages);
}

function apt(...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status === 0) return;
  throw new Error(`apt-get ${args.join(' ')} failed:\n${`${stdout ?? ''}${stderr ?? ''}`.slice(-2000)}`);
}
