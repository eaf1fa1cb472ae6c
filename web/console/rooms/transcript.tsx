/** The running transcript of a session: read once, continued by events. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { annotationLabel } from '../../../src/client/annotation-label.js';
import type { EarshotEvent } from '../../../src/contract/events.js';
import { type RuleDecision, ruleDecisionRoutes } from '../../../src/contract/rules/rule-decisions.js';
import { ruleRoutes } from '../../../src/contract/rules/rules.js';
import { type Message, sessionRoutes } from '../../../src/contract/sessions/sessions.js';
import { useProject } from '../frame/project.js';
import { useEvents, useRefreshOn } from '../live/use-live.js';
import { Pending } from '../parts/answer.js';
import { Confidence } from '../parts/confidence.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { Refusal } from '../parts/refusal.js';
import { Time } from '../parts/time.js';
import { useRead } from '../parts/use-read.js';
import { PersonLink } from '../people/person-link.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';
import { Partials } from './partials.js';

const shownMax = 500;
const pageLines = 1_000;
const linesMax = 20_000;

/** The lines with what the event adds: a line, or an annotation of one. */
function withEvent(lines: readonly Message[], { type, payload }: EarshotEvent): readonly Message[] {
  if (type === 'message.created' && payload.data.redacted === undefined) {
    const line = payload.data;
    return lines.some(({ id }) => id === line.id) ? lines : [...lines, line].slice(-linesMax);
  }
  if (type !== 'message.annotation.created' || payload.data.redacted !== undefined) return lines;
  const annotation = payload.data;
  const isNew = ({ id, annotations = [] }: Message) =>
    id === annotation.messageId && !annotations.some((one) => one.id === annotation.id);
  return lines.map((line) =>
    isNew(line) ? { ...line, annotations: [...(line.annotations ?? []), annotation] } : line,
  );
}

/** The lines of a session, oldest first, at most 20,000. They are read once; events add lines and annotations. */
export function useTranscript(sessionId: string, isActive: boolean) {
  const { params } = useProject();
  const queries = useQueryClient();
  const queryKey = ['transcript', params.projectId, sessionId];
  /** What came since the reading began, which may have passed its place already; null: nothing is being read. */
  const meanwhile = useRef<EarshotEvent[] | null>(null);
  useEvents((event) => {
    const { data } = event.payload;
    if (!('sessionId' in data) || data.sessionId !== sessionId) return;
    meanwhile.current?.push(event);
    queries.setQueryData<readonly Message[]>(queryKey, (before) => before && withEvent(before, event));
  });
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const since: EarshotEvent[] = [];
      meanwhile.current = since;
      const lines: Message[] = [];
      try {
        for (let page: Message[] | null = null; page === null || (page.length > 0 && lines.length < linesMax); ) {
          signal.throwIfAborted();
          const query = { limit: pageLines, after: lines.at(-1)?.id };
          page = await client.call(sessionRoutes.messages, { params: { ...params, id: sessionId }, query });
          lines.push(...page);
        }
        return since.reduce(withEvent, lines as readonly Message[]);
      } finally {
        if (meanwhile.current === since) meanwhile.current = null;
      }
    },
    staleTime: isActive ? Number.POSITIVE_INFINITY : 60_000,
  });
}

const decisionsMax = 200;
/** Rules judge after the event that they follow. */
const decisionsMs = 1_000;

/** True where a rule has imposed something, or may have judged a line of the session. */
function mayHaveDecided({ type, payload }: EarshotEvent, sessionId: string): boolean {
  if (payload.data.redacted !== undefined) return false;
  if (type === 'sanction.created') return payload.data.evidence?.ruleId !== undefined;
  return (
    (type === 'message.created' || type === 'message.annotation.created' || type === 'rule.matched') &&
    payload.data.sessionId === sessionId
  );
}

