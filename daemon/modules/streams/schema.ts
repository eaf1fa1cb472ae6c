/** The JSON Schema of every event envelope, distinguished by `type`. */
import { z } from 'zod';
import {
  DomainEvent,
  eventData,
  type OwnEventType,
  ownEventTypes,
  RedactedData,
} from '../../../src/contract/events.js';

const envelopeOf = (type: OwnEventType) =>
  DomainEvent.extend({
    type: z.literal(type),
    payload: DomainEvent.shape.payload.extend({ data: z.union([eventData[type], RedactedData]) }),
  });

/** oneOf the daemon's own types and the generic envelope, for what platform services publish. */
export function eventSchema(): Record<string, z.core.util.JSONType> {
  const { $schema, ...generic } = z.toJSONSchema(DomainEvent, { unrepresentable: 'any' });
  const own = ownEventTypes.map((type) => {
    const { $schema: _, ...schema } = z.toJSONSchema(envelopeOf(type), { unrepresentable: 'any', reused: 'inline' });
    return { title: type, ...schema };
  });
  const text = JSON.stringify({
    $schema,
    title: 'Event',
    oneOf: [...own, { ...generic, title: 'GenericDomainEvent' }],
  });
  return JSON.parse(text);
}
