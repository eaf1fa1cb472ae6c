/** Checks types of events that people type, because a mistyped one would wait for ever. */
import { eventTypesNear, isOwnEvent, noSuchEventType } from '../../names/event-types.js';
import { UsageError } from '../../terminal/usage-error.js';
import { harmless } from '../../text/printable.js';

/**
 * Refuses types that nobody sends, with the nearest. Those of platform services are not known here: `--ingested` takes any.
 * Throws UsageError.
 */
export function refuseUnknownTypes(
  patterns: readonly string[],
  { ingested }: { readonly ingested?: boolean | undefined },
): void {
  const unknown = ingested === true ? undefined : patterns.find((one) => !isOwnEvent(one));
  if (unknown === undefined) return;
  throw new UsageError(`${harmless(noSuchEventType(unknown))} For event types of platform services, add --ingested.`);
}

/** Returns a hint about what looks like a slip in a type that platform services may publish; null: nothing does. */
export function slipHint(patterns: readonly string[]): string | null {
  const slips = patterns.filter((one) => !isOwnEvent(one) && eventTypesNear(one).length > 0);
  const hints = slips.map((one) => `${harmless(one)}: did you mean ${eventTypesNear(one).join(' or ')}?`);
  return hints.length === 0 ? null : `The daemon itself emits no such events. ${hints.join(' ')}`;
}

/** `a, b.*` → its types. */
export const typesIn = (list: string | undefined): string[] =>
  (list ?? '')
    .split(',')
    .map((type) => type.trim())
    .filter((type) => type !== '');
