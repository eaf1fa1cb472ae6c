/** Reasons that moderators use by name. */
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import {
  type SanctionTemplate,
  SetSanctionTemplateRequest,
  sanctionTemplateRoutes,
} from '../../../src/contract/moderation/sanction-templates.js';
import { useProject } from '../frame/project.js';
import { Act } from '../parts/act.js';
import { readingOf } from '../parts/answer.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { PlainTable } from '../parts/plain-table.js';
import { SchemaForm } from '../parts/schema-form.js';
import { useRead } from '../parts/use-read.js';
import { client } from '../session/session.js';
import { useWords } from '../words/all-words.js';

export default function Templates() {
  const words = useWords();
  const own = words.batches;
  const { params, may } = useProject();
  const found = useRead(sanctionTemplateRoutes.list, { params, query: {} });
  const [changed, setChanged] = useState<SanctionTemplate | null>(null);
  const [name, setName] = useState('');
  const [turn, setTurn] = useState(0);
  const edit = (template: SanctionTemplate | null) => {
    setChanged(template);
    setName(template?.name ?? '');
    setTurn((before) => before + 1);
  };
  return (
    <div className="stack">
      <PlainTable
        head={[words.template, words.reason, words.actions]}
        of={readingOf(found, (all) =>
          all.map((template) => [
            <bdi key="name">{template.name}</bdi>,
            <bdi key="reason">{template.reason}</bdi>,
            may('moderator') && (
              <span key="actions" className="buttons">
                <Button size="compact-xs" variant="default" onClick={() => edit(template)}>
                  {own.change}
                </Button>
                <Act
                  label={own.delete}
                  tone="red"
                  confirm={own.deleteTemplateText(template.name)}
                  run={() => client.call(sanctionTemplateRoutes.remove, { params: { ...params, name: template.name } })}
                  line={commandLine('sanctions', 'templates', 'delete', template.name)}
                />
              </span>
            ),
          ]),
        )}
        empty={own.noTemplates}
      />
      <CliLine line={commandLine('sanctions', 'templates', 'list')} />
      {may('moderator') && (
        <>
          <TextInput
            label={words.template}
            required
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <SchemaForm
            key={turn}
            schema={SetSanctionTemplateRequest}
            filled={changed ?? {}}
            send={(body) => client.call(sanctionTemplateRoutes.set, { params: { ...params, name }, body })}
            onDone={() => edit(null)}
            submit={own.store}
            line={(flags, { reason = 'REASON' }) =>
              commandLine(
                ...['sanctions', 'templates', 'set', name === '' ? 'NAME' : name, String(reason)],
                ...flags.filter(([flag]) => flag !== '--reason'),
              )
            }
          />
        </>
      )}
    </div>
  );
}
