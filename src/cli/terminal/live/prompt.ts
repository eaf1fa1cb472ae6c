/** A line that is typed into a live view, at its foot, while the view goes on. */
import type { Key } from './keyboard.js';

const lengthMax = 500;

export class Prompt {
  private open: { readonly label: string; readonly done: (answer: string | null) => void } | null = null;
  private text = '';

  constructor(private readonly changed: () => void) {}

  /** What to show; null: nothing is asked. */
  get line(): string | null {
    return this.open === null ? null : `${this.open.label} ${this.text}▏`;
  }

  /** null: left by escape. One question at a time. */
  ask(label: string): Promise<string | null> {
    this.text = '';
    return new Promise((resolve) => {
      this.open = { label, done: resolve };
      this.changed();
    });
  }

  /** Whether the key was for the question. */
  take(key: Key): boolean {
    if (this.open === null) return false;
    if (key === 'return') this.close(this.text.trim());
    else if (key === 'escape') this.close(null);
    else if (key === 'backspace') this.text = [...this.text].slice(0, -1).join('');
    else if ([...key].length === 1 && this.text.length < lengthMax) this.text += key;
    this.changed();
    return true;
  }

  private close(answer: string | null): void {
    const done = this.open?.done;
    this.open = null;
    done?.(answer);
  }
}
