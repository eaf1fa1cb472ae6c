/** What is typed as an act on somebody or something: `mute lena 10m`. */
import { secondsOf } from '../parts/seconds.js';

const verbs = ['mute', 'unmute', 'ban', 'unban', 'warn', 'kick', 'close', 'reopen', 'claim'] as const;
export type Verb = (typeof verbs)[number];

export interface TypedAct {
  readonly verb: Verb;
  /** Part of a name or an id. */
  readonly whom: string;
  /** null: none was typed. */
  readonly seconds: number | null;
}

/**
 * Returns the act that the text asks for; null: it is none, or says not yet on whom.
 *
 * @param words what each verb is called; the English ones are understood besides
 */
export function orderIn(text: string, words: Readonly<Record<Verb, string>>): TypedAct | null {
  const [first = '', ...rest] = text.trim().split(/\s+/);
  const verb = verbs.find((one) => first.toLowerCase() === one || first.toLowerCase() === words[one].toLowerCase());
  if (verb === undefined) return null;
  const seconds = rest.length < 2 ? undefined : secondsOf(rest.at(-1) ?? '');
  const isTimed = typeof seconds === 'number';
  const whom = (isTimed ? rest.slice(0, -1) : rest).join(' ');
  return whom === '' ? null : { verb, whom, seconds: isTimed ? seconds : null };
}
