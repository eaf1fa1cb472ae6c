/** Whoever looks at a measure again is somebody else than who proposed, imposed or changed it, by login or by a key. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { reportSettingsRoutes } from '../../src/contract/reports/report-settings.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { roomModerationRoutes } from '../../src/contract/rooms/room-moderation.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { signedInColleague } from '../support/console.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { answering, roomToken } from '../support/room-client.js';
import { Speaker } from '../support/room-peers.js';

describeDaemonsOnEachDatabase('the second pair of eyes', (start) => {
  let daemon: TestDaemon;
  /** An administrator of the project, and a key that they made. */
  let ana: EarshotClient;
  let anasKey: EarshotClient;
  let count = 0;
  let person: string;
  beforeAll(async () => {
    daemon = await start();
    ana = await signedInColleague(daemon, 'admin', 'ana');
    const { key } = await ana.call(apiKeyRoutes.create, {
      body: { name: 'bot', projectId: daemon.projectId, scopes: ['sanctions', 'reports', 'plugins'] },
    });
    anasKey = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key } });
  });
  afterAll(() => daemon.stop());
  beforeEach(() => {
    count += 1;
    person = `u${count}`;
  });

  const params = () => ({ projectId: daemon.projectId });
  const item = (id: string) => ({ params: { ...params(), id } });
  const impose = (client: EarshotClient) =>
    client.call(sanctionRoutes.create, {
      params: params(),
      body: { type: 'temp_ban', externalUserId: person, duration: 600 },
    });
  const appealOf = async (id: string) =>
    (await daemon.client.call(reviewRoutes.appeal, { ...item(id), body: { statement: 'Not me.' } })).id;
  const claim = (id: string, client: EarshotClient) =>
    client.call(reviewRoutes.update, { ...item(id), body: { status: 'claimed' } });
  const own = { status: 403, code: 'appeal_own_sanction' };

  it('does not decide the appeal against what their key imposed', async () => {
    const appeal = await appealOf((await impose(anasKey)).id);
    await expect(claim(appeal, ana)).rejects.toMatchObject(own);
    expect(await claim(appeal, daemon.admin)).toMatchObject({ status: 'claimed' });
  });

  it.each(['login', 'key'] as const)('does not decide the appeal against what they changed by %s', async (by) => {
    const { id } = await impose(daemon.client);
    await (by === 'key' ? anasKey : ana).call(sanctionRoutes.update, { ...item(id), body: { duration: 6_000 } });
    await daemon.admin.call(sanctionRoutes.update, { ...item(id), body: { note: 'seen' } });
    const appeal = await appealOf(id);
    await expect(claim(appeal, ana)).rejects.toMatchObject(own);
    await expect(claim(appeal, daemon.admin)).rejects.toMatchObject(own);
    const other = await signedInColleague(daemon, 'moderator', person);
    expect(await claim(appeal, other)).toMatchObject({ status: 'claimed' });
  });

  it('does not decide the appeal against what they put back', async () => {
    const first = await impose(daemon.client);
    const { id: second } = await daemon.client.call(sanctionRoutes.create, {
      params: params(),
      body: { type: 'perm_ban', externalUserId: person, replaces: [first.id] },
    });
    const { restored } = await ana.call(sanctionRoutes.undo, { ...item(second), body: {} });
    expect(restored.map(({ id }) => id)).toEqual([first.id]);
    await expect(claim(await appealOf(first.id), ana)).rejects.toMatchObject(own);
  });

  it('does not decide the appeal against what they imposed by a link to a room', async () => {
    const roomId = `room-${person}`;
    const there = new Speaker(person);
    try {
      await there.join(
        answering(daemon.url, 'whip', roomId, await roomToken(daemon.client, daemon.projectId, roomId, person)),
      );
      const body = { roomId, userId: `ana-${person}`, permissions: { moderate: true } };
      const { token } = await ana.call(tokenRoutes.generateForProject, { params: params(), body });
      const link = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
      const muted = { params: { roomId }, body: { externalUserId: person, duration: 600 } };
      const { sanctionId } = await link.call(roomModerationRoutes.mute, muted);
      const appeal = await appealOf(sanctionId ?? '');
      await expect(claim(appeal, ana)).rejects.toMatchObject(own);
      expect(await claim(appeal, daemon.admin)).toMatchObject({ status: 'claimed' });
    } finally {
      there.close();
    }
  });

  it('does not confirm the ban that their key proposed', async () => {
    await daemon.admin.call(reportSettingsRoutes.update, { params: params(), body: { confirmPermanentBans: true } });
    const { caseId } = await daemon.client.call(reportRoutes.create, {
      params: params(),
      body: { externalUserId: person, category: 'spam' },
    });
    const at = item(caseId ?? '');
    const body = { decision: 'sanction', reasonCode: 'violation', sanction: { type: 'perm_ban' } } as const;
    expect(await anasKey.call(caseRoutes.decide, { ...at, body })).toMatchObject({ status: 'unconfirmed' });
    await expect(ana.call(caseRoutes.confirm, { ...at, body: { agree: true } })).rejects.toMatchObject({
      ...{ status: 409, code: 'case_same_moderator' },
    });
    const confirmed = await daemon.admin.call(caseRoutes.confirm, { ...at, body: { agree: true } });
    const appeal = await appealOf(confirmed.sanctionId ?? '');
    await expect(claim(appeal, ana)).rejects.toMatchObject(own);
    await expect(claim(appeal, daemon.admin)).rejects.toMatchObject(own);
  });
});
