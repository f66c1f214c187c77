import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * A process of its own that answers one request after the other. Killing a thread inside ONNX Runtime would abort the
 * whole process; a process can be killed at any moment. One that died, or took too long, is replaced at the next
 * request.
 */
export class AskedProcess<Request extends object, Answer> {
  private child: ChildProcess | null = null;
  private last: Promise<unknown> = Promise.resolve();

  /**
   * @param file of what it runs, in this folder, without its ending
   * @param mostMilliseconds how long an answer may take, in wall time
   */
  constructor(
    private readonly file: string,
    private readonly mostMilliseconds: number,
  ) {}

  /** Null while there is none. */
  get pid(): number | null {
    return this.child?.pid ?? null;
  }

  /** @returns null when the process died, or was killed because it took too long */
  ask(request: Request): Promise<Answer | null> {
    const answer = this.last.then(() => this.askNow(request));
    this.last = answer.catch(() => null);
    return answer;
  }

  /** Ends it, whatever it is doing; it begins again with the next request. */
  kill(): void {
    this.child?.kill('SIGKILL');
    this.child = null;
  }

  private async askNow(request: Request): Promise<Answer | null> {
    this.child ??= startChild(this.file);
    const child = this.child;
    child.ref();
    const answer = await answerOf<Answer>(child, request, this.mostMilliseconds);
    child.unref();
    if (answer === null) this.child = null;
    return answer;
  }
}

function startChild(name: string): ChildProcess {
  // Compiled the child is a .js beside this file; from source it needs the loader that this process was started with.
  const fromSource = import.meta.url.endsWith('.ts');
  const file = fileURLToPath(new URL(`./${name}.${fromSource ? 'ts' : 'js'}`, import.meta.url));
  const child = fork(file, {
    execArgv: fromSource ? ['--import', '@oxc-node/core/register'] : [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.channel?.unref();
  return child;
}

function answerOf<Answer>(child: ChildProcess, request: object, most: number): Promise<Answer | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), most);
    const end = (answer: Answer | null) => {
      clearTimeout(timer);
      child.removeAllListeners();
      child.on('error', () => {});
      resolve(answer);
    };
    child.once('message', (answer) => end(answer as Answer));
    child.once('exit', () => end(null));
    child.once('error', () => end(null));
    child.send(request, (error) => {
      if (error) end(null);
    });
  });
}
