/**
 * Questions at the foot of a live view, while the view goes on. They stay open until each has an answer that can be read, or
 * Esc is pressed. Every key that is pressed meanwhile belongs to them, from the moment on in which they are asked.
 */

import { UsageError } from '../../../terminal/usage-error.js';
import { harmless } from '../../../text/printable.js';
import type { KeyName } from './keyboard.js';

/** Longer answers are cut off while they are typed. */
const maxLength = 500;
const plainHelp = 'Return confirms, Esc cancels.';

interface LiveQuestion<Answer> {
  readonly label: string;
  /** Initial answer, to be edited. */
  readonly initial?: string;
  /** Longest answer, in characters. */
  readonly maxLength?: number;
  /** Shown under the question; it may depend on the answer so far, or only become known while the question is open. */
  readonly help?: (typed: string) => string | null;
  /** Throws UsageError: the question stays open, and shows why. */
  readonly read: (typed: string) => Answer;
}

type Questions<Answers extends readonly unknown[]> = {
  readonly [Index in keyof Answers]: LiveQuestion<Answers[Index]>;
};
interface Asking {
  readonly questions: readonly LiveQuestion<unknown>[];
  readonly answers: unknown[];
  readonly resolve: (answers: unknown[] | null) => void;
}

export class Prompt {
  private asking: Asking | null = null;
  private text = '';
  private problem: string | null = null;

  constructor(private readonly changed: () => void) {}

  /** The open question with what was typed so far; null: nothing is asked. */
  get line(): string | null {
    const { question } = this;
    return question === null ? null : `${question.label} ${this.text}▏`;
  }

  /** Why the answer could not be read, or what helps to answer. */
  get help(): string {
    return this.problem ?? this.question?.help?.(this.text.trim()) ?? plainHelp;
  }

  get hasProblem(): boolean {
    return this.problem !== null;
  }

  /** Asks one question after the other. Resolves to null when they are left by Esc. */
  ask<Answers extends readonly unknown[]>(...questions: Questions<Answers>): Promise<Answers | null> {
    return new Promise((resolve) => {
      const done = (answers: unknown[] | null) => resolve(answers as Answers | null);
      this.asking = { questions: questions as readonly LiveQuestion<unknown>[], answers: [], resolve: done };
      this.show();
    });
  }

  /** Handles a key. Returns true if it was for a question. */
  handleKey(key: KeyName): boolean {
    if (this.question === null) return false;
    if (key === 'return') this.answer();
    else if (key === 'escape') this.close(null);
    else if (key === 'backspace') this.edit([...this.text].slice(0, -1).join(''));
    // An answer that could not be read is replaced by typing on; Backspace corrects it.
    else if ([...key].length === 1) this.edit(this.hasProblem ? key : this.text + key);
    this.changed();
    return true;
  }

  private get question(): LiveQuestion<unknown> | null {
    return this.asking?.questions[this.asking.answers.length] ?? null;
  }

  private edit(text: string): void {
    this.problem = null;
    if (text.length <= (this.question?.maxLength ?? maxLength)) this.text = text;
  }

  private answer(): void {
    const { asking, question } = this;
    if (asking === null || question === null) return;
    try {
      asking.answers.push(question.read(this.text.trim()));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      this.problem = harmless(error.message);
      return;
    }
    if (this.question === null) this.close(asking.answers);
    else this.show();
  }

  private show(): void {
    this.problem = null;
    this.text = this.question?.initial ?? '';
    this.changed();
  }

  private close(answers: unknown[] | null): void {
    const resolve = this.asking?.resolve;
    this.asking = null;
    this.problem = null;
    resolve?.(answers);
  }
}

/** A question that a bare Return or `y` says yes to; every other word leaves things as they are, or is asked again. */
export const confirmation = (label: string): LiveQuestion<boolean> => ({
  label,
  help: () => 'Return or y confirms, Esc or n cancels.',
  read: (typed) => {
    if (/^(y|yes)?$/i.test(typed)) return true;
    if (/^no?$/i.test(typed)) return false;
    throw new UsageError('Write y or n.');
  },
});
