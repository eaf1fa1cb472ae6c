import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IngestService } from '../../daemon/modules/ingest/ingest.js';
import { ReceiptStore } from '../../daemon/modules/ingest/receipt-store.js';
import { EventLog } from '../../daemon/platform/events/log.js';
import { LocalWakeUps } from '../../daemon/platform/events/wake-ups.js';
import { systemClock } from '../../daemon/platform/time/clock.js';
import type { IngestEventDto } from '../../src/contract/ingest/ingest.js';
import { databases, type TestDatabase } from '../support/database.js';

const event: IngestEventDto = {
  type: 'server.started',
  resourceId: 'server:1',
  source: 'fleet:server',
  timestamp: '2026-01-01T00:00:00.000Z',
  data: {},
};

describe.each(databases)('a signed event on $name', ({ open, here }) => {
  describe.skipIf(!here)('', () => {
    let opened: TestDatabase;
    let log: EventLog;
    const projectId = uuidv7();
    const caller = (credentialId: string) => ({
      kind: 'service' as const,
      id: projectId,
      tenantId: 't',
      projectId,
      credentialId,
    });
    const service = () =>
      new IngestService(
        opened.database,
        log,
        new ReceiptStore(opened.database),
        { store: { byBillingId: async () => null }, settings: { signingSecrets: async () => [] } },
        systemClock,
      );
    beforeAll(async () => {
      opened = await open();
      log = new EventLog(opened.database, new LocalWakeUps(), systemClock);
      await log.start();
    });
    afterAll(() => opened.close());

    it('is stored once, whichever daemons its repetitions reach at once', async () => {
      const before = await log.head();
      const daemons = [service(), service()];
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (daemons[index % 2] ?? service()).ingest(event, caller('one signature')),
        ),
      );
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
      expect((await log.head()) - before).toBe(1n);
    });

    it('is refused behind a hundred in a second, a repetition never', async () => {
      const ingest = service();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 101 }, (_, index) => ingest.ingest(event, caller(`signature ${index}`))),
      );
      const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      expect(refused).toEqual([expect.objectContaining({ code: 'rate_limited' })]);
      await ingest.ingest(event, caller('signature 0'));
    });
  });
});
