/** What happened last, in sentences: read from the log at once, and continued by events as they come. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, useState } from 'react';
import { type DomainEvent, type EarshotEvent, matchesSome } from '../../../src/contract/events.js';
import { ruleRoutes } from '../../../src/contract/rules/rules.js';
import { eventRoutes } from '../../../src/contract/streams/event-streams.js';
import { useColleagues, useProject } from '../frame/project.js';
import { useEvents } from '../live/use-live.js';
import { List, readingOf } from '../parts/answer.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { ChoiceFilter } from '../parts/filters.js';
import { Panel } from '../parts/page.js';
import { Time } from '../parts/time.js';
import { useFilter } from '../parts/use-filter.js';
import { useRead } from '../parts/use-read.js';
import { PersonLink } from '../people/person-link.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';
import { type EventGroup, grouped, isTold, sentenceOf } from './sentence.js';

const topics = {
  moderation: ['sanction.*', 'report.created', 'case.*', 'review.*', 'rule.matched', 'misuse.*', 'order.*'],
  rooms: ['participant.joined', 'participant.left', 'room.*'],
  words: ['message.created'],
  game: ['gathering.*', 'challenge.*', 'battlepass.*', 'leaderboard.*'],
} as const;
type Topic = keyof typeof topics;
const everyTopic: readonly string[] = Object.values(topics).flat();
const isTopic = (text: string): text is Topic => Object.hasOwn(topics, text);

const linesMax = 100;
/** Events that arrive within this time come onto the page together; where so many come, in a longer time. */
const gatherMs = 200;
const manyLines = 20;
const longGatherMs = 1_000;

/** The newest events of the types, newest first. */
function useLatest(types: readonly string[]) {
  const { params } = useProject();
  const [live, setLive] = useState<readonly EarshotEvent[]>([]);
  const [gathered] = useState({ events: [] as EarshotEvent[], isWaiting: false, forMs: gatherMs });
  useEvents((event) => {
    if (!matchesSome(event.type, everyTopic)) return;
    gathered.events.push(event);
    if (gathered.events.length > linesMax) gathered.events.shift();
    if (gathered.isWaiting) return;
    gathered.isWaiting = true;
    setTimeout(() => {
      const arrived = gathered.events.splice(0).reverse();
      gathered.isWaiting = false;
      gathered.forMs = arrived.length > manyLines ? longGatherMs : gatherMs;
      setLive((before) => [...arrived, ...before].slice(0, linesMax));
    }, gathered.forMs);
  });
  const stored = useQuery({
    queryKey: [eventRoutes.list.operationId, params, 'latest', types],
    queryFn: () => client.call(eventRoutes.list, { params, query: { types: types.join(), limit: linesMax } }),
    staleTime: 0,
    placeholderData: (before) => before,
  });
  return readingOf(stored, ({ events }): readonly DomainEvent[] => {
    const ids = new Set(events.map(({ id }) => id));
    const newest = events[0]?.id ?? '';
    const newer = live.filter(({ id, type }) => !ids.has(id) && id > newest && matchesSome(type, types));
    return [...newer, ...events].slice(0, linesMax);
  });
}

export default function Feed() {
  const words = useWords();
  const { params } = useProject();
  const names = useColleagues();
  const [topic, setTopic] = useFilter('feed');
  const types = isTopic(topic) ? topics[topic] : everyTopic;
  const latest = useLatest(types);
  const { data: rules = [] } = useRead(ruleRoutes.list, { params });
  const nameOf = (id: string) => names.get(id) ?? rules.find((rule) => rule.id === id)?.name ?? words.feed.key;
  return (
    <Panel
      title={words.overview.events}
      actions={
        <ChoiceFilter
          label={words.filter}
          value={topic}
          onChange={setTopic}
          choices={[
            { value: '', label: words.all },
            ...Object.keys(topics).map((value) => ({ value, label: words.feed.topics[value as Topic] })),
          ]}
        />
      }
    >
      <List
        of={readingOf(latest, (events) =>
          grouped(events.filter(isTold).map((event) => sentenceOf(words, event, nameOf))),
        )}
        empty={words.overview.noEvents}
        label={words.overview.events}
        scrolls
      >
        {(group) => <Line key={group.line.id} group={group} others={words.feed.others(group.others)} />}
      </List>
      <CliLine line={commandLine('events', 'list', ...(isTopic(topic) ? [['--types', types.join()] as const] : []))} />
    </Panel>
  );
}

interface LineProps {
  readonly group: EventGroup;
  /** `and 2 others` */
  readonly others: string;
}

const isSame = (one: LineProps, other: LineProps) =>
  one.group.count === other.group.count && one.others === other.others && one.group.line.what === other.group.line.what;

/** Lines that are there are not drawn again when others come. */
const Line = memo(({ group: { line, count, others: more }, others }: LineProps) => {
  const { project } = useProject();
  const { at, who, what, to } = line;
  return (
    <li>
      <span className="line-time">
        <Time at={at} />
      </span>
      {who !== null && <PersonLink id={who} isBrief />}
      {more > 0 && <span>{others}</span>}
      {to === null ? (
        <bdi>{what}</bdi>
      ) : (
        <Link to={`/projects/${project.id}/${to}`}>
          <bdi>{what}</bdi>
        </Link>
      )}
      {count > more + 1 && <span className="badge">{count}×</span>}
    </li>
  );
}, isSame);
