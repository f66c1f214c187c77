import type { CommandSite } from '../shared/command-site.ts';
import type { SlurmAssociations } from './client.ts';
import { wordsOf } from './commands.ts';
import { questionFailure, understood } from './failures.ts';
import { ASSOCIATION_FIELDS, parseAssociations, parseClusterName } from './parse-cluster.ts';
import type { SlurmAssociation } from './slurm-job.ts';

/** Who may charge which account, by sacctmgr. */
export class Sacctmgr implements SlurmAssociations {
  private us: { readonly user: string; readonly cluster: string } | null = null;

  constructor(
    private readonly site: CommandSite,
    private readonly account: string | undefined,
  ) {}

  async list(): Promise<SlurmAssociation[]> {
    this.us ??= await this.whoAndWhere();
    const { user, cluster } = this.us;
    const charged = this.account === undefined ? 'onlydefaults' : `account=${this.account}`;
    const lists = [[`user=${user}`, charged], ['user=']].map((which) => {
      return this.ask(argvOf([`cluster=${cluster}`, ...which]), parseAssociations);
    });
    return (await Promise.all(lists)).flat();
  }

  private async whoAndWhere(): Promise<{ user: string; cluster: string }> {
    const [user, cluster] = await Promise.all([
      this.ask(['id', '-un'], (text) => text.trim()),
      this.ask(['scontrol', 'show', 'config'], parseClusterName),
    ]);
    return { user, cluster };
  }

  private ask<Answer>(argv: readonly [string, ...string[]], read: (text: string) => Answer): Promise<Answer> {
    return this.site.ask('associations', { argv }, (result) => {
      if (result.exitCode !== 0) throw questionFailure(`${argv[0]} failed`, wordsOf(result));
      return understood(argv[0], () => read(result.stdout));
    });
  }
}

function argvOf(which: readonly string[]): readonly [string, ...string[]] {
  const format = `format=${ASSOCIATION_FIELDS.join(',')}`;
  return ['sacctmgr', '--noheader', '--parsable2', '--readonly', 'show', 'associations', 'where', ...which, format];
}
