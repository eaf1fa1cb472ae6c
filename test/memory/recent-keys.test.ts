/** Facts remembered of a key, project or person for a while are forgotten after it, however many there are. */
import { Aedes } from 'aedes';
import { describe, expect, it } from 'vitest';
import { ApiKeyService } from '../../daemon/modules/identity/api-keys/service.js';
import type { ApiKeyStore } from '../../daemon/modules/identity/api-keys/store.js';
import { storeWithoutQueues } from '../../daemon/modules/mqtt/no-queues.js';
import { SessionBot } from '../../daemon/modules/sessions/bot/bot.js';
import { EvidenceBuffer, evidenceMemory } from '../../daemon/modules/sessions/bot/evidence-buffer.js';
import { loadVoiceActivity } from '../../daemon/modules/sessions/bot/voice-activity.js';
import type { Database } from '../../daemon/platform/database/database.js';
import { WindowCounter } from '../../daemon/platform/limits/window-counter.js';
import { Rests } from '../../daemon/platform/turns/rests.js';
import { SlotNames } from '../../src/client/voice/slot-names.js';
import { SpeechTurns } from '../../src/client/voice/speech-turns.js';
import { heapAfterCollection } from '../support/collect.js';
import { mebibyte } from '../support/heap.js';
import { OpenTap } from '../support/spoken-packets.js';

const many = 100_000;
const speakers = 5_000;
const idLength = 2_000;
/** An entry for each of them would take 10 MiB and more. */
const grownMax = 4 * mebibyte;

/** Bytes that the work has left in memory. `held`: what must not be collected before. */
async function grownBy(held: object, work: () => Promise<void>): Promise<number> {
  const before = await heapAfterCollection();
  await work();
  const grown = (await heapAfterCollection()) - before;
  expect(held).toBeDefined();
  return grown;
}

describe('what is remembered for a while', () => {
  it('of API keys: when their last use was stored', async () => {
    let nowMs = Date.parse('2026-01-01T00:00:00Z');
    let stored = 0;
    const keys: Pick<ApiKeyStore, 'presented' | 'touch'> = {
      presented: async (key) =>
        ({ caller: { id: key, expiresAt: null } }) as Awaited<ReturnType<ApiKeyStore['presented']>>,
      touch: async () => {
        stored += 1;
      },
    };
    const grants = { grant: async () => null, shared: async () => [] };
    const service = new ApiKeyService(
      {} as Database,
      keys as ApiKeyStore,
      { addresses: async () => [] },
      grants,
      { invitedBy: async () => [] },
      () => new Date(nowMs),
    );
    const grown = await grownBy(service, async () => {
      for (let index = 0; index < many; index += 1) {
        await service.verify(`key-${index}`);
        await service.verify(`key-${index}`);
        nowMs += 100;
      }
    });
    expect(stored).toBe(many); // once a minute each
    expect(grown).toBeLessThan(grownMax);
  });

  it('of projects: the events of the last second', async () => {
    let nowMs = 0;
    const limit = new WindowCounter('ingested_events', { max: 2, windowMs: 1_000, rolling: true, now: () => nowMs });
    const grown = await grownBy(limit, async () => {
      for (let index = 0; index < many; index += 1) {
        limit.consume(`project-${index}`);
        nowMs += 10;
      }
    });
    expect(grown).toBeLessThan(grownMax);
    limit.consume('last');
    limit.consume('last');
    expect(() => limit.consume('last')).toThrow('Too many requests');
  });

  it('of owners of work: until when they rest', async () => {
    const rests = new Rests();
    const grown = await grownBy(rests, async () => {
      for (let index = 0; index < many; index += 1) await rests.after(`project-${index}`, async () => {});
    });
    expect(grown).toBeLessThan(grownMax);
  });

  it('of people in a room: who was there before', async () => {
    const bot = new SessionBot({
      ...{ tenantId: 't', sessionId: 's', tap: new OpenTap(), sink: { utterance: async () => {} }, queue: null },
      ...{ newDetector: await loadVoiceActivity(), cipher: () => null, origin: new Date(), now: () => new Date() },
      log: { error: () => {} },
      evidence: new EvidenceBuffer(evidenceMemory(0), 'tenant'),
    });
    const grown = await grownBy(bot, async () => {
      for (let index = 0; index < many; index += 1) {
        bot.joined(`person-${index}`);
        bot.joined(`person-${index}`);
        bot.left(`person-${index}`);
      }
    });
    expect(bot.status().counters.peers).toBe(many);
    expect(grown).toBeLessThan(grownMax);
  });

  it('of MQTT clients: their acknowledgements', async () => {
    const persistence = storeWithoutQueues();
    const aedes = await Aedes.createBroker({ persistence });
    const store: { outgoingClearMessageId(client: object, packet: object): Promise<unknown> } = persistence;
    const grown = await grownBy(aedes, async () => {
      for (let index = 0; index < many; index += 1)
        await store.outgoingClearMessageId({ id: `client-${index}` }, { messageId: 1 });
    });
    aedes.close();
    expect(grown).toBeLessThan(grownMax);
  });

  it('of speakers: their decoders and the names announced for a slot', async () => {
    const turns = new SpeechTurns({ onBegin: () => {}, onEnd: () => {} });
    const names = new SlotNames(() => {});
    const grown = await grownBy([turns, names], async () => {
      for (let index = 0; index < speakers; index += 1) {
        const speaker = Buffer.from(String(index).padEnd(idLength, 'x')).toString('latin1'); // shares nothing with others
        turns.decode({ speaker, opus: new Uint8Array(1), sequence: 0, timestamp: 0, stream: '0', atMs: index * 1_000 });
        turns.check(index * 1_000);
        names.announce(speaker, index * 1_000);
      }
    });
    expect(grown).toBeLessThan(grownMax);
  });
});
