import type { SlurmAssociations } from './client.ts';
import { questionFailure, understood } from './failures.ts';
import { parseRestAssociations } from './parse-rest.ts';
import type { RestConnection } from './rest-connection.ts';
import type { SlurmAssociation } from './slurm-job.ts';

/** Who may charge which account, by slurmrestd's slurmdb. */
export class RestAssociations implements SlurmAssociations {
  constructor(
    private readonly connection: RestConnection,
    private readonly user: string,
    private readonly account: string | undefined,
  ) {}

  async list(): Promise<SlurmAssociation[]> {
    return (await Promise.all([this.ask(this.user), this.ask('')])).flat();
  }

  private ask(user: string): Promise<SlurmAssociation[]> {
    const path = `/associations?${new URLSearchParams({ user })}`;
    return this.connection.ask('slurmdb', path, ({ document, words }) => {
      if (words && !/Nothing found/.test(words)) throw questionFailure("slurmrestd's /associations", words);
      return understood("slurmrestd's /associations", () => {
        return parseRestAssociations(document, this.user, this.account?.toLowerCase());
      });
    });
  }
}
