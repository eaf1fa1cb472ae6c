/** Checks types of events that people type, because a mistyped one would wait for ever. */
import { matchesPattern, ownEventTypes } from '../../contract/events.js';
import { harmless } from '../../printable.js';
import { NotUnderstood } from '../typed/not-understood.js';
import { slipsBetween, slipsIn } from '../typed/suggestions.js';

const nearMax = 3;

/** Those of the daemon's own types that come near, the nearest first. */
function near(pattern: string): string[] {
  const typed = pattern.replace(/\.?\*$/, '').toLowerCase();
  const domains = new Set(ownEventTypes.map((type) => `${type.split('.')[0]}.*`));
  const names = pattern.endsWith('*') ? [...domains, ...ownEventTypes] : ownEventTypes;
  return names
    .map((name) => ({ name, slips: slipsBetween(typed, name.replace(/\.\*$/, '')) }))
    .filter(({ slips }) => slips <= slipsIn(typed))
    .sort((a, b) => a.slips - b.slips || a.name.localeCompare(b.name))
    .slice(0, nearMax)
    .map(({ name }) => name);
}

/** Whether the daemon itself makes events of such a type. */
const isKnown = (pattern: string): boolean => ownEventTypes.some((type) => matchesPattern(type, pattern));

/**
 * Refuses types that nobody sends, with the nearest. Those of platform services are not known here: `--ingested` takes any. Throws
 * NotUnderstood.
 */
export function refuseUnknownTypes(patterns: readonly string[], { ingested }: { readonly ingested: boolean }): void {
  if (ingested) return;
  for (const pattern of patterns.filter((one) => !isKnown(one))) {
    const names = near(pattern);
    const hint = names.length > 0 ? `Did you mean ${names.join(' or ')}?` : '`earshot events schema` shows all.';
    throw new NotUnderstood(
      `There is no event type ${harmless(pattern)}. ${hint} For a type that platform services ingest, add --ingested.`,
    );
  }
}

/** Where a type may be one of platform services, a word on what looks like a slip; null: nothing does. */
export function slipHint(patterns: readonly string[]): string | null {
  const slips = patterns.filter((one) => !isKnown(one) && near(one).length > 0);
  const hints = slips.map((one) => `${harmless(one)}: did you mean ${near(one).join(' or ')}?`);
  return hints.length === 0 ? null : `The daemon itself makes no events of such a type. ${hints.join(' ')}`;
}

/** `a, b.*` → its types. */
export const typesIn = (list: string | undefined): string[] =>
  (list ?? '')
    .split(',')
    .map((type) => type.trim())
    .filter((type) => type !== '');
