/** Webhooks send the text of an event that the log stores; it is to the letter the event as JSON. */
import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { EventLog } from '../../../daemon/platform/events/log.js';
import { eventText } from '../../../daemon/platform/events/logged.js';
import { LocalWakeUps } from '../../../daemon/platform/events/wake-ups.js';
import { openSqlite } from '../../support/database.js';

it('an event with its stored payload is written as the whole event is', async () => {
  const { database, close } = await openSqlite();
  const log = new EventLog(database, new LocalWakeUps(), () => new Date());
  const [type, tenantId, resourceId] = ['participant.updated', uuidv7(), 'participant:"}'];
  const data = { name: 'Zoë "Z" \\ {\u2028}', left: undefined, at: new Date(), list: [undefined, Number.NaN] };
  const { logged } = await log.prepare([
    { type, tenantId, projectId: uuidv7(), resourceId, action: 'updated', data, changes: { name: null } },
    { type, tenantId, projectId: null, resourceId, action: 'updated', data: null },
    { type, tenantId, projectId: null, resourceId, action: 'updated', data: undefined },
  ]);
  expect(logged.map(eventText)).toEqual(logged.map(({ event }) => JSON.stringify(event)));
  await close();
});
