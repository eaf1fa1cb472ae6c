/** The marks of people in their list, and the states that it is limited to, on both databases. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { type CreateParticipantRequest, participantRoutes } from '../../src/contract/people/participants.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';

describeDaemonsOnEachDatabase('GET …/participants with marks', (start) => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await start();
  });
  afterAll(() => daemon.stop());
  const params = () => ({ projectId: daemon.projectId });
  const create = (externalUserId: string, fields: Partial<CreateParticipantRequest> = {}) =>
    daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId, ...fields } });
  const list = async (query: Parameters<typeof daemon.client.call<typeof participantRoutes.list>>[1]['query']) =>
    (await daemon.client.call(participantRoutes.list, { params: params(), query })).participants;
  const sanction = (externalUserId: string, type: 'mute' | 'temp_ban') =>
    daemon.client.call(sanctionRoutes.create, { params: params(), body: { externalUserId, type, duration: 600 } });

  it('adds sanctions in force, rooms, reports, and when they were last seen', async () => {
    await create('marked, one', { displayName: 'Mara' });
    const mute = await sanction('marked, one', 'mute');
    await daemon.client.call(reportRoutes.create, {
      params: params(),
      body: { reporterUserId: 'reporter', externalUserId: 'marked, one', category: 'spam' },
    });
    const externalUserIds = ['marked, one', 'nobody'].map(encodeURIComponent).join();
    expect(await list({ externalUserIds, marks: true })).toMatchObject([
      {
        displayName: 'Mara',
        marks: {
          sanctions: [{ id: mute.id, type: 'mute', endAt: mute.endAt }],
          rooms: [],
          reports: 1,
          lastSeenAt: null,
        },
      },
    ]);
    expect((await list({ externalUserIds }))[0]).not.toHaveProperty('marks');
  });

  it('finds those who are muted, banned or reported, by a part of the name too', async () => {
    await create('banned_one', { displayName: 'Bàna' });
    await sanction('banned_one', 'temp_ban');
    const found = async (query: Parameters<typeof list>[0]) =>
      (await list(query)).map(({ externalUserId }) => externalUserId);
    expect(await found({ state: 'banned' })).toEqual(['banned_one']);
    expect(await found({ state: 'sanctioned' })).toEqual(['marked, one', 'banned_one']);
    expect(await found({ state: 'sanctioned', search: 'bana' })).toEqual(['banned_one']);
    expect(await found({ state: 'muted', search: 'bana' })).toEqual([]);
    expect(await found({ state: 'reported' })).toEqual(['marked, one']);
    expect(await found({ state: 'here' })).toEqual([]);
    expect(await found({ state: 'new', search: 'banned_' })).toEqual(['banned_one']);
  });

  it('refuses ids that are not percent-encoded', async () => {
    await expect(list({ externalUserIds: '%E0%A4%A' })).rejects.toMatchObject({ code: 'validation_failed' });
  });
});
