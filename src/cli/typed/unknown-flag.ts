/** Answers a flag that a command does not have with the one that is meant, or with all that there are. */
import { slipsBetween, slipsIn } from '../../contract/nearest.js';
import { ownValue } from '../../names/own-value.js';
import { UsageError } from '../../terminal/usage-error.js';
import { harmless } from '../../text/printable.js';

/** Flags by the words that people type for them elsewhere. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  by: ['moderator', 'actor'],
  count: ['limit'],
  event: ['types', 'events'],
  events: ['types'],
  expires: ['until', 'expires-at'],
  format: ['json', 'csv'],
  from: ['since'],
  last: ['limit'],
  output: ['json', 'csv'],
  password: ['password-stdin'],
  person: ['user', 'target'],
  player: ['user'],
  scope: ['scopes'],
  state: ['status'],
  title: ['name'],
  tail: ['limit'],
  type: ['types', 'kind'],
  who: ['user', 'actor'],
  y: ['yes'],
};

/** @param typed with its dashes, as it was typed; `flags` are those of the command */
export function unknownFlag(typed: string, flags: readonly string[]): UsageError {
  const word = typed.replace(/^-+/, '').replace(/=.*$/, '');
  const called = (ownValue(otherWords, word) ?? []).filter((flag) => flags.includes(flag)).slice(0, 1);
  const near = flags
    .map((flag) => ({ flag, slips: flag.startsWith(`${word}-`) ? 0 : slipsBetween(word, flag) }))
    .filter(({ flag, slips }) => slips <= Math.min(slipsIn(word), slipsIn(flag)))
    .sort((a, b) => a.slips - b.slips || a.flag.localeCompare(b.flag))
    .map(({ flag }) => flag);
  const [meant] = [...called, ...near];
  const answer =
    meant === undefined ? `It takes ${flags.map((flag) => `--${flag}`).join(', ')}.` : `Did you mean --${meant}?`;
  return new UsageError(`There is no flag ${harmless(typed)} here. ${answer}`);
}

/** The flag that oclif does not know; null: it complains of something else. */
export function unknownFlagOf(error: unknown): string | null {
  const flags: unknown = error instanceof Error ? Reflect.get(error, 'flags') : undefined;
  const [first]: unknown[] = Array.isArray(flags) ? flags : [];
  return typeof first === 'string' ? first : null;
}
