import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onlyByTime, recipes } from '../../src/cli/trigger/recipes.js';
import { Scratch } from '../../src/cli/trigger/scratch.js';
import { trigger } from '../../src/cli/trigger/trigger.js';
import { eventData, ownEventTypes } from '../../src/contract/events.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
let scratch: Scratch;
beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.1' } });
  scratch = new Scratch(daemon.client, daemon.projectId, 7);
});
afterAll(() => daemon.stop());

describe('earshot trigger', { timeout: 120_000 }, () => {
  it('has a recipe for every type that the daemon emits, or says what it takes', () => {
    expect([...Object.keys(recipes), ...Object.keys(onlyByTime)].sort()).toEqual([...ownEventTypes].sort());
  });

  // To enter a room takes a media library that ends with the process.
  it.each(ownEventTypes.filter((type) => type in recipes && !/^participant\.(joined|left)$/.test(type)))(
    'causes %s',
    async (type) => {
      const { event } = await trigger(scratch, type);
      expect(event.type).toBe(type);
      eventData[type].parse(event.payload.data);
    },
  );

  it('refuses what only time causes, and says what it takes', async () => {
    await expect(trigger(scratch, 'consumer.gap')).rejects.toThrow('longer than a week');
  });

  it('says what is missing where the daemon may not call this machine', async () => {
    const guarded = await startDaemon();
    try {
      const elsewhere = new Scratch(guarded.client, guarded.projectId, 7);
      await expect(trigger(elsewhere, 'webhook.subscription.disabled')).rejects.toThrow('EARSHOT_OUTBOUND_ALLOW');
    } finally {
      await guarded.stop();
    }
  });

  it('does the same again with the same seed, and sweeps it away', async () => {
    for (const _ of [1, 2]) await trigger(scratch, 'participant.created');
    expect(await scratch.sweep()).toBeGreaterThan(0);
    expect(await scratch.sweep()).toBe(0);
    const { participants } = await daemon.client.call(participantRoutes.list, {
      params: { projectId: daemon.projectId },
      query: { search: scratch.name },
    });
    expect(participants).toEqual([]);
  });
});
