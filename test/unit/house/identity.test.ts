import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Who keeps something by an object's identity, and why what it keeps cannot be out of date. */
const STATED: Readonly<Record<string, string>> = {
  'src/commands/carry-out/room-for-jobs.ts': 'how many rows a database had, counted anew within seconds',
  'src/commands/outputs/output-desk.ts': 'a resource of the registry, closed with it',
  'src/flow/guarded.ts': 'the calls in flight of an adapter',
  'src/flow/steps/planning/in-turn.ts': 'who is asked, not what it says',
  'src/forecast/answer-io.ts': 'made of a state, which never changes',
  'src/predict/checkpoint/exact-object.ts': 'how much room objects of a prototype get, not what they say',
  'src/predict/checkpoint/graph-reader.ts': 'reads what others keep',
  'src/predict/checkpoint/graph-writer.ts': 'writes what others keep',
  'src/predict/prionn/serving-network.ts': 'made of what was trained, which never changes',
  'src/predict/text/text-memory.ts': 'made of a job as it was asked about, which never changes',
  'src/predict/wait/gridcast/site-plans.ts': 'made of a state, which never changes, and of a stated revision',
  'src/predict/wait/made-of-state.ts': 'made of a state, which never changes',
  'src/store/gathered.ts': 'statements under way of one database or transaction',
  'src/store/outages.ts': 'what the log of a process has said, of its one logger',
};

test('nothing is kept by the identity of an object but where it is stated why that is safe', () => {
  const files = ['src', 'adapters'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/(^|\/)generated\//.test(name))
      .map((name) => join(folder, name)),
  );
  const keeping = files.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('WeakMap'));
  expect(keeping.sort()).toEqual(Object.keys(STATED));
});
