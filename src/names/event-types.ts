/** Types of events that people subscribe to: which exist, and which one a mistyped one means. Pure. */
import { matchesPattern, ownEventTypes } from '../contract/events.js';
import { didYouMean, nearest } from '../contract/nearest.js';

const domainOf = (type: string): string => type.split('.')[0] ?? type;
const ownDomains: ReadonlySet<string> = new Set(ownEventTypes.map(domainOf));

/** Returns true where the daemon itself makes events that match. */
export const isOwnEvent = (pattern: string): boolean => ownEventTypes.some((type) => matchesPattern(type, pattern));

/** Returns the daemon's own types, and where it is a pattern its domains, that come near, the nearest first. */
export function eventTypesNear(pattern: string): string[] {
  const typed = pattern.replace(/\.?\*$/, '').toLowerCase();
  if (!pattern.endsWith('*')) return nearest(typed, ownEventTypes);
  const names = new Map([...ownDomains].map((domain) => [domain, `${domain}.*`]));
  return nearest(typed, [...ownDomains, ...ownEventTypes]).map((name) => names.get(name) ?? name);
}

/** `There is no event type sanctions.*. Did you mean sanction.*?` */
export const noSuchEventType = (pattern: string): string =>
  `There is no event type ${pattern}. ${didYouMean(eventTypesNear(pattern), '`earshot events schema` lists all types.')}`;

/**
 * Returns true where no event can match, or where the pattern looks like a slip of one of the daemon's own types. Types of
 * other domains may come from platform services, which publish any.
 */
export const isMistypedEvent = (pattern: string): boolean =>
  !isOwnEvent(pattern) &&
  (!pattern.includes('.') || ownDomains.has(domainOf(pattern)) || eventTypesNear(pattern).length > 0);
