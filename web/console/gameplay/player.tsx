import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type EventDescription, EventPayload } from '../../../src/contract/gameplay/gameplay.js';
import { type Player, type PlayerChallenge, playerRoutes } from '../../../src/contract/gameplay/players.js';
import { useProject } from '../frame/project.js';
import { Act } from '../parts/act.js';
import { known, Pending } from '../parts/answer.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { Panel } from '../parts/page.js';
import { PlainTable } from '../parts/plain-table.js';
import { SchemaForm } from '../parts/schema-form.js';
import { Countdown } from '../parts/time.js';
import { textIn } from '../parts/typed-values.js';
import { useFilter } from '../parts/use-filter.js';
import { useRead } from '../parts/use-read.js';
import { PersonLink } from '../people/person-link.js';
import { PersonPicker } from '../people/person-picker.js';
import { client } from '../session/session.js';
import { useWords } from '../words/all-words.js';
import { propertiesSchema, useCatalogue } from './catalogue.js';
import { GiveProgress } from './give-progress.js';
import { type Moved, movedBetween } from './moved.js';
import { textOf } from './text-of.js';

export default function PlayerPage() {
  const own = useWords().gameplay;
  const [userId, setUserId] = useFilter('user');
  const [typed, setTyped] = useState(userId);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setUserId(typed.trim());
  };
  return (
    <>
      <form className="page-actions tab-actions" onSubmit={submit}>
        <PersonPicker label={own.userId} value={typed} onChange={setTyped} />
        <Button type="submit" variant="default">
          {own.showPlayer}
        </Button>
      </form>
      {userId === '' ? <p className="empty">{own.choosePlayer}</p> : <Progress key={userId} userId={userId} />}
    </>
  );
}

function Progress({ userId }: { readonly userId: string }) {
  const words = useWords();
  const own = words.gameplay;
  const { params, may } = useProject();
  const path = { params: { ...params, userId } };
  const reading = useRead(playerRoutes.get, path, { after: ['challenge.', 'battle_pass.', 'leaderboard.'] });
  const { data } = reading;
  if (data === undefined) return <Pending of={reading} />;
  return (
    <div className="columns">
      <div className="stack">
        <Panel title={own.challenges} actions={<PersonLink id={userId} />}>
          <PlainTable
            head={[own.name, own.state, own.progress, words.ends, words.actions]}
            of={known(
              data.challenges.map((one) => [
                <bdi key="name">{textOf(one.name)}</bdi>,
                one.state,
                <Bar key="bar" counter={one.counter} goal={one.goal} label={textOf(one.name)} />,
                one.endsAt === null ? '–' : <Countdown key="end" at={one.endsAt} />,
                may('admin') && <Actions key="actions" userId={userId} challenge={one} />,
              ]),
            )}
            empty={own.noProgress}
          />
          <CliLine line={commandLine('players', 'get', userId)} />
        </Panel>
        <Panel title={own.passes}>
          <PlainTable
            head={[own.name, own.level, own.premium, own.completed]}
            of={known(
              data.battlePasses.map(({ name, levels, premiumAt, completed }) => [
                <bdi key="name">{textOf(name)}</bdi>,
                `${levels.filter(({ completedAt }) => completedAt !== null).length} / ${levels.length}`,
                premiumAt === null ? '–' : '✓',
                completed ? '✓' : '–',
              ]),
            )}
            empty={own.noPassUnlocked}
          />
        </Panel>
        <Panel title={own.boards}>
          <PlainTable
            head={[own.name, own.rank, own.score]}
            of={known(
              data.leaderboards.map(({ name, rank, score, members }) => [
                <bdi key="name">{textOf(name)}</bdi>,
                `${rank} / ${members}`,
                score,
              ]),
            )}
            empty={own.onNoBoard}
          />
        </Panel>
      </div>
      {may('admin') && <TestEvent userId={userId} before={data} />}
    </div>
  );
}

function Bar({ counter, goal, label }: Pick<PlayerChallenge, 'counter' | 'goal'> & { readonly label: string }) {
  return (
    <span className="progress">
      <progress max={goal} value={Math.min(counter, goal)} aria-label={label} />
      <span className="number">
        {counter} / {goal}
      </span>
    </span>
  );
}

interface ActionsProps {
  readonly userId: string;
  readonly challenge: PlayerChallenge;
}

function Actions({ userId, challenge: { challengeId, name, state } }: ActionsProps) {
  const own = useWords().gameplay;
  const { params } = useProject();
  const path = { params: { ...params, userId, id: challengeId } };
  const line = (verb: string) => commandLine('players', verb, userId, textOf(name));
  const act = (verb: 'unlock' | 'activate' | 'claim') => (
    <Act label={own[verb]} run={() => client.call(playerRoutes[verb], path)} line={line(verb)} />
  );
  return (
    <span className="buttons">
      {state === 'unlock' && act('unlock')}
      {state === 'unlocked' && act('activate')}
      {state === 'unclaimed' && act('claim')}
      <GiveProgress userId={userId} challengeId={challengeId} name={textOf(name)} />
      <Act
        label={own.reset}
        tone="red"
        confirm={own.resetPlayerText}
        run={() => client.call(playerRoutes.reset, path)}
        line={line('reset')}
      />
    </span>
  );
}

const TestEventRequest = EventPayload.pick({ event_name: true, event_type: true, session_id: true, metadata: true });
const settleMs = 700;

/** The request with the properties of the chosen event as fields. */
const adapted = (catalogue: readonly EventDescription[], name: string) => {
  const found = catalogue.find(({ event_name }) => event_name === name);
  return found === undefined
    ? TestEventRequest.omit({ metadata: true })
    : TestEventRequest.extend({ metadata: propertiesSchema(found) });
};

/** Sends a game event of the player, and says what it moved. */
function TestEvent({ userId, before }: { readonly userId: string; readonly before: Player }) {
  const own = useWords().gameplay;
  const { params } = useProject();
  const queries = useQueryClient();
  const [moved, setMoved] = useState<readonly Moved[] | null>(null);
  const catalogue = useCatalogue();
  const path = { params: { ...params, userId } };
  return (
    <Panel title={own.testEvent}>
      <SchemaForm
        schema={TestEventRequest}
        choices={() => ({ event_name: catalogue.map(({ event_name }) => event_name) })}
        adapt={(draft) => adapted(catalogue, textIn(draft, 'event_name'))}
        send={async (body) => {
          await client.call(playerRoutes.sendEvent, { ...path, body });
          await new Promise((resolve) => setTimeout(resolve, settleMs));
          const after = await client.call(playerRoutes.get, path);
          setMoved(movedBetween(before, after));
          void queries.invalidateQueries();
        }}
        submit={own.sendEvent}
        line={(_, { event_name: name = 'EVENT', event_type: kind, session_id: session, metadata }) =>
          commandLine(
            ...['game-events', 'send', String(name)],
            ['--user', userId],
            ...(kind === 'group' ? [['--group'] as const] : []),
            ['--session-id', typeof session === 'string' ? session : undefined],
            ...Object.entries<unknown>(Object(metadata)).map(
              ([property, value]) => [`--${property.replaceAll('_', '-')}`, String(value)] as const,
            ),
          )
        }
      />
      {moved !== null && (
        <>
          <h2>{own.moved}</h2>
          <PlainTable
            head={[own.what, own.before, own.after]}
            of={known(moved.map(({ what, from, to }) => [<bdi key="what">{what}</bdi>, from, to]))}
            empty={own.nothingMoved}
          />
        </>
      )}
    </Panel>
  );
}
