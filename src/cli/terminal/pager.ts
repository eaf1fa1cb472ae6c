/** Shows text that is longer than the terminal with the program that PAGER names. */
import { print, rendered } from '../../terminal/terminal.js';

/** Prints the text; where it does not fit on the terminal, by the pager. */
export function printPaged(text: string): void {
  const { isTTY, rows } = process.stdout;
  const { PAGER: pager = 'less', LESS: options = 'FRX', TERM = 'dumb' } = process.env;
  const isTerminal = isTTY === true && process.stdin.isTTY === true && TERM !== '' && TERM !== 'dumb';
  const fits = !rows || text.split('\n').length < rows; // 0 and undefined: nobody has said how high it is
  if (!isTerminal || fits || pager === '' || pager === 'cat') {
    print(text);
    return;
  }
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { error, status } = spawnSync(pager, {
    shell: true,
    input: `${rendered(text)}\n`,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...process.env, LESS: options },
  });
  // Exit codes of the shell when it cannot start the program.
  const isMissing = status === 126 || status === 127;
  // EPIPE: the reader has quit before the end, which is no failure.
  const hasLeft = error !== undefined && 'code' in error && error.code === 'EPIPE';
  if (isMissing || (error !== undefined && !hasLeft)) print(text);
}
