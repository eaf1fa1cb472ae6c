import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { pageLimitMax } from '../../../src/contract/common.js';
import { type DomainEvent, matchesSome } from '../../../src/contract/events.js';
import { eventRoutes } from '../../../src/contract/streams/event-streams.js';
import { eventTraceRoutes } from '../../../src/contract/streams/event-traces.js';
import { useProject } from '../frame/project.js';
import { useRefreshOn } from '../live/use-live.js';
import { lineOf } from '../overview/event-line.js';
import { known, Pending, readingOf } from '../parts/answer.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { Dialog } from '../parts/dialog.js';
import { TextFilter } from '../parts/filters.js';
import { JsonView } from '../parts/json-view.js';
import { PlainTable } from '../parts/plain-table.js';
import { Time } from '../parts/time.js';
import { useFilter } from '../parts/use-filter.js';
import { useRead } from '../parts/use-read.js';
import { PersonLink } from '../people/person-link.js';
import { client } from '../session/session.js';
import { useWords, type Words } from '../words/all-words.js';

const idOf = ({ id }: DomainEvent) => id;
/** Events that come within this time are read together. */
const againMs = 1_000;

const typesOf = (typed: string): readonly string[] =>
  typed
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

const columnsOf = ({ developers: words, ...rest }: Words): readonly Column<DomainEvent>[] => [
  {
    ...{ id: 'at', label: words.at, width: '140px' },
    cell: ({ timestamp }) => <Time at={timestamp} />,
    sort: ({ timestamp }) => timestamp,
  },
  {
    ...{ id: 'type', label: rest.type, width: '230px' },
    cell: ({ type }) => <span className="badge">{type}</span>,
    sort: ({ type }) => type,
  },
  {
    ...{ id: 'who', label: rest.person, wide: true, width: '160px' },
    cell: (event) => <PersonLink id={lineOf(event).who} />,
  },
  { ...{ id: 'what', label: words.about }, cell: (event) => <bdi>{lineOf(event).what}</bdi> },
];

export default function Events() {
  const words = useWords();
  const own = words.developers;
  const { params } = useProject();
  const navigate = useNavigate();
  const [types, setTypes] = useFilter('types');
  const [user, setUser] = useFilter('user');
  const [resources, setResources] = useFilter('resources');
  const [open, setOpen] = useFilter('open');
  const query = {
    limit: pageLimitMax,
    ...(types === '' ? {} : { types: typesOf(types).join() }),
    ...(user === '' ? {} : { user }),
    ...(resources === '' ? {} : { resources }),
  };
  const key = [eventRoutes.list.operationId, params];
  const pages = useInfiniteQuery({
    queryKey: [...key, query],
    queryFn: ({ pageParam: after }) =>
      client.call(eventRoutes.list, { params, query: { ...query, ...(after === '' ? {} : { after }) } }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: (before) => before,
  });
  const wanted = typesOf(types);
  useRefreshOn(key, ({ type }) => wanted.length === 0 || matchesSome(type, wanted), againMs);
  return (
    <>
      <div className="page-actions tab-actions">
        <TextFilter label={own.types} value={types} onChange={setTypes} />
        <TextFilter label={words.person} value={user} onChange={setUser} />
        <TextFilter label={own.resource} value={resources} onChange={setResources} />
      </div>
      <DataTable
        label={own.events}
        of={readingOf(pages, (data) => data.pages.flatMap(({ events }) => events))}
        columns={columnsOf(words)}
        idOf={idOf}
        chosen={open}
        onOpen={({ id }) => setOpen(id)}
        empty={own.noEvents}
        height="calc(100dvh - 250px)"
        onEnd={pages.hasNextPage && !pages.isFetching ? () => void pages.fetchNextPage() : undefined}
      />
      <CliLine
        line={commandLine(...['events', 'list'], ['--types', types], ['--user', user], ['--resources', resources])}
      />
      <Dialog opened={open !== ''} onClose={() => setOpen('')} title={own.event} size="lg">
        {open !== '' && (
          <Trace
            id={open}
            onDelivery={(webhook, delivery) =>
              void navigate({ to: '../webhooks', search: { open: webhook, delivery } as never })
            }
          />
        )}
      </Dialog>
    </>
  );
}

interface TraceProps {
  readonly id: string;
  readonly onDelivery: (webhook: string, delivery: string) => void;
}

/** The event, and who got it. */
function Trace({ id, onDelivery }: TraceProps) {
  const own = useWords().developers;
  const { params } = useProject();
  const reading = useRead(eventTraceRoutes.trace, { params: { ...params, id } }, { after: ['webhook.'] });
  const { data } = reading;
  if (data === undefined) return <Pending of={reading} />;
  return (
    <>
      <JsonView value={data.event} label={own.event} />
      <h2>{own.trace}</h2>
      <PlainTable
        head={[own.consumer, own.result, own.at, own.attempts]}
        of={known(
          data.consumers.map(({ kind, name, result, at, attempts, deliveryId }) => [
            deliveryId === null || kind !== 'webhook' ? (
              <bdi key="name">{name}</bdi>
            ) : (
              <button key="name" type="button" className="pick" onClick={() => onDelivery(name, deliveryId)}>
                {own.delivery} {deliveryId.slice(-8)}
              </button>
            ),
            <span key="result" className={`badge ${result === 'delivered' ? 'good' : 'warn'}`}>
              {result}
            </span>,
            <Time key="at" at={at} />,
            attempts ?? '–',
          ]),
        )}
      />
      <CliLine line={commandLine('events', 'trace', id)} />
    </>
  );
}
