/** A database of the time when each delivery held its own payload: nothing of it is lost by the migration. */
import { describe, expect, it } from 'vitest';
import { Database } from '../../../daemon/platform/database/database.js';
import { migrate } from '../../../daemon/platform/database/migrate.js';
import { systemClock } from '../../../daemon/platform/time/clock.js';
import { inEarlierPostgresql, inEarlierSqlite } from '../../support/earlier-database.js';
import { hasPostgresql } from '../../support/postgresql.js';

const time = `'2026-01-01T00:00:00.000+00:00'`;
const delivery = (id: string, subscription: string, event: string, status: string) =>
  `INSERT INTO "WebhookEvent" ("id", "tenantId", "projectId", "subscriptionId", "eventId", "eventType", "payload",
    "subjectUserId", "status", "attemptsCount", "createdAt")
   VALUES ('${id}', 't', 'p', '${subscription}', '${event}', 'message.created', '{"id":"${event}"}', 'u1', '${status}', 1, ${time});`;
const subscription = (id: string) =>
  `INSERT INTO "WebhookSubscription" ("id", "tenantId", "projectId", "url", "events", "secret", "authType", "payloadFormat",
    "enabled", "createdAt", "updatedAt")
   VALUES ('${id}', 't', 'p', 'https://example.com', '["*"]', 's', 'none', 'event', TRUE, ${time}, ${time});`;
const rows = [
  `INSERT INTO "Tenant" ("id", "name", "createdAt") VALUES ('t', 't', ${time});`,
  `INSERT INTO "Project" ("id", "tenantId", "name", "billingProjectId", "createdAt") VALUES ('p', 't', 'p', 'p', ${time});`,
  ...['s1', 's2'].map(subscription),
  delivery('d1', 's1', 'e1', 'pending'),
  delivery('d2', 's2', 'e1', 'delivered'),
  delivery('d3', 's1', 'e2', 'failed'),
  `INSERT INTO "WebhookAttempt" ("id", "webhookEventId", "attempt", "startedAt", "durationMs") VALUES ('a1', 'd2', 1, ${time}, 5);`,
].join('\n');

async function expectKept(url: string): Promise<void> {
  await migrate(url, systemClock);
  const database = await Database.connect(url);
  try {
    expect(await database.read.webhookPayload.findMany({ orderBy: { eventId: 'asc' } })).toEqual([
      { eventId: 'e1', projectId: 'p', payload: '{"id":"e1"}', subjectUserId: 'u1', redactedAt: null },
      { eventId: 'e2', projectId: 'p', payload: '{"id":"e2"}', subjectUserId: 'u1', redactedAt: null },
    ]);
    const deliveries = await database.read.webhookEvent.findMany({
      orderBy: { id: 'asc' },
      include: { content: true, attempts: true },
    });
    expect(
      deliveries.map(({ id, status, eventId, content, attempts }) => [
        id,
        status,
        eventId,
        content.payload,
        attempts.length,
      ]),
    ).toEqual([
      ['d1', 'pending', 'e1', '{"id":"e1"}', 0],
      ['d2', 'delivered', 'e1', '{"id":"e1"}', 1],
      ['d3', 'failed', 'e2', '{"id":"e2"}', 0],
    ]);
  } finally {
    await database.close();
  }
}

describe('deliveries that hold their own payload', () => {
  const before = { migration: 'webhook_payloads', rows };

  it('keep it, once for each event, on SQLite', () => inEarlierSqlite(before, expectKept));

  it.skipIf(!hasPostgresql)('keep it, once for each event, on PostgreSQL', { timeout: 60_000 }, () =>
    inEarlierPostgresql(before, expectKept),
  );
});
