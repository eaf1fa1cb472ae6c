/** Checks the event patterns of a subscription: one that matches nothing would stay silent for ever. */
import { DomainError, type ErrorDetail } from '../../../src/contract/errors.js';
import { ownEventTypes, webhookHears } from '../../../src/contract/events.js';
import { isMistypedEvent, isOwnEvent, noSuchEventType } from '../../../src/names/event-types.js';

const testEvent = 'webhook.test';
const isHeard = (pattern: string): boolean => ownEventTypes.some((type) => webhookHears([pattern], type));

function problemOf(pattern: string): string | null {
  // A test reaches the subscription that it is for, whatever that listens to: one that names it gets nothing else.
  if (isHeard(pattern) || pattern === testEvent) return null;
  if (isOwnEvent(pattern))
    return `Webhooks cannot receive ${pattern}: each delivery would cause the next. Follow a stream instead.`;
  if (!isMistypedEvent(pattern)) return null;
  return `${noSuchEventType(pattern)} For a type of platform services, send "ingested": true.`;
}

/** Throws validation_failed, with the nearest types. */
export function refuseUnheard(patterns: readonly string[], ingested = false): void {
  if (ingested) return;
  const details = patterns.flatMap((pattern, index): ErrorDetail[] => {
    const message = problemOf(pattern);
    return message === null ? [] : [{ path: `body.events.${index}`, message }];
  });
  const [first] = details;
  if (first !== undefined) throw new DomainError('validation_failed', { message: first.message, details });
}
