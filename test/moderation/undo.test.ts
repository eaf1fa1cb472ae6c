/** An undo restores the state before, whichever way it is asked for: one sanction, or all that somebody did. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import type { Sanction } from '../../src/contract/moderation/sanction-record.js';
import { type CreateSanctionRequest, sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { projectUserRoutes } from '../../src/contract/projects/projects.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';

describeDaemonsOnEachDatabase('undoing', (start) => {
  let daemon: TestDaemon;
  let aheadMs = 0;
  beforeAll(async () => {
    daemon = await start({ now: () => new Date(Date.now() + aheadMs) });
  });
  afterAll(() => daemon.stop());

  const project = () => ({ params: { projectId: daemon.projectId } });
  const at = ({ id }: Pick<Sanction, 'id'>) => ({ params: { projectId: daemon.projectId, id } });
  const impose = (body: CreateSanctionRequest, client = daemon.client) =>
    client.call(sanctionRoutes.create, { ...project(), body });
  const inForce = async (externalUserId: string) => {
    const params = { projectId: daemon.projectId, externalUserId };
    return (await daemon.client.call(sanctionRoutes.activeOfUser, { params })).map(({ type }) => type).sort();
  };

  describe('a sanction that replaced others', () => {
    it('puts them back', async () => {
      const forever = await impose({ type: 'perm_ban', externalUserId: 'ann' });
      const muted = await impose({ type: 'mute', externalUserId: 'ann' });
      const made = await impose({ type: 'temp_ban', externalUserId: 'ann', duration: 86_400, replaces: [forever.id] });
      expect(await inForce('ann')).toEqual(['mute', 'temp_ban']);
      expect(await daemon.client.call(sanctionRoutes.get, at(forever))).toMatchObject({
        status: 'revoked',
        revokeReason: `replaced by ${made.id}`,
      });
      const undone = await daemon.client.call(sanctionRoutes.undo, at(made));
      expect(undone).toMatchObject({
        sanction: { status: 'revoked' },
        restored: [{ id: forever.id, revokedAt: null }],
      });
      expect(await inForce('ann')).toEqual(['mute', 'perm_ban']);
      expect(await daemon.client.call(sanctionRoutes.get, at(muted))).toMatchObject({ status: 'active' });
      await expect(daemon.client.call(sanctionRoutes.undo, at(made))).rejects.toMatchObject({
        code: 'sanction_not_active',
      });
    });

    it('leaves those in peace whose time is over meanwhile', async () => {
      const short = await impose({ type: 'temp_ban', externalUserId: 'bob', duration: 60 });
      const long = await impose({ type: 'temp_ban', externalUserId: 'bob', duration: 600, replaces: [short.id] });
      aheadMs += 61_000;
      expect((await daemon.client.call(sanctionRoutes.undo, at(long))).restored).toEqual([]);
      expect(await inForce('bob')).toEqual([]);
    });

    it('replaces only those of the same person, all or nothing', async () => {
      const other = await impose({ type: 'mute', externalUserId: 'cid' });
      const unknown = '00000000-0000-7000-8000-000000000000';
      for (const [replaces, code] of [
        [[other.id], 'sanction_target_mismatch'],
        [[unknown], 'sanction_not_found'],
      ] as const)
        await expect(
          impose({ type: 'perm_ban', externalUserId: 'dee', replaces: [...replaces] }),
        ).rejects.toMatchObject({ code });
      expect(await inForce('cid')).toEqual(['mute']);
      expect(await inForce('dee')).toEqual([]);
    });
  });

  it('of what one person did revokes what they imposed and puts back what they revoked', async () => {
    const kept = await impose({ type: 'perm_ban', externalUserId: 'eve' });
    aheadMs += 1_000;
    const since = new Date(Date.now() + aheadMs).toISOString();
    const name = 'night shift';
    const body = { name, scopes: ['sanctions' as const] };
    const { id: keyId, key } = await daemon.admin.call(apiKeyRoutes.create, { body });
    const client = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key } });
    const params = { projectId: daemon.projectId };
    await impose({ type: 'mute', externalUserId: 'fay' }, client);
    await client.call(sanctionRoutes.revoke, at(kept));
    const gone = await impose({ type: 'warn', externalUserId: 'fay' }, client);
    await client.call(sanctionRoutes.revoke, at(gone));
    expect(await inForce('eve')).toEqual([]);
    await daemon.admin.call(apiKeyRoutes.revoke, { params: { id: keyId } });
    const [author] = await daemon.admin.call(projectUserRoutes.authors, { params, query: { name } });
    expect(author).toEqual({ id: keyId, kind: 'apiKey', name });
    const acts = { createdByUserId: keyId, since };
    const call = (dryRun: boolean) =>
      daemon.client.call(sanctionRoutes.undoActs, { params, body: { ...acts, dryRun } });
    expect(await call(true)).toEqual({ revoked: 1, restored: 1, dryRun: true });
    expect(await inForce('fay')).toEqual(['mute']);
    expect(await call(false)).toEqual({ revoked: 1, restored: 1, dryRun: false });
    expect([await inForce('eve'), await inForce('fay')]).toEqual([['perm_ban'], []]);
    expect(await call(false)).toEqual({ revoked: 0, restored: 0, dryRun: false });
  });
});
