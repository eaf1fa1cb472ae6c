/** A part of the terminal that is redrawn, and restored at the end. */
import { rendered } from './terminal.js';

const enter = '\u001b[?1049h\u001b[?25l';
const leave = '\u001b[?25h\u001b[?1049l';
const home = '\u001b[H';
const eraseLine = '\u001b[K';
const eraseBelow = '\u001b[J';
/** Redraws regularly because relative times change. */
const everyMs = 1_000;

export class LiveScreen {
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly draw: () => string,
    private readonly stream: NodeJS.WriteStream = process.stdout,
  ) {
    stream.write(enter);
    this.timer = setInterval(() => this.show(), everyMs);
  }

  show(): void {
    const lines = this.draw()
      .split('\n')
      .slice(0, this.stream.rows - 1);
    this.stream.write(
      `${home}${lines.map((line) => `${rendered(line)}${eraseLine}`).join('\n')}${eraseLine}${eraseBelow}`,
    );
  }

  close(): void {
    clearInterval(this.timer);
    this.stream.write(leave);
  }
}
