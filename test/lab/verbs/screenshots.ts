import { takeScreenshots } from '../screenshots.ts';
import { serviceOf } from './options.ts';

/** Makes the pictures of docs/console.md from a running service. */
export async function run(): Promise<void> {
  const { url, token } = serviceOf('screenshots');
  await takeScreenshots(url, token, (file) => console.log(file));
}
