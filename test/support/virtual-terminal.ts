/** A terminal in memory: what stands on its screen after all that a command wrote, and keys that somebody presses. */
import { PassThrough, Writable } from 'node:stream';
import { widthOf } from '../../src/terminal/columns.js';
import { eventually } from './eventually.js';

interface Cell {
  readonly text: string;
  /** Codes that are on, such as `1;31`. */
  readonly style: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a terminal obeys
const controls = /\u001b\[(\??)([\d;]*)([A-Za-z])|[\r\n]|[^\u001b\r\n]/gu;
/** The code that ends what another one began. */
const ends: Readonly<Record<string, readonly string[]>> = {
  22: ['1', '2'],
  39: ['30', '31', '32', '33', '34', '35', '36', '37'],
  0: [],
};

class Page {
  private lines: Cell[][] = [];
  private row = 0;
  private column = 0;
  private codes: string[] = [];

  put(text: string): void {
    const line = this.line();
    while (line.length < this.column) line.push({ text: ' ', style: '' });
    line[this.column] = { text, style: this.codes.join(';') };
    this.column += 1;
    for (let more = widthOf(text); more > 1; more -= 1) {
      line[this.column] = { text: '', style: this.codes.join(';') };
      this.column += 1;
    }
  }

  newLine(): void {
    this.row += 1;
    this.column = 0;
  }

  obey(letter: string, argument: string): void {
    const count = Number(argument) || 1;
    if (letter === 'H') [this.row, this.column] = [0, 0];
    else if (letter === 'A') this.row = Math.max(0, this.row - count);
    else if (letter === 'B') this.row += count;
    else if (letter === 'C') this.column += count;
    else if (letter === 'D') this.column = Math.max(0, this.column - count);
    else if (letter === 'G') this.column = count - 1;
    else if (letter === 'K') this.line().splice(this.column);
    else if (letter === 'J') {
      this.line().splice(this.column);
      this.lines.splice(this.row + 1);
    } else if (letter === 'm')
      for (const code of argument.split(';'))
        this.codes =
          ends[code] === undefined ? [...this.codes, code] : this.codes.filter((one) => !ends[code]?.includes(one));
  }

  startOfLine(): void {
    this.column = 0;
  }

  get text(): string {
    return this.drawn((cells) => cells.map(({ text }) => text).join(''));
  }

  /** Screen with a mark such as `<1;31>` wherever the style changes. */
  get coloured(): string {
    return this.drawn((cells) => {
      let style = '';
      return cells
        .map((cell) => {
          const change = cell.style === style ? '' : `<${cell.style}>`;
          style = cell.style;
          return change + cell.text;
        })
        .join('');
    });
  }

  private drawn(line: (cells: readonly Cell[]) => string): string {
    return Array.from(this.lines, (cells) => line(cells ?? []).trimEnd())
      .join('\n')
      .trimEnd();
  }

  private line(): Cell[] {
    const line = this.lines[this.row] ?? [];
    this.lines[this.row] = line;
    return line;
  }
}

export class VirtualTerminal {
  /** Page of the shell before, and the page of a live view above it. */
  private readonly shell = new Page();
  private live: Page | null = null;
  readonly stdout: Writable & { isTTY: true; columns: number; rows: number; getWindowSize(): [number, number] };
  readonly stdin = Object.assign(new PassThrough(), {
    isTTY: true as const,
    isRaw: false,
    setRawMode(mode: boolean) {
      this.isRaw = mode;
      return this;
    },
  });

  constructor(columns = 80, rows = 24) {
    const stream = new Writable({
      decodeStrings: false,
      write: (chunk, _encoding, done) => {
        this.take(String(chunk));
        done();
      },
    });
    this.stdout = Object.assign(stream, {
      ...{ isTTY: true as const, columns, rows },
      end: () => stream, // stays open, as the streams of a process do
      getWindowSize: (): [number, number] => [this.stdout.columns, this.stdout.rows],
    });
  }

  get screen(): string {
    return (this.live ?? this.shell).text;
  }

  get coloured(): string {
    return (this.live ?? this.shell).coloured;
  }

  /** True if it is as a shell left it. */
  get isRestored(): boolean {
    return this.live === null && !this.stdin.isRaw;
  }

  type(keys: string): void {
    this.stdin.write(keys);
  }

  resize(columns: number, rows: number): void {
    Object.assign(this.stdout, { columns, rows });
    this.stdout.emit('resize');
  }

  /** Resolves when the text stands on the screen. */
  shows(text: string | RegExp): Promise<void> {
    return eventually(() => {
      const { screen } = this;
      if (typeof text === 'string' ? !screen.includes(text) : !text.test(screen))
        throw new Error(`"${text}" is not on the screen:\n${screen}`);
    });
  }

  private take(chunk: string): void {
    for (const [piece, priv, argument = '', letter] of chunk.matchAll(controls)) {
      const page = this.live ?? this.shell;
      if (letter !== undefined && priv === '?') {
        if (argument === '1049') this.live = letter === 'h' ? new Page() : null;
      } else if (letter !== undefined) page.obey(letter, argument);
      else if (piece === '\r') page.startOfLine();
      else if (piece === '\n') page.newLine();
      else page.put(piece);
    }
  }
}
