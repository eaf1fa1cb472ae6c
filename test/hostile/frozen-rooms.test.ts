/** A room process that stands still: a mute is answered all the same, and holds, because the process is ended. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { answering, roomToken, signIn } from '../support/room-client.js';
import { Speaker } from '../support/room-peers.js';
import { roomProcess } from '../support/room-process.js';
import { torture } from '../support/scale.js';

const daemon = new DaemonProcess({}, rentedMachine);
let client: EarshotClient;
let projectId: string;
beforeAll(async () => {
  await daemon.start();
  ({ client, projectId } = await signIn(daemon.url));
});
afterAll(() => daemon.dispose());

describe('a room process that stands still', { timeout: 120_000 }, () => {
  it('keeps a mute waiting for a second at most, and is ended', async () => {
    const ann = new Speaker('ann');
    await ann.join(answering(daemon.url, 'whip', 'stage', await roomToken(client, projectId, 'stage', 'ann')));
    const frozen = roomProcess(daemon.pid);
    let tookMs = 0;
    await watchingHealth(daemon, 'a mute while the room process stands still', async () => {
      process.kill(frozen, 'SIGSTOP');
      const startedAt = performance.now();
      const body = { type: 'mute' as const, externalUserId: 'ann' };
      await client.call(sanctionRoutes.create, { params: { projectId }, body });
      tookMs = performance.now() - startedAt;
      await eventually(() => expect(() => process.kill(frozen, 0)).toThrow('ESRCH'));
    });
    console.info(`a mute took ${tookMs.toFixed(0)} ms while the room process stood still`);
    expect(tookMs).toBeGreaterThan(900);
    expect(tookMs).toBeLessThan(torture ? 1_500 : 4_000);
    ann.close();
  });
});
