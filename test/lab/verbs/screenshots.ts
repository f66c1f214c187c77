import { takeScreenshots } from '../screenshots.ts';
import { options } from './options.ts';

/** Makes the pictures of docs/console.md from a running service. */
export async function run(): Promise<void> {
  const { url, token } = options;
  if (!url || !token) throw new Error('say of what: npm run lab -- screenshots --url URL --token TOKEN');
  await takeScreenshots(url, token, (file) => console.log(file));
}
