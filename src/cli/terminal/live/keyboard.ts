/** Single keys of a terminal, without waiting for the end of a line. Ctrl-c interrupts as it does everywhere else. */
import { emitKeypressEvents } from 'node:readline';

/** `up`, `return`, `escape`, or the character itself. */
export type KeyName = string;

interface Pressed {
  readonly name?: string;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
}

const named = new Set(['up', 'down', 'return', 'escape', 'backspace']);
const printable = /^\P{Cc}$/u;

export class Keyboard {
  constructor(
    private readonly pressed: (key: KeyName) => void,
    private readonly interrupted: () => void = () => process.emit('SIGINT'),
    private readonly stream: NodeJS.ReadStream = process.stdin,
  ) {
    emitKeypressEvents(stream);
    stream.setRawMode(true);
    stream.on('keypress', this.onKeypress);
    stream.resume();
    // The mode belongs to the terminal, not to the process: a shell would go on without an echo.
    process.once('exit', this.restore);
  }

  close(): void {
    process.off('exit', this.restore);
    this.stream.off('keypress', this.onKeypress);
    this.stream.pause();
    this.restore();
  }

  private readonly restore = (): void => void this.stream.setRawMode(false);

  private readonly onKeypress = (text: string | undefined, { name, ctrl = false, meta = false }: Pressed): void => {
    if (ctrl && name === 'c') this.interrupted();
    // Esc with another key soon after it arrives as one: it is taken for Esc, so that nothing happens that was not meant.
    else if (meta) this.pressed('escape');
    else if (name === 'enter') this.pressed('return');
    else if (name !== undefined && named.has(name)) this.pressed(name);
    else if (!ctrl) for (const character of text ?? '') if (printable.test(character)) this.pressed(character);
  };
}
