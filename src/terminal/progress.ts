/** One line on the terminal that is rewritten; nothing where there is no terminal. */
import { harmless } from '../text/printable.js';

const everyMs = 100;
const barWidth = 20;
const wipe = '\r\u001b[K';

export class ProgressLine {
  private shownAtMs = 0;
  private shown = false;

  constructor(private readonly stream: NodeJS.WriteStream = process.stderr) {}

  /** `done` and `whole` in the unit that the text names. */
  show(done: number, whole: number, text: string): void {
    const now = performance.now();
    if (!this.stream.isTTY || (now - this.shownAtMs < everyMs && done < whole)) return;
    this.shownAtMs = now;
    this.shown = true;
    const filled = Math.round(barWidth * Math.min(1, done / Math.max(1, whole)));
    this.stream.write(`${wipe}${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}  ${harmless(text)}`);
  }

  /** Clears the line. Call it before other output. */
  clear(): void {
    if (this.shown) this.stream.write(wipe);
    this.shown = false;
  }
}
