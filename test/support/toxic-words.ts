/** What the plugin toxicity marks of a line. */
import { z } from 'zod';
import { toxicity } from '../../daemon/modules/plugins/catalogue/toxicity.js';
import { Skip } from '../../daemon/modules/plugins/plugin.js';
import type { DomainEvent } from '../../src/contract/events.js';

const Spans = z.object({ spans: z.array(z.object({ word: z.string() })) });
const plugin = toxicity();

/** Returns the marked words of a line in this language; null: nobody says in which. */
export async function toxicWords(content: string, language: string | null, settings: object): Promise<string[]> {
  const message = {
    ...{ id: 'm', sessionId: 's', type: 'user', senderName: 'Ann', content, timestamp: '2026-01-01T00:00:00.000Z' },
    ...{ hasDebugAudio: false, participantId: 'p', externalUserId: 'ann', origin: 'text', startMs: null, endMs: null },
    ...{ language, status: null, asr: null, shadowMuted: false },
  };
  const event = { payload: { data: message } } as unknown as DomainEvent;
  const ids = { actionId: 'a', instanceId: 'i', tenantId: 't', projectId: 'p', sessionId: 's' };
  try {
    const [found] = await plugin.run({ ...ids, settings: { ...settings }, event }, () => {});
    return Spans.parse(found?.content).spans.map(({ word }) => word);
  } catch (error) {
    if (error instanceof Skip) return [];
    throw error;
  }
}
