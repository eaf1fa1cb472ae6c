import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { StatusFilter } from '../../../src/contract/gatherings/gathering-search.js';
import {
  CreateGatheringRequest,
  type Gathering,
  gatheringRoutes,
} from '../../../src/contract/gatherings/gatherings.js';
import { useOpenId, useProject } from '../frame/project.js';
import { useRefresh } from '../live/use-live.js';
import { readingOf } from '../parts/answer.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { Dialog } from '../parts/dialog.js';
import { ChoiceFilter, TextFilter } from '../parts/filters.js';
import { Page } from '../parts/page.js';
import { SchemaForm } from '../parts/schema-form.js';
import { Time } from '../parts/time.js';
import { useFilter } from '../parts/use-filter.js';
import { client } from '../session/session.js';
import type { Words } from '../words/all-words.js';
import { useWords } from '../words/all-words.js';
import { nextMoment, StatusBadge } from './gathering-parts.js';
import { OpenGathering } from './open-gathering.js';

const pageRows = 200;
const statuses: readonly StatusFilter[] = ['active', 'created', 'started', 'ended', 'cancelled', 'expired'];
const idOf = ({ id }: Gathering) => id;
const gatheringFields = [
  ...(['name', 'description', 'type', 'maxMembers', 'accessPolicy', 'startsAt', 'endsAt', 'roomId'] as const),
  ...(['autoStartSession', 'listed'] as const),
] as const;
const columnsOf = (words: Words): readonly Column<Gathering>[] => [
  {
    ...{ id: 'name', label: words.gatherings.name },
    cell: ({ name }) => <bdi>{name}</bdi>,
    sort: ({ name }) => name.toLowerCase(),
  },
  {
    ...{ id: 'status', label: words.status, width: '110px' },
    cell: ({ status }) => <StatusBadge status={status} />,
    sort: ({ status }) => status,
  },
  {
    ...{ id: 'seats', label: words.gatherings.seats, width: '90px' },
    cell: ({ memberCount, maxMembers }) => (
      <span className="number">
        {memberCount} / {maxMembers}
      </span>
    ),
    sort: ({ memberCount }) => memberCount,
  },
  {
    ...{ id: 'code', label: words.gatherings.code, wide: true, width: '130px' },
    cell: ({ joinCode }) => <code>{joinCode}</code>,
  },
  { ...{ id: 'room', label: words.room, wide: true }, cell: ({ roomId }) => <bdi>{roomId}</bdi> },
  { ...{ id: 'next', label: words.gatherings.next, wide: true, width: '170px' }, cell: nextMoment(words) },
  {
    ...{ id: 'created', label: words.created, wide: true, width: '150px' },
    cell: ({ createdAt }) => <Time at={createdAt} />,
    sort: ({ createdAt }) => createdAt,
  },
];

export default function Gatherings() {
  const words = useWords();
  const { params, project, may } = useProject();
  const navigate = useNavigate();
  const openId = useOpenId();
  const [status, setStatus] = useFilter('status');
  const [person, setPerson] = useFilter('person');
  const [makes, setMakes] = useFilter('new');
  const key = ['gatherings', params.projectId];
  const found = useQuery({
    queryKey: [...key, status, person],
    queryFn: () =>
      client.call(gatheringRoutes.list, {
        params,
        query: {
          limit: pageRows,
          ...(status === '' ? {} : { status }),
          ...(person === '' ? {} : { externalUserId: person }),
        },
      }),
    placeholderData: (before) => before,
    enabled: openId === undefined,
  });
  useRefresh(key, 'gathering.');
  if (openId !== undefined) return <OpenGathering key={openId} id={openId} />;
  return (
    <Page
      title={words.screens.gatherings}
      actions={
        <>
          <TextFilter label={words.person} value={person} onChange={setPerson} />
          <ChoiceFilter
            label={words.status}
            value={status}
            onChange={setStatus}
            choices={[{ value: '', label: words.all }, ...statuses]}
          />
          {may('moderator') && <Button onClick={() => setMakes('yes')}>{words.gatherings.create}</Button>}
        </>
      }
    >
      <DataTable
        label={words.screens.gatherings}
        of={readingOf(found, ({ gatherings }) => gatherings)}
        columns={columnsOf(words)}
        idOf={idOf}
        onOpen={({ id }) => void navigate({ to: `/projects/${project.id}/gatherings/${id}` })}
        empty={words.gatherings.empty}
      />
      {found.data !== undefined && (
        <p className="quiet">{words.rows(found.data.gatherings.length, found.data.total)}</p>
      )}
      <Dialog
        opened={makes !== '' && may('moderator')}
        onClose={() => setMakes('')}
        title={words.gatherings.create}
        size="lg"
      >
        <SchemaForm
          schema={CreateGatheringRequest}
          fields={gatheringFields}
          send={async (body) => {
            const { id } = await client.call(gatheringRoutes.create, { params, body });
            void navigate({ to: `/projects/${project.id}/gatherings/${id}` });
          }}
          submit={words.gatherings.create}
          line={(flags) => commandLine('gatherings', 'create', ...flags)}
        />
      </Dialog>
      <CliLine line={commandLine(...['gatherings', 'list'], ['--status', status], ['--user', person])} />
    </Page>
  );
}
