/** Confirmation of what cannot be taken back: the name of what will be gone is typed; a script says `--yes`. */
import * as Flags from '@oclif/core/flags';
import { harmless } from '../../printable.js';
import { NotUnderstood } from '../typed/not-understood.js';
import { ask, canAsk, explain } from './secrets.js';

export const yesFlag = { yes: Flags.boolean({ description: 'Do not ask; there is no way back' }) };

/**
 * `gone`: a sentence, what will be gone; `back`: whether there is a way back. Throws NotUnderstood where it is not
 * confirmed.
 */
export async function confirm(
  name: string,
  gone: string,
  { yes }: { readonly yes: boolean },
  back = 'There is no way back',
): Promise<void> {
  if (yes) return;
  if (!canAsk()) throw new NotUnderstood(`${gone} ${back}; add --yes to do it without being asked.`);
  explain(`${gone} ${back}.`);
  const typed = await ask(`Type ${harmless(name)} to go on`, '--yes');
  if (typed.trim() !== name) throw new NotUnderstood('That is something else; nothing was changed.');
}
