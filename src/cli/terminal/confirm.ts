/** Confirmation of what cannot be taken back: the name of what will be gone is typed; a script says `--yes`. */
import * as Flags from '@oclif/core/flags';
import { ask, canAsk, explain } from '../../terminal/questions.js';
import { UsageError } from '../../terminal/usage-error.js';
import { harmless } from '../../text/printable.js';

export const yesFlag = { yes: Flags.boolean({ description: 'Do not ask; there is no way back' }) };

/**
 * `gone`: a sentence, what will be gone; `back`: whether there is a way back. Throws UsageError where it is not
 * confirmed.
 */
export async function confirm(
  name: string,
  gone: string,
  { yes }: { readonly yes: boolean },
  back = 'There is no way back',
): Promise<void> {
  if (yes) return;
  if (!canAsk()) throw new UsageError(`${gone} ${back}; add --yes to do it without being asked.`);
  explain(`${gone} ${back}.`);
  const typed = await ask(`Type ${harmless(name)} to go on`, '--yes');
  if (typed.trim() !== name) throw new UsageError('That is something else; nothing was changed.');
}