/** What rules did because of lines of a session, at most the latest 200 matches of the project since its first line. */
function useDecisions(sessionId: string, since: string | undefined): readonly RuleDecision[] {
  const { params } = useProject();
  const query = { outcome: 'matched', limit: decisionsMax, ...(since === undefined ? {} : { since }) } as const;
  const { data } = useRead(ruleDecisionRoutes.list, { params, query }, { enabled: since !== undefined });
  useRefreshOn([ruleDecisionRoutes.list.operationId], (event) => mayHaveDecided(event, sessionId), decisionsMs);
  return (data?.decisions ?? []).filter((decision) => decision.sessionId === sessionId);
}

interface TranscriptProps {
  readonly sessionId: string;
  readonly isActive: boolean;
  readonly roomId: string;
}

export function Transcript({ sessionId, isActive, roomId }: TranscriptProps) {
  const words = useWords().rooms;
  const reading = useTranscript(sessionId, isActive);
  const { data: lines, error } = reading;
  const decisions = useDecisions(sessionId, lines?.[0]?.timestamp);
  if (lines === undefined) return <Pending of={reading} />;
  return (
    <>
      <Refusal error={error} />
      {lines.length === 0 && <p className="quiet">{words.noWords}</p>}
      {isActive && <Partials key={sessionId} sessionId={sessionId} />}
      <MessageList lines={lines.slice(-shownMax).reverse()} decisions={decisions} roomId={roomId} />
      <CliLine line={commandLine('sessions', 'messages', sessionId)} />
    </>
  );
}

interface MessageListProps {
  readonly lines: readonly Message[];
  /** Ids of those that are marked. */
  readonly marked?: readonly string[];
  readonly mark?: string;
  /** Decisions of rules about these lines. */
  readonly decisions?: readonly RuleDecision[];
  /** Where it was said: the time of a line leads to who was there then. */
  readonly roomId?: string;
}

export function MessageList({ lines, marked = [], mark = '', decisions = [], roomId }: MessageListProps) {
  return (
    <ol className="list scrolling">
      {lines.map(({ id, timestamp, senderName, externalUserId, content, annotations = [], status, ...heard }) => (
        <li key={id}>
          <span className="line-time">
            {roomId === undefined ? <Time at={timestamp} /> : <Moment roomId={roomId} at={timestamp} />}
          </span>
          <PersonLink id={externalUserId} name={senderName} isBrief />
          <span>
            <bdi>{content}</bdi>
          </span>
          {status !== null && status !== 'recognised' && <span className="badge warn">{status}</span>}
          <Confidence {...heard} />
          {marked.includes(id) && <span className="badge accent">{mark}</span>}
          {annotations.map((annotation) => (
            <span key={annotation.id} className="badge warn">
              {annotationLabel(annotation)}
            </span>
          ))}
          {decisions
            .filter(({ messageId }) => messageId === id)
            .map((decision) => (
              <Decided key={decision.id} decision={decision} />
            ))}
        </li>
      ))}
    </ol>
  );
}

/** `Watch your language: warn`, and leads to the rule. */
function Decided({ decision: { ruleId, mode, verdict } }: { readonly decision: RuleDecision }) {
  const { params, project } = useProject();
  const { data: rules = [] } = useRead(ruleRoutes.list, { params });
  const name = rules.find(({ id }) => id === ruleId)?.name ?? ruleId;
  const acts = (verdict?.actions ?? []).map(
    ({ sanction, review }) => sanction?.type ?? (review === undefined ? 'webhook' : 'review'),
  );
  return (
    <Link
      className="badge accent"
      to={`/projects/${project.id}/administration/rules`}
      search={{ open: ruleId } as never}
    >
      <bdi>{name}</bdi>
      {acts.length === 0 ? '' : `: ${acts.join(', ')}`}
      {mode === 'enforce' ? '' : ` (${mode})`}
    </Link>
  );
}

/** A time that leads to who was in the room then. */
export function Moment({ roomId, at }: { readonly roomId: string; readonly at: string }) {
  const { project } = useProject();
  return (
    <Link
      to={`/projects/${project.id}/rooms/${encodeURIComponent(roomId)}`}
      search={{ at } as never}
      title={useWords().rooms.whoWasHere}
    >
      <Time at={at} />
    </Link>
  );
}
