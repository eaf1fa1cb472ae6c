import {
  type Challenge,
  CreateChallengeRequest,
  challengeRoutes,
  UpdateChallengeRequest,
} from '../../../src/contract/gameplay/challenges.js';
import { useProject } from '../frame/project.js';
import { readingOf } from '../parts/answer.js';
import { commandLine } from '../parts/copy.js';
import type { Column } from '../parts/data-table.js';
import { SchemaForm } from '../parts/schema-form.js';
import { useRead } from '../parts/use-read.js';
import { client } from '../session/session.js';
import { useWords, type Words } from '../words/all-words.js';
import { useEventChoices } from './catalogue.js';
import { Completion } from './completion.js';
import { Configured, Editor, useNamedPage } from './configured.js';
import { Loss } from './loss.js';
import { textOf } from './text-of.js';

const fields = [
  ...(['name', 'description', 'eventName', 'goal', 'goalCondition', 'countProperty', 'metadataConditions'] as const),
  ...(['counting', 'durationMinutes', 'resetPeriod', 'lateMinutes', 'repeatable', 'autoActivated'] as const),
  ...(['reward', 'rewardType', 'xp', 'price', 'liveDate'] as const),
] as const;

const columnsOf = ({ gameplay: words }: Words): readonly Column<Challenge>[] => [
  {
    ...{ id: 'name', label: words.name },
    cell: ({ name }) => <bdi>{textOf(name)}</bdi>,
    sort: ({ name }) => textOf(name),
  },
  { ...{ id: 'event', label: words.counts }, cell: ({ eventName }) => eventName, sort: ({ eventName }) => eventName },
  { ...{ id: 'goal', label: words.goal, width: '90px' }, cell: ({ goal }) => goal, sort: ({ goal }) => goal },
  {
    ...{ id: 'reward', label: words.reward, wide: true },
    cell: ({ reward, rewardType }) => <bdi>{[reward, rewardType].filter((one) => one !== null).join(' ')}</bdi>,
  },
  {
    ...{ id: 'reset', label: words.resets, wide: true, width: '110px' },
    cell: ({ resetPeriod }) => (resetPeriod === null ? '–' : words.ranges[resetPeriod.range]),
  },
];

export default function Challenges() {
  const words = useWords();
  const own = words.gameplay;
  const { params } = useProject();
  const choices = useEventChoices();
  const found = useRead(challengeRoutes.list, { params, query: useNamedPage() }, { after: ['season.'] });
  return (
    <Configured
      title={own.challenges}
      topic="challenges"
      of={readingOf(found, ({ challenges }) => challenges)}
      columns={columnsOf(words)}
      empty={own.noChallenges}
      newLabel={own.newChallenge}
      newForm={(onMade) => (
        <SchemaForm
          schema={CreateChallengeRequest}
          fields={fields}
          choices={choices}
          send={async (body) => onMade((await client.call(challengeRoutes.create, { params, body })).id)}
          submit={own.create}
          line={(flags) => commandLine('challenges', 'create', ...flags)}
        />
      )}
      opened={(challenge, onGone) => {
        const path = { params: { ...params, id: challenge.id } };
        return (
          <div className="stack">
            <Completion challenge={challenge} />
            <Editor
              title={<bdi>{textOf(challenge.name)}</bdi>}
              topic="challenges"
              row={challenge}
              schema={UpdateChallengeRequest}
              fields={fields}
              choices={choices}
              update={(body) => client.call(challengeRoutes.update, { ...path, body })}
              remove={() => client.call(challengeRoutes.delete, path)}
              removeText={<Loss id={challenge.id} text={own.deleteChallengeText} />}
              onGone={onGone}
            />
          </div>
        );
      }}
    />
  );
}
