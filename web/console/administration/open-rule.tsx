import { ruleDecisionRoutes } from '../../../src/contract/rules/rule-decisions.js';
import { type Rule, ruleRoutes, UndoRuleRequest, UpdateRuleRequest } from '../../../src/contract/rules/rules.js';
import { useColleagues, useProject } from '../frame/project.js';
import { Act } from '../parts/act.js';
import { readingOf } from '../parts/answer.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { JsonView } from '../parts/json-view.js';
import { Panel } from '../parts/page.js';
import { PlainTable } from '../parts/plain-table.js';
import { SchemaForm } from '../parts/schema-form.js';
import { Time } from '../parts/time.js';
import { useRead } from '../parts/use-read.js';
import { PersonLink } from '../people/person-link.js';
import { client, daemonNow } from '../session/session.js';
import { useWords } from '../words/all-words.js';
import { usePluginChoices } from './rule-words.js';
import { TryOnPast } from './try-rule.js';

const hourMs = 3_600_000;
const shownMax = 20;
const editable = ['name', 'definition', 'sanctionsPerHourMax', 'exempt'] as const;

export function OpenRule({ rule, onGone }: { readonly rule: Rule; readonly onGone: () => void }) {
  const words = useWords();
  const own = words.administration;
  const { params, may } = useProject();
  const { id, name, enabled, definition, version } = rule;
  const path = { params: { ...params, id } };
  const update = (body: Parameters<typeof client.call<typeof ruleRoutes.update>>[1]['body']) =>
    client.call(ruleRoutes.update, { ...path, body });
  const choices = usePluginChoices();
  const isDry = definition.mode === 'dry-run';
  return (
    <>
      <div className="rule-head">
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <span className={`badge ${enabled ? (isDry ? 'warn' : 'good') : ''}`}>
          {enabled ? definition.mode : own.disabled}
        </span>
        {may('admin') && (
          <div className="page-actions">
            <Act
              label={isDry ? own.enforce : own.dryRun}
              {...(isDry ? { confirm: own.enforceText } : {})}
              run={() => update({ definition: { ...definition, mode: isDry ? 'enforce' : 'dry-run' } })}
              line={commandLine('rules', 'update', name, ['--mode', isDry ? 'enforce' : 'dry-run'])}
            />
            <Act
              label={enabled ? own.disable : own.enable}
              run={() => update({ enabled: !enabled })}
              line={commandLine('rules', enabled ? 'disable' : 'enable', name)}
            />
            <Act
              label={own.delete}
              tone="red"
              confirm={own.deleteRuleText}
              run={() => client.call(ruleRoutes.remove, path)}
              onDone={onGone}
              line={commandLine('rules', 'delete', name)}
            />
          </div>
        )}
      </div>
      <div className="columns">
        <Panel title={own.definition(version)}>
          {may('admin') ? (
            <SchemaForm
              schema={UpdateRuleRequest}
              fields={editable}
              start={rule}
              choices={choices}
              send={update}
              submit={words.save}
              line={() => commandLine('rules', 'update', name, ['-f', 'rule.yaml'])}
              extra={(body) => <TryOnPast rule={rule} body={body} />}
            />
          ) : (
            <JsonView value={definition} label={own.definition(version)} />
          )}
        </Panel>
        <div className="stack">
          <Decisions rule={rule} />
          <Versions rule={rule} />
          {may('moderator') && (
            <Panel title={own.undoRule}>
              <SchemaForm
                schema={UndoRuleRequest}
                fields={['since', 'until', 'reason']}
                filled={{ since: new Date(daemonNow() - hourMs).toISOString() }}
                send={(body) => client.call(ruleRoutes.undo, { ...path, body })}
                submit={own.undo}
                line={(flags) => commandLine('rules', 'undo', name, ...flags)}
              />
            </Panel>
          )}
        </div>
      </div>
    </>
  );
}

function Decisions({ rule: { id, name } }: { readonly rule: Rule }) {
  const own = useWords().administration;
  const { params } = useProject();
  const query = { ruleId: id, limit: shownMax };
  const found = useRead(ruleDecisionRoutes.list, { params, query }, { after: ['rule.', 'message.created'] });
  return (
    <Panel title={own.decisions}>
      <PlainTable
        head={[own.when, own.who, own.outcome, own.mode]}
        of={readingOf(found, ({ decisions }) =>
          decisions.map(({ decidedAt, externalUserId, outcome, mode }) => [
            <Time key="at" at={decidedAt} />,
            <PersonLink key="who" id={externalUserId} />,
            <span key="outcome" className={`badge ${outcome === 'matched' ? 'accent' : ''}`}>
              {outcome}
            </span>,
            mode,
          ]),
        )}
        empty={own.noDecisions}
      />
      <CliLine line={commandLine('rules', 'decisions', ['--rule', name])} />
    </Panel>
  );
}

function Versions({ rule: { id, name, version: judging } }: { readonly rule: Rule }) {
  const words = useWords();
  const own = words.administration;
  const { params, may } = useProject();
  const colleagues = useColleagues();
  const path = { params: { ...params, id } };
  const versions = useRead(ruleRoutes.versions, path, { after: ['rule.'] });
  return (
    <Panel title={own.versions}>
      <PlainTable
        head={[own.version, own.when, own.who, words.actions]}
        of={readingOf(versions, (all) =>
          all.map(({ version, createdAt, createdByUserId }) => [
            version,
            <Time key="at" at={createdAt} />,
            <bdi key="who">{colleagues.get(createdByUserId) ?? createdByUserId}</bdi>,
            version !== judging && may('admin') && (
              <Act
                key="back"
                label={own.rollBack}
                confirm={own.rollBackText(version)}
                run={() => client.call(ruleRoutes.rollBack, { ...path, body: { version } })}
                line={commandLine('rules', 'rollback', name, String(version))}
              />
            ),
          ]),
        )}
      />
      <CliLine line={commandLine('rules', 'versions', name)} />
    </Panel>
  );
}
