/** A moment of a fast clock, and challenges with a time limit. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { eventually } from '../support/eventually.js';

const hourMs = 3_600_000;

describeDaemonsOnEachDatabase('a challenge with a time limit', (start) => {
  let daemon: TestDaemon;
  let aheadMs = 0;
  beforeAll(async () => {
    daemon = await start({ now: () => new Date(Date.now() + aheadMs) });
  });
  afterAll(() => daemon.stop());

  it('that began while the clock was ahead is no longer than its limit', async () => {
    const { projectId } = daemon;
    const body = { name: 'Quick', eventName: 'kill-enemy', goal: 5, durationMinutes: 10 };
    const { id } = await daemon.client.call(challengeRoutes.create, { params: { projectId }, body });
    const player = { projectId, userId: 'ann' };
    aheadMs = hourMs;
    await sleep(2_500); // noticed
    for (const step of ['unlock', 'activate'] as const)
      await daemon.client.call(playerRoutes[step], { params: { ...player, id } });
    aheadMs = 0;
    await eventually(async () => {
      const { challenges } = await daemon.client.call(playerRoutes.get, { params: player });
      const endsAt = challenges.find(({ challengeId }) => challengeId === id)?.endsAt ?? '';
      expect(Date.parse(endsAt)).toBeLessThanOrEqual(Date.now() + 600_000);
    }, 10_000);
  });
});
