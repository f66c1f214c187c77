import { signInLink } from '../client/sign-in-link.ts';
import type { Session } from '../session.ts';

/** `gridcast console` */
export async function openConsole({ client, config, output }: Session, options: { token?: string }): Promise<void> {
  const link = await signInLink(client.url, options.token ?? config.GRIDCAST_TOKEN ?? null);
  output.result({ link }, () => link);
}
