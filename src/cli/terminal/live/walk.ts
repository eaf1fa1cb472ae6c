/** Shows a view on the terminal that keys lead through, until it is left. */
import { interruption, untilEnd } from '../../../terminal/interruption.js';
import { Keyboard, type KeyName } from './keyboard.js';
import { LiveScreen, type Size } from './screen.js';

export interface WalkEvents {
  changed(): void;
  leave(): void;
}

interface Walk {
  draw(size: Size): string;
  press(key: KeyName): void;
  /** What was done, in lines to be printed once the screen is gone. */
  summary(): Promise<string[]>;
}

/** Returns what was done. */
export async function walkThrough(walkOf: (on: WalkEvents) => Walk): Promise<string[]> {
  const leave = new AbortController();
  const until = interruption(leave);
  const walk = walkOf({ changed: () => screen.show(), leave: () => leave.abort() });
  const screen = new LiveScreen((size) => walk.draw(size));
  const keyboard = new Keyboard((key) => walk.press(key));
  await untilEnd(until, null);
  keyboard.close();
  screen.close();
  return walk.summary();
}
