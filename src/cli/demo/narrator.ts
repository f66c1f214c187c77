import colors from '../render/colors.ts';

/**
 * Tells the story, calmly: chapters, lines, and on a terminal one line at the bottom that says what is being waited
 * for.
 */
export class Narrator {
  private status = '';

  constructor(private readonly stream: NodeJS.WriteStream) {}

  chapter(title: string): void {
    this.write(`\n${colors.bold(title)}\n`);
  }

  line(text: string): void {
    this.write(
      `${text
        .split('\n')
        .map((line) => (line === '' ? '' : `  ${line}`))
        .join('\n')}\n`,
    );
  }

  /** Something that happened, with the moment on the sites' clock. */
  event(at: string | null, text: string): void {
    this.line(`${colors.dim(at === null ? ' '.repeat(16) : at.slice(0, 16).replace('T', ' '))}  ${text}`);
  }

  /** Whether it can show a line that changes. */
  get isLive(): boolean {
    return this.stream.isTTY === true;
  }

  /** What is being waited for now; empty for nothing. Shown on terminals only. */
  waiting(text: string): void {
    if (!this.isLive) return;
    this.clear();
    this.status = text.slice(0, Math.max(20, (this.stream.columns || 80) - 4));
    if (this.status) this.stream.write(`  ${colors.dim(this.status)}`);
  }

  private write(text: string): void {
    const { status } = this;
    this.clear();
    this.stream.write(text);
    if (status) this.waiting(status);
  }

  private clear(): void {
    if (this.status) this.stream.write('\r\x1b[2K');
    this.status = '';
  }
}
