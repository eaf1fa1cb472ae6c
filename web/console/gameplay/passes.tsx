import {
  battlePassLevelRoutes,
  CreateBattlePassLevelRequest,
} from '../../../src/contract/gameplay/battle-pass-levels.js';
import {
  type BattlePass,
  battlePassRoutes,
  CreateBattlePassRequest,
  UpdateBattlePassRequest,
} from '../../../src/contract/gameplay/battle-passes.js';
import { useProject } from '../frame/project.js';
import { Act } from '../parts/act.js';
import { readingOf } from '../parts/answer.js';
import { CliLine, commandLine } from '../parts/copy.js';
import type { Column } from '../parts/data-table.js';
import { Dialog } from '../parts/dialog.js';
import { Panel } from '../parts/page.js';
import { PlainTable } from '../parts/plain-table.js';
import { SchemaForm } from '../parts/schema-form.js';
import { Time } from '../parts/time.js';
import { useFilter } from '../parts/use-filter.js';
import { useRead } from '../parts/use-read.js';
import { client } from '../session/session.js';
import { useWords, type Words } from '../words/all-words.js';
import { useEventChoices } from './catalogue.js';
import { Configured, Editor, useNamedPage } from './configured.js';
import { Loss } from './loss.js';
import { textOf } from './text-of.js';

const fields = [
  ...(['name', 'description', 'shortDescription', 'startDate', 'endDate', 'isUnlockedIncrementally'] as const),
  ...(['priority', 'canPurchaseWithMoney', 'canPurchaseWithCoins', 'lateMinutes', 'imageM', 'readMoreLink'] as const),
] as const;

const columnsOf = ({ gameplay: words }: Words): readonly Column<BattlePass>[] => [
  {
    ...{ id: 'name', label: words.name },
    cell: ({ name }) => <bdi>{textOf(name)}</bdi>,
    sort: ({ name }) => textOf(name),
  },
  { ...{ id: 'start', label: words.starts, width: '150px' }, cell: ({ startDate }) => <Time at={startDate} /> },
  { ...{ id: 'end', label: words.ends, width: '150px' }, cell: ({ endDate }) => <Time at={endDate} /> },
];

export default function Passes() {
  const words = useWords();
  const own = words.gameplay;
  const { params } = useProject();
  const found = useRead(battlePassRoutes.list, { params, query: useNamedPage() });
  return (
    <Configured
      title={own.passes}
      topic="battle-passes"
      of={readingOf(found, ({ battlePasses }) => battlePasses)}
      columns={columnsOf(words)}
      empty={own.noPasses}
      newLabel={own.newPass}
      newForm={(onMade) => (
        <SchemaForm
          schema={CreateBattlePassRequest}
          fields={fields}
          filled={{ isUnlockedIncrementally: true }}
          send={async (body) => onMade((await client.call(battlePassRoutes.create, { params, body })).id)}
          submit={own.create}
          line={(flags) => commandLine('battle-passes', 'create', ...flags)}
        />
      )}
      opened={(pass, onGone) => <Pass pass={pass} onGone={onGone} />}
    />
  );
}

function Pass({ pass, onGone }: { readonly pass: BattlePass; readonly onGone: () => void }) {
  const own = useWords().gameplay;
  const { params } = useProject();
  const path = { params: { ...params, id: pass.id } };
  return (
    <div className="columns">
      <Editor
        title={<bdi>{textOf(pass.name)}</bdi>}
        topic="battle-passes"
        row={pass}
        schema={UpdateBattlePassRequest}
        fields={fields}
        update={(body) => client.call(battlePassRoutes.update, { ...path, body })}
        remove={() => client.call(battlePassRoutes.delete, path)}
        removeText={<Loss id={pass.id} text={own.deletePassText} />}
        onGone={onGone}
      />
      <Levels pass={pass} />
    </div>
  );
}

const levelFields = [
  ...(['position', 'rewardType', 'rewardAmount', 'premiumRewardType', 'premiumRewardAmount', 'challenges'] as const),
] as const;

function Levels({ pass: { id, name } }: { readonly pass: BattlePass }) {
  const words = useWords();
  const own = words.gameplay;
  const { params, may } = useProject();
  const choices = useEventChoices();
  const [adds, setAdds] = useFilter('level');
  const found = useRead(battlePassLevelRoutes.list, { params: { ...params, id }, query: { limit: 200 } });
  return (
    <Panel
      title={own.levels}
      actions={
        may('admin') && (
          <button type="button" className="pick" onClick={() => setAdds('new')}>
            {own.newLevel}…
          </button>
        )
      }
    >
      <PlainTable
        head={[own.level, own.reward, own.premium, own.challenges, words.actions]}
        of={readingOf(found, ({ levels }) =>
          levels.map(({ id: levelId, position, challenges, ...level }) => [
            position,
            `${level.rewardAmount ?? ''} ${level.rewardType}`,
            `${level.premiumRewardAmount ?? ''} ${level.premiumRewardType}`,
            challenges.map((one) => `${textOf(one.name)} (${one.goal} ${one.eventName})`).join(', '),
            may('admin') && (
              <Act
                key="delete"
                label={own.delete}
                tone="red"
                confirm={<Loss id={levelId} text={own.deleteLevelText} />}
                run={() => client.call(battlePassLevelRoutes.delete, { params: { ...params, id, levelId } })}
                line={commandLine('battle-passes', 'levels', 'delete', textOf(name), String(position))}
              />
            ),
          ]),
        )}
        empty={own.noLevels}
      />
      <CliLine line={commandLine('battle-passes', 'levels', 'list', textOf(name))} />
      <Dialog opened={adds !== '' && may('admin')} onClose={() => setAdds('')} title={own.newLevel} size="lg">
        <SchemaForm
          schema={CreateBattlePassLevelRequest}
          fields={levelFields}
          choices={choices}
          filled={{ position: (found.data?.levels.length ?? 0) + 1 }}
          send={(body) => client.call(battlePassLevelRoutes.create, { params: { ...params, id }, body })}
          onDone={() => setAdds('')}
          submit={own.create}
          line={(flags) => commandLine('battle-passes', 'levels', 'create', textOf(name), ...flags)}
        />
      </Dialog>
    </Panel>
  );
}
