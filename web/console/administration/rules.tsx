import { Button } from '@mantine/core';
import { CreateRuleRequest, type Rule, ruleRoutes } from '../../../src/contract/rules/rules.js';
import { useProject } from '../frame/project.js';
import { Act } from '../parts/act.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { TextFilter } from '../parts/filters.js';
import { SchemaForm } from '../parts/schema-form.js';
import { Time } from '../parts/time.js';
import { useFilter } from '../parts/use-filter.js';
import { useRead } from '../parts/use-read.js';
import { client } from '../session/session.js';
import { useWords, type Words } from '../words/all-words.js';
import { OpenRule } from './open-rule.js';
import { usePluginChoices } from './rule-words.js';
import { TryOnPast } from './try-rule.js';

const idOf = ({ id }: Rule) => id;
const columnsOf = ({ administration: words, ...rest }: Words): readonly Column<Rule>[] => [
  { ...{ id: 'name', label: words.name }, cell: ({ name }) => <bdi>{name}</bdi>, sort: ({ name }) => name },
  {
    ...{ id: 'mode', label: words.mode, width: '110px' },
    cell: ({ enabled, definition: { mode } }) => (
      <span className={`badge ${!enabled ? '' : mode === 'enforce' ? 'good' : 'warn'}`}>
        {enabled ? mode : words.disabled}
      </span>
    ),
    sort: ({ definition: { mode } }) => mode,
  },
  { ...{ id: 'version', label: words.version, width: '90px' }, cell: ({ version }) => version },
  {
    ...{ id: 'updated', label: rest.fields.updatedAt, wide: true, width: '160px' },
    cell: ({ updatedAt }) => <Time at={updatedAt} />,
    sort: ({ updatedAt }) => updatedAt,
  },
];

/** A rule to begin with. It only records what it would do. */
const exampleRule = {
  format: 1,
  mode: 'dry-run',
  when: { all: [{ count: { of: { words: { any: [] } }, within: 300, atLeast: 3 } }] },
  steps: [[{ sanction: { type: 'mute', duration: 600 } }]],
} as const;

export default function Rules() {
  const words = useWords();
  const own = words.administration;
  const { params, may } = useProject();
  const [open, setOpen] = useFilter('open');
  const [search, setSearch] = useFilter('search');
  const after = ['rule.'];
  const rules = useRead(ruleRoutes.list, { params, query: search === '' ? {} : { search } }, { after });
  const { data: state } = useRead(ruleRoutes.getSwitch, { params }, { after });
  const choices = usePluginChoices();
  const stopped = state?.stopped === true;
  const opened = rules.data?.find(({ id }) => id === open);
  if (open === 'new' && may('admin'))
    return (
      <>
        <Back onBack={() => setOpen('')} />
        <SchemaForm
          schema={CreateRuleRequest}
          fields={['name', 'definition', 'sanctionsPerHourMax', 'exempt']}
          filled={{ definition: exampleRule }}
          choices={choices}
          send={async (body) => setOpen((await client.call(ruleRoutes.create, { params, body })).id)}
          submit={own.createRule}
          line={() => commandLine('rules', 'create', ['-f', 'rule.yaml'])}
          extra={(body) => <TryOnPast body={body} />}
        />
      </>
    );
  if (opened !== undefined)
    return (
      <>
        <Back onBack={() => setOpen('')} />
        <OpenRule key={opened.id} rule={opened} onGone={() => setOpen('')} />
      </>
    );
  return (
    <>
      <div className="page-actions tab-actions">
        {stopped && <span className="badge bad">{own.rulesStopped}</span>}
        <TextFilter label={own.name} value={search} onChange={setSearch} />
        {may('moderator') && (
          <Act
            label={stopped ? own.resumeRules : own.stopRules}
            {...(stopped ? {} : { tone: 'red' as const, confirm: own.stopRulesText })}
            run={() => client.call(ruleRoutes.setSwitch, { params, body: { stopped: !stopped } })}
            line={commandLine('rules', 'stop-all', ...(stopped ? [['--resume'] as const] : []))}
          />
        )}
        {may('admin') && <Button onClick={() => setOpen('new')}>{own.newRule}</Button>}
      </div>
      <DataTable
        label={own.rules}
        of={rules}
        columns={columnsOf(words)}
        idOf={idOf}
        onOpen={({ id }) => setOpen(id)}
        empty={own.noRules}
        height="calc(100dvh - 240px)"
      />
      <CliLine line={commandLine('rules', 'list', ['--search', search])} />
    </>
  );
}

const Back = ({ onBack }: { readonly onBack: () => void }) => (
  <p>
    <button type="button" className="pick" onClick={onBack}>
      ← {useWords().administration.rules}
    </button>
  </p>
);
