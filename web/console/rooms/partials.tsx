/** What people are saying at the moment, greyed until it is final: a stream of its own, which carries nothing else. */
import { useEffect, useRef, useState } from 'react';
import { PartialLines } from '../../../src/client/partial-lines.js';
import { type PartialMessage, partialType } from '../../../src/contract/sessions/partial-messages.js';
import { useProject } from '../frame/project.js';
import { useEvents } from '../live/use-live.js';
import { Time } from '../parts/time.js';
import { PersonLink } from '../people/person-link.js';
import { client } from '../session/session.js';

/** Lines whose end was lost go by themselves. */
const tidyMs = 5_000;

function usePartials(sessionId: string): readonly PartialMessage[] {
  const { params } = useProject();
  const [shown, setShown] = useState<readonly PartialMessage[]>([]);
  const lines = useRef(new PartialLines());
  useEffect(() => {
    const over = new AbortController();
    const show = () => setShown(lines.current.shown);
    const events = client.events({
      ...{ projectId: params.projectId, types: partialType, resources: `session:${sessionId}`, partials: true },
      signal: over.signal,
      onNotice: (notice) => {
        if (notice.kind !== 'partial') return;
        lines.current.add(notice.partial);
        show();
      },
    });
    events.next().catch(() => {}); // without it the transcript is complete all the same
    const tidying = setInterval(show, tidyMs);
    return () => {
      clearInterval(tidying);
      over.abort();
    };
  }, [params.projectId, sessionId]);
  useEvents(({ type, payload }) => {
    if (type !== 'message.created' || payload.data.redacted !== undefined) return;
    lines.current.settle(payload.data);
    setShown(lines.current.shown);
  });
  return shown;
}

export function Partials({ sessionId }: { readonly sessionId: string }) {
  const partials = usePartials(sessionId);
  if (partials.length === 0) return null;
  return (
    <ol className="list">
      {partials.toReversed().map(({ externalUserId, senderName, timestamp, content }) => (
        <li key={externalUserId} className="quiet">
          <span className="line-time">
            <Time at={timestamp} />
          </span>
          <PersonLink id={externalUserId} name={senderName} isBrief />
          <span>
            <bdi>{content}</bdi> …
          </span>
        </li>
      ))}
    </ol>
  );
}
