/** Follows events, with the notices of the stream itself on stderr. */
import type { EarshotClient } from '../../client/earshot-client.js';
import { DaemonUnreachable } from '../../client/errors.js';
import { EventStream } from '../../client/event-stream.js';
import type { EventStreamOptions, StreamNotice } from '../../client/stream-notice.js';
import type { DomainEvent } from '../../contract/events.js';
import type { PartialMessage } from '../../contract/sessions/partial-messages.js';

/**
 * Yields the events, each with its text as received. `report` gets a sentence about each reconnection and gap. `begun` is called
 * once, when the stream is open and before its first event; `partial` with what people are saying. Does not wait for a daemon that is not there at the beginning.
 * Throws ApiError, DaemonUnreachable.
 */
export async function* follow(
  client: EarshotClient,
  options: EventStreamOptions,
  report: (line: string) => void,
  {
    begun = async () => {},
    partial = () => {},
  }: { readonly begun?: () => Promise<void>; readonly partial?: (partial: PartialMessage) => void } = {},
): AsyncGenerator<{ readonly event: DomainEvent; readonly text: string }, void> {
  let state: 'new' | 'open' | 'lost' = 'new';
  let said = '';
  for await (const notice of new EventStream(client, options)) {
    if (notice.kind === 'event') yield notice;
    else if (notice.kind === 'partial') partial(notice.partial);
    else if (notice.kind === 'connected') {
      if (state === 'new') await begun();
      else if (state === 'lost') report('Connected again; the missed events follow.');
      state = 'open';
      said = '';
    } else {
      if (notice.kind === 'lost' && state === 'new' && notice.error instanceof DaemonUnreachable) throw notice.error;
      const sentence = sentenceOn(notice);
      // A reason that repeats itself is printed once.
      if (sentence !== said) report(sentence);
      said = sentence;
      if (notice.kind === 'lost' && state === 'open') state = 'lost';
    }
  }
}

function sentenceOn(notice: Exclude<StreamNotice, { kind: 'event' | 'partial' | 'connected' }>): string {
  if (notice.kind === 'lost') return `Connection lost: ${notice.reason} Trying again.`;
  const oldest = notice.oldestId === null ? 'It keeps no event at all.' : `The oldest it keeps is ${notice.oldestId}.`;
  return `There is a gap: the daemon does not keep ${notice.lastEventId}. ${oldest}`;
}
