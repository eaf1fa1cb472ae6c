/** Wording of a moderator's acts on the page. */

export type ModerationAction = 'mute' | 'kick' | 'ban' | 'note';

export const doWords: Readonly<Record<ModerationAction, string>> = {
  mute: 'Mute',
  kick: 'Kick',
  ban: 'Ban',
  note: 'Note',
};

export interface ModerationTerm {
  readonly isForGood: boolean;
  /** For example `10 minutes`. */
  readonly words: string;
}

/** Returns for example `you muted Ann for 10 minutes`. */
export function didWords(action: ModerationAction, name: string, { isForGood, words }: ModerationTerm): string {
  const span = isForGood ? 'until revoked' : `for ${words}`;
  if (action === 'mute') return `you muted ${name} ${span}`;
  if (action === 'ban') return `you banned ${name} ${span}`;
  return action === 'kick' ? `you removed ${name} from the room` : `you wrote a note about ${name}`;
}
