/** The project secret is replaced, with a time in which signatures by the one before are accepted, too. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { maskedSecret, settingsRoutes } from '../../src/contract/projects/settings.js';
import { sign } from '../../src/signing/signing.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';

const daySeconds = 86_400;

describeDaemonsOnEachDatabase('the project secret', (start) => {
  async function prepared() {
    let aheadMs = 0;
    const now = () => new Date(Date.now() + aheadMs);
    const daemon: TestDaemon = await start({ now });
    const { id: projectId } = await daemon.admin.call(projectRoutes.create, { body: { name: randomUUID() } });
    const params = { projectId };
    await daemon.client.call(settingsRoutes.put, { params, body: { tokenProvider: 'embedded' } });
    await daemon.client.call(settingsRoutes.syncSecret, { params });
    const shown = async () => (await daemon.client.call(settingsRoutes.secret, { params })).secret;
    /** The status of an event that is signed with the secret. */
    const statusBy = async (secret: string) => {
      const body = JSON.stringify({
        ...{ type: 'server.started', source: 'fleet:server', data: {} },
        resourceId: `server:${randomUUID()}`,
      });
      const timestamp = now().toISOString();
      const headers = {
        ...{ 'Content-Type': 'application/json', 'X-Project-Id': projectId, 'X-Timestamp': timestamp },
        'X-Signature': sign(secret, timestamp, body),
      };
      return (await fetch(`${daemon.url}/api/events/ingest`, { method: 'POST', headers, body })).status;
    };
    const rotate = (body: { overlapSeconds?: number } = {}) =>
      daemon.client.call(settingsRoutes.rotateSecret, { params, body });
    const pass = (seconds: number) => {
      aheadMs += seconds * 1_000;
    };
    return { daemon, params, shown, statusBy, rotate, pass, now };
  }

  it('gives way to a new one, and signs for a day more', async () => {
    const { daemon, shown, statusBy, rotate, pass, now } = await prepared();
    const before = await shown();
    expect(await statusBy(before)).toBe(201);
    const { previousUntil } = await rotate();
    const endsInMs = Date.parse(previousUntil ?? '') - now().getTime();
    expect(Math.abs(endsInMs - daySeconds * 1_000)).toBeLessThan(60_000);
    const after = await shown();
    expect(after).toMatch(/^[0-9a-f]{64}$/);
    expect(after).not.toBe(before);
    expect([await statusBy(before), await statusBy(after)]).toEqual([201, 201]);
    pass(daySeconds + 1);
    expect([await statusBy(before), await statusBy(after)]).toEqual([401, 201]);
    await daemon.stop();
  });

  it('that has leaked signs nothing any more, also after a revocation and a sync', async () => {
    const { daemon, params, shown, statusBy, rotate } = await prepared();
    const leaked = await shown();
    expect(await rotate({ overlapSeconds: 0 })).toEqual({ hasSecret: true, previousUntil: null });
    expect(await statusBy(leaked)).toBe(401);
    await rotate();
    await daemon.client.call(settingsRoutes.revokeSecret, { params });
    await daemon.client.call(settingsRoutes.syncSecret, { params });
    expect(await shown()).not.toBe(leaked);
    expect([await statusBy(leaked), await statusBy(await shown())]).toEqual([401, 201]);
    await daemon.stop();
  });

  it('and the password of encrypted rooms are not for keys that may only read settings', async () => {
    const { daemon, params } = await prepared();
    const body = { mode: 'manual' as const, password: 'a room password' };
    await daemon.client.call(settingsRoutes.e2eEncryption, { params, body });
    const passwordFor = async (scope: 'settings' | 'settings:read') => {
      const client = await daemon.clientWith([scope]);
      return (await client.call(settingsRoutes.get, { params })).e2eEncryptionPassword;
    };
    expect([await passwordFor('settings:read'), await passwordFor('settings')]).toEqual([
      maskedSecret,
      'a room password',
    ]);
    await daemon.stop();
  });
});
