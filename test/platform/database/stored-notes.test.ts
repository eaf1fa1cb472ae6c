/** Events that were stored before notes were left out of them lose theirs by a migration. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EventLog } from '../../../daemon/platform/events/log.js';
import { LocalWakeUps } from '../../../daemon/platform/events/wake-ups.js';
import { systemClock } from '../../../daemon/platform/time/clock.js';
import { openPostgresql, openSqlite } from '../../support/database.js';
import { hasPostgresql } from '../../support/postgresql.js';

const statementsFor = (provider: string): string[] =>
  readFileSync(
    fileURLToPath(
      new URL(`../../../prisma/${provider}/migrations/0011_moderator_notes/migration.sql`, import.meta.url),
    ),
    'utf8',
  )
    .split(';\n')
    .filter((statement) => statement.trim() !== '');

describe.each([
  { provider: 'sqlite', open: openSqlite, here: true },
  { provider: 'postgresql', open: openPostgresql, here: hasPostgresql },
])('on $provider', ({ provider, open, here }) => {
  it.skipIf(!here)('takes the notes of moderators out of the log and out of deliveries', async () => {
    const { database, close } = await open();
    const log = new EventLog(database, new LocalWakeUps(), systemClock);
    await log.start();
    const told = { tenantId: 't', projectId: 'p', resourceId: 'x:1', action: 'updated' as const };
    const noted = { id: '1', note: 'a secret' };
    const stored = await database.transaction(async (tx) => {
      const events = await log.append(
        tx,
        { ...told, type: 'sanction.updated', data: noted, changes: { note: 'a secret', reason: 'r' } },
        { ...told, type: 'server.started', data: noted },
      );
      await log.append(tx, { ...told, type: 'webhook.delivery.updated', data: { payload: events[0] } });
      await log.store(tx);
      for (const event of events) {
        const row = { eventId: event.id, projectId: 'p', payload: JSON.stringify(event) };
        await tx.webhookPayload.create({ data: row });
      }
      for (const statement of statementsFor(provider)) await tx.$executeRawUnsafe(statement);
      return events;
    });
    const [sanction, server, delivery] = (await log.read({ after: 0n, limit: 9 })).map(({ event }) => event);
    expect(sanction?.payload).toMatchObject({ action: 'updated', data: { id: '1' }, changes: { reason: 'r' } });
    expect(delivery?.payload.data).toMatchObject({
      payload: { id: sanction?.id, payload: { data: { id: '1' }, changes: { reason: 'r' } } },
    });
    expect(JSON.stringify([sanction, delivery])).not.toContain('a secret');
    expect(server?.payload.data).toEqual(noted);
    const payloads = await database.read.webhookPayload.findMany({ orderBy: { eventId: 'asc' } });
    // The log completes what it reads to today's form; deliveries are as they were stored.
    const [delivered, other] = payloads.map(({ payload }) => JSON.parse(payload));
    expect(delivered).toMatchObject({ id: sanction?.id, payload: { data: { id: '1' }, changes: { reason: 'r' } } });
    expect(JSON.stringify(delivered)).not.toContain('a secret');
    expect(other).toEqual(server);
    expect(stored).toHaveLength(2);
    await close();
  });
});
