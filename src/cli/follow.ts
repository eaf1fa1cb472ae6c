/** What the commands share that follow events: the flags, and the stream's own news told on stderr. */
import { Flags } from '@oclif/core';
import type { ApiClient } from '../client/api-client.js';
import { EventStream, type EventStreamOptions, type StreamNews } from '../client/event-stream.js';
import type { DomainEvent } from '../contract/events.js';

export const streamFlags = {
  types: Flags.string({ description: 'Types, comma-separated; a trailing * is a wildcard' }),
  resources: Flags.string({ description: 'Resources, comma-separated: kind:id or bare id' }),
  since: Flags.string({ description: 'earliest, an event id or a time; left out: from now on' }),
};

/** The events alone, each with its text as it came; `tell` hears of reconnections and gaps, in words. Throws ApiError. */
export async function* follow(
  client: ApiClient,
  options: EventStreamOptions,
  tell: (line: string) => void,
): AsyncGenerator<{ readonly event: DomainEvent; readonly text: string }, void> {
  let lost = false;
  for await (const news of new EventStream(client, options)) {
    if (news.kind === 'event') yield news;
    else if (news.kind !== 'connected') tell(sentence(news));
    else if (lost) tell('Connected again.');
    lost = news.kind === 'lost';
  }
}

function sentence(news: Exclude<StreamNews, { kind: 'event' | 'connected' }>): string {
  if (news.kind === 'lost') {
    const seconds = (news.retryInMs / 1_000).toFixed(1);
    return `Connection lost (${news.reason}); trying again in ${seconds} s, behind the last event seen.`;
  }
  const oldest = news.oldestId === null ? 'It keeps no event at all.' : `The oldest it keeps is ${news.oldestId}.`;
  return `There is a gap: the daemon does not keep ${news.lastEventId}. ${oldest}`;
}
