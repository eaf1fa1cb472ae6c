/**
 * A terminal that is redrawn, and given back as it was however the program ends. What is drawn is cut to the terminal's size,
 * so that it stays usable in 80 × 24.
 */
import { clipped } from '../../../terminal/columns.js';
import { rendered } from '../../../terminal/terminal.js';

const enter = '\u001b[?1049h\u001b[?25l';
const leave = '\u001b[?25h\u001b[?1049l';
const home = '\u001b[H';
const eraseLine = '\u001b[K';
const eraseBelow = '\u001b[J';
/** Redraws regularly because relative times change. */
const everyMs = 1_000;
const sizeDefault = { columns: 80, rows: 24 };
/** They would end the process without giving the terminal back. */
const endings = { SIGTERM: 143, SIGHUP: 129 } as const;

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export class LiveScreen {
  private readonly timer: NodeJS.Timeout;
  private readonly handlers = Object.entries(endings).map(
    ([signal, code]) => [signal, () => process.exit(code)] as const,
  );

  constructor(
    private readonly draw: (size: Size) => string,
    private readonly stream: NodeJS.WriteStream = process.stdout,
  ) {
    stream.write(enter);
    // A fault ends the process by way of `exit` as well; the error itself is printed on the terminal as it was.
    process.once('exit', this.restore);
    for (const [signal, handler] of this.handlers) process.once(signal, handler);
    stream.on('resize', this.show);
    this.timer = setInterval(this.show, everyMs);
    this.show();
  }

  readonly show = (): void => {
    const size = this.size;
    const lines = this.draw(size).split('\n').slice(0, size.rows);
    const drawn = lines.map((line) => `${clipped(rendered(line, this.stream), size.columns)}${eraseLine}`).join('\r\n');
    this.stream.write(`${home}${drawn}${eraseBelow}`);
  };

  close(): void {
    clearInterval(this.timer);
    this.stream.off('resize', this.show);
    for (const [signal, handler] of this.handlers) process.off(signal, handler);
    process.off('exit', this.restore);
    this.restore();
  }

  private get size(): Size {
    const { columns, rows } = this.stream;
    return { columns: columns || sizeDefault.columns, rows: rows || sizeDefault.rows };
  }

  private readonly restore = (): void => void this.stream.write(leave);
}
