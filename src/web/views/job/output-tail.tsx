import { useCallback, useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { useClient } from 'urql';
import { graphql, type ResultOf } from '../../api/graphql.ts';
import { formatCount } from '../../ui/format.ts';
import { Age } from '../../ui/moment.tsx';
import { messageOf } from '../../ui/notice.tsx';

const TAIL_BYTES = 16_384;
const PAUSE_MILLISECONDS = 3000;

const OUTPUT = graphql(`
  query Output($id: ID!, $stream: OutputStream!, $offset: Float!, $limit: Int!) {
    job(id: $id) { output(stream: $stream, offset: $offset, limit: $limit) { text totalBytes isComplete observedAt offset } }
  }
`);

type Output = NonNullable<ResultOf<typeof OUTPUT>['job']>['output'];
type Stream = 'STDOUT' | 'STDERR';

/** The end of what a job has written, read again while it writes. */
export function OutputTail({ id }: { readonly id: string }) {
  const [stream, setStream] = useState<Stream | null>(null);
  return (
    <section className="part" aria-label="Output">
      <div className="chart-bar">
        <h2>Output</h2>
        {(['STDOUT', 'STDERR'] as const).map((name) => (
          <Button key={name} className="button quiet" aria-pressed={stream === name} onPress={() => setStream(name)}>
            {name === 'STDOUT' ? 'Standard output' : 'Standard error'}
          </Button>
        ))}
      </div>
      {stream ? (
        <Tail key={stream} id={id} stream={stream} />
      ) : (
        <p className="muted">Its site is asked when you choose a stream.</p>
      )}
    </section>
  );
}

function Tail({ id, stream }: { readonly id: string; readonly stream: Stream }) {
  const client = useClient();
  const [output, setOutput] = useState<Output | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const read = useCallback(async () => {
    const ask = (offset: number, limit: number) => client.query(OUTPUT, { id, stream, offset, limit }).toPromise();
    const head = await ask(0, 1);
    const total = head.data?.job?.output.totalBytes ?? 0;
    const { data, error } = head.error ? head : await ask(Math.max(0, total - TAIL_BYTES), TAIL_BYTES);
    setFault(error ? messageOf(error) : null);
    if (data?.job) setOutput(data.job.output);
    return data?.job?.output.isComplete === true;
  }, [client, id, stream]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    let isLeft = false;
    const readOn = async () => {
      const isComplete = await read();
      if (!isComplete && !isLeft) timer = setTimeout(() => void readOn(), PAUSE_MILLISECONDS);
    };
    void readOn();
    return () => {
      isLeft = true;
      clearTimeout(timer ?? undefined);
    };
  }, [read]);
  if (fault) return <p className="fault">{fault}</p>;
  if (!output) return <p className="muted">Reading …</p>;
  if (!output.totalBytes)
    return <p className="muted">It has written nothing here{output.isComplete ? '.' : ' yet.'}</p>;
  return (
    <>
      <p className="muted">
        {output.offset > 0 && `The last ${formatCount(TAIL_BYTES)} of `}
        {formatCount(output.totalBytes)} bytes, <Age at={output.observedAt} />
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <pre className="output" tabIndex={0}>
        {output.text}
      </pre>
    </>
  );
}
