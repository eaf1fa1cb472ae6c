/** Causes an event and waits until it is announced. */
import { EventStream } from '../../client/event-stream.js';
import type { StreamNotice } from '../../client/stream-notice.js';
import type { OwnEventType } from '../../contract/events.js';
import { UsageError } from '../../terminal/usage-error.js';
import { onlyByTime, recipes } from './recipes.js';
import type { Scratch } from './scratch.js';

const patienceMs = 60_000;

/** Throws ApiError; UsageError for a type that only time causes; Error when the event did not come in time. */
export async function trigger(scratch: Scratch, type: OwnEventType): Promise<Extract<StreamNotice, { kind: 'event' }>> {
  const recipe = recipes[type];
  if (recipe === undefined)
    throw new UsageError(`${type} needs ${onlyByTime[type] ?? 'something that this command cannot do'}.`);
  await scratch.sweep();
  const { client, projectId } = scratch;
  const stream = new EventStream(client, { projectId, types: type });
  const late = setTimeout(() => stream.close(), patienceMs);
  const seen: Extract<StreamNotice, { kind: 'event' }>[] = [];
  let id: string | null = null;
  try {
    for await (const notice of stream) {
      if (notice.kind === 'connected') id ??= await recipe(scratch); // events that come meanwhile wait
      if (notice.kind === 'event') seen.push(notice);
      const found = seen.find(({ text }) => id !== null && text.includes(id));
      if (found !== undefined) return found;
    }
  } finally {
    clearTimeout(late);
    stream.close();
  }
  throw new Error(`${type} was caused, but not announced within ${patienceMs / 1_000} s.`);
}
