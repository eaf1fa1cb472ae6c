/** Filters of a stream that no event passes, such as a misspelt kind of resource or field. Pure. */
import { DomainEvent } from '../contract/events.js';
import { didYouMean, nearest } from '../contract/nearest.js';

/** Kinds of resources that the daemon's own events are about. */
export const resourceKinds = [
  ...['audit', 'battle-pass', 'battle-pass-level', 'block', 'case', 'challenge', 'consumer', 'event', 'gathering'],
  ...['leaderboard', 'message', 'misuse', 'notice', 'order', 'participant', 'report', 'review', 'room', 'rule'],
  ...['rule-decision', 'sanction', 'session', 'webhook-event', 'webhook-subscription'],
] as const;
const kinds: ReadonlySet<string> = new Set(resourceKinds);

const eventFields = Object.keys(DomainEvent.shape);
const payloadFields = Object.keys(DomainEvent.shape.payload.shape).map((field) => `payload.${field}`);
const fieldPaths: ReadonlySet<string> = new Set([...eventFields, ...payloadFields]);

const listed = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/**
 * Returns what is wrong with the resources; null: nothing. Other kinds may come from platform services; a slip of one of
 * the daemon's kinds is refused.
 */
export function wrongResource(resources: string | undefined): string | null {
  for (const resource of listed(resources)) {
    const [kind = '', ...id] = resource.split(':');
    const near = id.length === 0 || kinds.has(kind) ? [] : nearest(kind.toLowerCase(), resourceKinds);
    if (near.length > 0) return `There is no kind of resource ${kind}. ${didYouMean(near, '')}`;
  }
  return null;
}

/** Returns what is wrong with the fields; null: nothing. What an event has in `payload.data` depends on its type. */
export function wrongField(fields: string | undefined): string | null {
  for (const field of listed(fields)) {
    const [first = '', second] = field.split('.');
    const path = first === 'payload' && second !== undefined ? `${first}.${second}` : first;
    if (!fieldPaths.has(path))
      return `No event has a field ${path}. ${didYouMean(nearest(path, fieldPaths), `Events have ${[...fieldPaths].join(', ')}.`)}`;
  }
  return null;
}
