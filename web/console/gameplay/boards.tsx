import {
  CreateLeaderboardRequest,
  type Leaderboard,
  type LeaderboardEntry,
  leaderboardRoutes,
  UpdateLeaderboardRequest,
} from '../../../src/contract/gameplay/leaderboards.js';
import { useProject } from '../frame/project.js';
import { Act } from '../parts/act.js';
import { readingOf } from '../parts/answer.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { ChoiceFilter, TextFilter } from '../parts/filters.js';
import { Panel } from '../parts/page.js';
import { SchemaForm } from '../parts/schema-form.js';
import { useFilter } from '../parts/use-filter.js';
import { useRead } from '../parts/use-read.js';
import { PersonLink } from '../people/person-link.js';
import { client } from '../session/session.js';
import { useWords, type Words } from '../words/all-words.js';
import { useEventChoices } from './catalogue.js';
import { Configured, Editor, useNamedPage } from './configured.js';
import { Loss } from './loss.js';
import { textOf } from './text-of.js';

const fields = [
  ...(['name', 'eventName', 'aggregate', 'sortOrder', 'countProperty', 'metadataConditions'] as const),
  ...(['startDate', 'endDate', 'resetPeriod', 'lateMinutes', 'lateEvents'] as const),
] as const;
const changeable = [
  ...(['name', 'countProperty', 'metadataConditions', 'startDate', 'endDate'] as const),
  ...(['resetPeriod', 'lateMinutes', 'lateEvents'] as const),
] as const;

const columnsOf = ({ gameplay: words }: Words): readonly Column<Leaderboard>[] => [
  {
    ...{ id: 'name', label: words.name },
    cell: ({ name }) => <bdi>{textOf(name)}</bdi>,
    sort: ({ name }) => textOf(name),
  },
  { ...{ id: 'event', label: words.counts }, cell: ({ eventName, aggregate }) => `${eventName}, ${aggregate}` },
  {
    ...{ id: 'reset', label: words.resets, width: '110px' },
    cell: ({ resetPeriod }) => (resetPeriod === null ? '–' : words.ranges[resetPeriod.range]),
  },
];

export default function Boards() {
  const words = useWords();
  const own = words.gameplay;
  const { params } = useProject();
  const choices = useEventChoices();
  const found = useRead(leaderboardRoutes.list, { params, query: useNamedPage() });
  return (
    <Configured
      title={own.boards}
      topic="leaderboards"
      of={readingOf(found, ({ leaderboards }) => leaderboards)}
      columns={columnsOf(words)}
      empty={own.noBoards}
      newLabel={own.newBoard}
      newForm={(onMade) => (
        <SchemaForm
          schema={CreateLeaderboardRequest}
          fields={fields}
          choices={choices}
          send={async (body) => onMade((await client.call(leaderboardRoutes.create, { params, body })).id)}
          submit={own.create}
          line={(flags) => commandLine('leaderboards', 'create', ...flags)}
        />
      )}
      opened={(board, onGone) => <Board board={board} onGone={onGone} />}
    />
  );
}

function Board({ board, onGone }: { readonly board: Leaderboard; readonly onGone: () => void }) {
  const own = useWords().gameplay;
  const { params } = useProject();
  const choices = useEventChoices();
  const path = { params: { ...params, id: board.id } };
  return (
    <div className="columns">
      <Ranking board={board} />
      <Editor
        title={own.settings}
        topic="leaderboards"
        row={board}
        schema={UpdateLeaderboardRequest}
        fields={changeable}
        choices={(draft) => choices({ ...draft, eventName: board.eventName })}
        update={(body) => client.call(leaderboardRoutes.update, { ...path, body })}
        remove={() => client.call(leaderboardRoutes.delete, path)}
        removeText={<Loss id={board.id} text={own.deleteBoardText} />}
        onGone={onGone}
        acts={
          <Act
            label={own.reset}
            confirm={own.resetText}
            run={() => client.call(leaderboardRoutes.reset, path)}
            line={commandLine('leaderboards', 'reset', textOf(board.name))}
          />
        }
      />
    </div>
  );
}

const entryId = ({ memberType, memberId }: LeaderboardEntry) => `${memberType} ${memberId}`;
const neighbours = 5;

/** The ranking now or of an earlier period; with a player, the places around them. */
function Ranking({ board: { id, name } }: { readonly board: Leaderboard }) {
  const words = useWords();
  const own = words.gameplay;
  const { params, may } = useProject();
  const [periodId, setPeriod] = useFilter('period');
  const [around, setAround] = useFilter('around');
  const path = { ...params, id };
  const ofPeriod = periodId === '' ? {} : { periodId };
  const after = { after: ['leaderboard.'] };
  const periods = useRead(leaderboardRoutes.periods, { params: path, query: { limit: 100 } });
  const ranking = useRead(leaderboardRoutes.ranking, { params: path, query: { limit: 200, ...ofPeriod } }, after);
  const near = useRead(
    leaderboardRoutes.member,
    { params: { ...path, memberType: 'user', memberId: around }, query: { around: neighbours, ...ofPeriod } },
    { ...after, enabled: around !== '' },
  );
  const rows =
    around === '' ? readingOf(ranking, ({ entries }) => entries) : readingOf(near, ({ around: found }) => found);
  const columns: readonly Column<LeaderboardEntry>[] = [
    { ...{ id: 'rank', label: own.rank, width: '70px' }, cell: ({ rank }) => rank, sort: ({ rank }) => rank },
    {
      ...{ id: 'member', label: words.person },
      cell: ({ memberType, memberId, info }) =>
        memberType === 'user' ? <PersonLink id={memberId} name={info?.username} /> : <bdi>{memberId}</bdi>,
    },
    { ...{ id: 'score', label: own.score, width: '110px' }, cell: ({ score }) => score, sort: ({ score }) => score },
    {
      ...{ id: 'actions', label: words.actions, width: '130px' },
      cell: ({ memberType, memberId }) =>
        may('admin') &&
        periodId === '' && (
          <Act
            label={own.remove}
            tone="red"
            confirm={own.removeMemberText(memberId)}
            run={() => client.call(leaderboardRoutes.removeMember, { params: { ...path, memberType, memberId } })}
            line={commandLine('leaderboards', 'remove-member', textOf(name), memberId)}
          />
        ),
    },
  ];
  return (
    <Panel
      title={<bdi>{textOf(name)}</bdi>}
      actions={
        <>
          <TextFilter label={own.around} value={around} onChange={setAround} />
          <ChoiceFilter
            label={own.period}
            value={periodId}
            onChange={setPeriod}
            choices={[
              { value: '', label: own.now },
              ...(periods.data?.periods ?? [])
                .filter(({ isCurrent }) => !isCurrent)
                .map((one) => ({ value: one.id, label: new Date(one.startsAt).toLocaleString() })),
            ]}
          />
        </>
      }
    >
      <DataTable
        label={own.ranking}
        of={rows}
        columns={columns}
        idOf={entryId}
        chosen={around === '' ? undefined : `user ${around}`}
        empty={around === '' ? own.noScores : own.notOnBoard(around)}
        height="calc(100dvh - 280px)"
      />
      <CliLine
        line={
          around === ''
            ? commandLine('leaderboards', 'show', textOf(name), ['--period-id', periodId])
            : commandLine(
                ...['leaderboards', 'member', textOf(name), around],
                ['--around', String(neighbours)],
                ['--period-id', periodId],
              )
        }
      />
    </Panel>
  );
}
