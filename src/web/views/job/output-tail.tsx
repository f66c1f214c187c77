import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useSubscription } from 'urql';
import { graphql, type ResultOf } from '../../api/graphql.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { formatCount } from '../../ui/format.ts';
import { Age } from '../../ui/moment.tsx';
import { messageOf } from '../../ui/notice.tsx';
import { type OutputText, TAIL_BYTES, textOf, withPiece } from './output-text.ts';

/** How much there is by now. */
const LENGTH = graphql(`
  query OutputLength($id: ID!, $stream: OutputStream!) {
    job(id: $id) { output(stream: $stream, offset: 0, limit: 1) { totalBytes isComplete } }
  }
`);

/** What there is from an offset on, as it comes. */
const WRITTEN = graphql(`
  subscription OutputWritten($id: ID!, $stream: OutputStream!, $offset: Float!) {
    jobOutput(id: $id, stream: $stream, offset: $offset) { base64 offset totalBytes isComplete observedAt }
  }
`);

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
  const [{ data, error }] = useAnswer({ query: LENGTH, variables: { id, stream } });
  if (error && !data) return <p className="fault">{messageOf(error)}</p>;
  if (!data?.job) return <p className="muted">Reading …</p>;
  const { totalBytes, isComplete } = data.job.output;
  if (!totalBytes && isComplete) return <p className="muted">It has written nothing here.</p>;
  return <Written id={id} stream={stream} offset={Math.max(0, (totalBytes ?? 0) - TAIL_BYTES)} />;
}

interface WrittenProps {
  readonly id: string;
  readonly stream: Stream;
  readonly offset: number;
}

function Written(variables: WrittenProps) {
  const [{ data: text, error }] = useSubscription({ query: WRITTEN, variables: { ...variables } }, takeIn);
  if (!text) {
    if (error) return <p className="fault">{messageOf(error)}</p>;
    return <p className="muted">It has written nothing here yet.</p>;
  }
  const { bytes, totalBytes, observedAt } = text;
  return (
    <>
      {error && <p className="fault">{messageOf(error)}</p>}
      <p className="muted">
        {bytes.length < totalBytes && `The last ${formatCount(bytes.length)} of `}
        {formatCount(totalBytes)} bytes, <Age at={observedAt} />
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <pre className="output" tabIndex={0}>
        {textOf(text)}
      </pre>
    </>
  );
}

function takeIn(before: OutputText | undefined, { jobOutput }: ResultOf<typeof WRITTEN>): OutputText {
  return withPiece(before, jobOutput);
}
