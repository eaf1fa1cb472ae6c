/** Reads for an export what was sent about a person, where to, and what was answered. */
import { concealedEvents, withoutConcealed } from '../../../src/contract/people/concealed.js';
import type { Database } from '../../platform/database/database.js';
import { type PersonRecords, plain, recordsOf } from '../../platform/person-records.js';

const deliveries = {
  orderBy: { id: 'asc' },
  select: {
    id: true,
    subscriptionId: true,
    status: true,
    createdAt: true,
    finishedAt: true,
    attempts: { orderBy: { id: 'asc' }, select: { startedAt: true, statusCode: true, responseSnippet: true } },
  },
} as const;

/** Without what would warn the person of an order or a legal hold. */
function shownPayload(event: { readonly type?: string }): unknown {
  const { type = '' } = event;
  if (concealedEvents.includes(type)) return {};
  return type.startsWith('case.') ? withoutConcealed(event) : event;
}

export const webhookPersonRecords = ({ read: reader }: Pick<Database, 'read'>): PersonRecords[] => [
  recordsOf(
    'webhookDelivery',
    ({ projectId, externalUserId: subjectUserId }, after, take) =>
      reader.webhookPayload.findMany({
        where: { projectId, subjectUserId, eventId: { gt: after } },
        orderBy: { eventId: 'asc' },
        include: { deliveries },
        take,
      }),
    ({ eventId }) => eventId,
    ({ eventId, payload, deliveries: sent }) => ({
      eventId,
      payload: shownPayload(JSON.parse(payload)),
      deliveries: sent.map(({ attempts, ...one }) => ({
        ...plain(one),
        attempts: attempts.map((each) => plain(each)),
      })),
    }),
  ),
];
