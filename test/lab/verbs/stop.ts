import { openStayingLabs } from '../lab.ts';

/** Stops what `start` has started. */
export async function run(): Promise<void> {
  const labs = openStayingLabs();
  for (const lab of labs) {
    await lab.stop();
    console.log(`${lab.folder} is stopped`);
  }
  if (labs.length === 0) console.log('no lab is running');
}
