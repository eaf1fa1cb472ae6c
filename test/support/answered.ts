/** A command that asks one question on a terminal in memory, and whoever answers it. */
import type { CommandLine } from './cli.js';
import { VirtualTerminal } from './virtual-terminal.js';

export interface Answered {
  readonly code: number;
  /** All that stands on the screen at the end, on one line. */
  readonly screen: string;
}

/** Runs the command, waits for the question, and types. */
export async function answered(
  cli: CommandLine,
  line: readonly string[],
  question: string,
  keys: string,
): Promise<Answered> {
  const terminal = new VirtualTerminal();
  const ended = cli.run([...line], { terminal });
  await terminal.shows(question);
  terminal.type(keys);
  const { code } = await ended;
  return { code, screen: terminal.screen.replaceAll(/\s+/g, ' ') };
}
