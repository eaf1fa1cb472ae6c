/** What an erasure leaves behind goes on working: repeats, undoing and figures. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DomainEvent } from '../../src/contract/events.js';
import { leaderboardRebuildRoutes } from '../../src/contract/gameplay/leaderboard-rebuilds.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';
import { type CreateSanctionRequest, sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { personNoticeRoutes } from '../../src/contract/people/person-notices.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { eventRoutes } from '../../src/contract/streams/event-streams.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { openStream } from '../support/stream.js';
import { contentsOf, tracesIn } from '../support/traces.js';

describeDaemonsOnEachDatabase('after an erasure', (start) => {
  let daemon: TestDaemon;
  let now = new Date('2026-03-01T10:00:00.000Z');
  beforeAll(async () => {
    daemon = await start({ now: () => now });
  });
  afterAll(() => daemon.stop());

  const params = () => ({ projectId: daemon.projectId });
  const erase = (user: string) => daemon.client.call(personRoutes.erase, { params: { ...params(), user } });
  const impose = (body: CreateSanctionRequest) => daemon.client.call(sanctionRoutes.create, { params: params(), body });

  it('a repeat of what was done to the person is refused, and does nothing', async () => {
    const key = randomUUID();
    const ban = () =>
      fetch(`${daemon.url}${sanctionRoutes.create.path.replace('{projectId}', daemon.projectId)}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': daemon.apiKey, 'Idempotency-Key': key },
        body: JSON.stringify({ type: 'mute', externalUserId: 'repeated' }),
      });
    expect((await ban()).status).toBe(201);
    expect((await ban()).status).toBe(201);
    await erase('repeated');
    const refused = await ban();
    expect({ status: refused.status, body: await refused.json() }).toMatchObject({
      status: 410,
      body: { code: 'idempotency_answer_erased' },
    });
    const query = { externalUserId: 'repeated' };
    expect((await daemon.client.call(sanctionRoutes.list, { params: params(), query })).total).toBe(0);
  });

  it('no answer that is kept for a repeat lists them: of a rebuild without them, or of a notice that went to them', async () => {
    const user = 'named-in-answers';
    const board = { name: 'Kills', eventName: 'kill-enemy' } as const;
    const { id } = await daemon.client.call(leaderboardRoutes.create, { params: params(), body: board });
    // The client sends a key with each of these.
    const without = { without: [user] };
    await daemon.client.call(leaderboardRebuildRoutes.make, { params: { ...params(), id }, body: without });
    const notice = { text: 'Maintenance', externalUserIds: [user] };
    const { unknown } = await daemon.client.call(personNoticeRoutes.notify, { params: params(), body: notice });
    expect(unknown).toEqual([user]);
    await erase(user);
    expect(tracesIn(await contentsOf(daemon.databaseUrl), [user])).toEqual({});
  });

  const admits = async (externalUserId: string) => {
    const body = { roomId: 'arena', userId: externalUserId };
    return daemon.client.call(tokenRoutes.generateForProject, { params: params(), body }).then(
      () => true,
      () => false,
    );
  };

  it('undoing a batch lifts the bans of people who were erased since', async () => {
    await daemon.admin.call(settingsRoutes.put, { params: params(), body: { tokenProvider: 'embedded' } });
    const items = ['kept', 'erased'].map((externalUserId) => ({ type: 'perm_ban' as const, externalUserId }));
    const batch = { params: { ...params(), id: 'raid' } };
    const body = { batchId: 'raid', items };
    await daemon.client.call(sanctionBatchRoutes.apply, { params: params(), body });
    await erase('erased');
    expect([await admits('kept'), await admits('erased')]).toEqual([false, false]);
    const { batches } = await daemon.client.call(sanctionBatchRoutes.list, { params: params(), query: {} });
    expect(batches[0]).toMatchObject({ sanctions: 2, active: 2 });
    const undone = await daemon.client.call(sanctionBatchRoutes.undo, { ...batch, body: {} });
    expect(undone).toEqual({ batchId: 'raid', revoked: 2, ended: 0 });
    expect([await admits('kept'), await admits('erased')]).toEqual([true, true]);
    const again = await daemon.client.call(sanctionBatchRoutes.undo, { ...batch, body: {} });
    expect(again.revoked).toBe(0);
  });

  it('undoing what somebody did lifts what they imposed of bans, in the time that is named', async () => {
    await impose({ type: 'perm_ban', externalUserId: 'before' });
    now = new Date(now.getTime() + 60_000);
    const since = now.toISOString();
    const { createdByUserId } = await impose({ type: 'perm_ban', externalUserId: 'after' });
    for (const user of ['before', 'after']) await erase(user);
    const undo = (dryRun: boolean) =>
      daemon.client.call(sanctionRoutes.undoActs, {
        params: params(),
        body: { createdByUserId: createdByUserId ?? '', since, dryRun },
      });
    expect(await undo(true)).toEqual({ revoked: 1, restored: 0, dryRun: true });
    expect(await undo(false)).toEqual({ revoked: 1, restored: 0, dryRun: false });
    expect([await admits('before'), await admits('after')]).toEqual([false, true]);
  });

  it('what remains of events says of which kind they were', async () => {
    await impose({ type: 'human_review', externalUserId: 'gone', reason: 'said something' });
    await erase('gone');
    const path = eventRoutes.streamProject.path.replace('{projectId}', daemon.projectId);
    const stream = await openStream(`${daemon.url}${path}?types=sanction.created`, {
      ...{ 'X-API-Key': daemon.apiKey, 'Last-Event-ID': 'earliest' },
    });
    const next = async (): Promise<unknown> => ((await stream.next()).data as DomainEvent).payload.data;
    const isOther = (data: unknown) => !JSON.stringify(data).includes('human_review');
    let data = await next();
    while (isOther(data)) data = await next();
    stream.close();
    expect(data).toEqual({
      ...{ id: expect.any(String), redacted: true, type: 'human_review', sessionId: null, source: 'own_initiative' },
      ...{ foundBy: 'program', decidedBy: 'program', caseId: null, category: null },
      ...{
        ground: null,
        template: null,
        endAt: null,
        createdByUserId: expect.any(String),
        evidence: null,
        revokedAt: null,
      },
    });
  });
});
