/** Issues a sanction. The command that does the same stands below and follows what is typed. */
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { kindOf, sanctionTypes } from '../../../src/contract/moderation/sanction-kinds.js';
import { parameterDefaults } from '../../../src/contract/moderation/sanction-parameters.js';
import type { Sanction, SanctionType } from '../../../src/contract/moderation/sanction-record.js';
import { sanctionTemplateRoutes } from '../../../src/contract/moderation/sanction-templates.js';
import { sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import type { DecideCaseRequest } from '../../../src/contract/reports/cases.js';
import { needsSecondPerson, reportSettingsRoutes } from '../../../src/contract/reports/report-settings.js';
import { useProject } from '../frame/project.js';
import { CliLine, type Command, commandLine } from '../parts/copy.js';
import { fieldError, Refusal } from '../parts/refusal.js';
import { secondsOf } from '../parts/seconds.js';
import { offerUndo } from '../parts/undo.js';
import { useIntent } from '../parts/use-intent.js';
import { isNameAlone, PersonPicker } from '../people/person-picker.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';
import { undoOfSanction } from './taken-back.js';

const nameOf = ({ participant, externalUserId }: Sanction): string => participant?.displayName ?? externalUserId ?? '';

export function useTemplates(enabled = true) {
  const { params } = useProject();
  return useQuery({
    queryKey: ['sanction-templates', params.projectId],
    queryFn: () => client.call(sanctionTemplateRoutes.list, { params }),
    staleTime: 60_000,
    enabled,
  });
}

interface SanctionFormProps {
  /** The person it is about; left out: a field asks. */
  readonly person?: string;
  /** Stands in that field at first. */
  readonly suggested?: string;
  readonly type?: SanctionType;
  readonly messageIds?: readonly string[];
  /** The sanction ends a case: left out, it is issued by itself. */
  readonly decision?: {
    readonly send: (decided: FormDecision, note: string) => Promise<unknown>;
    readonly command: (decided: FormDecision, note: string) => Command;
  };
  readonly onDone: () => void;
}
interface FormDecision {
  readonly sanction: NonNullable<DecideCaseRequest['sanction']>;
  /** Seconds; left out: nothing holds until somebody else confirms it. */
  readonly banMeanwhile?: number;
}

export function SanctionForm({
  person,
  suggested = '',
  type: usual = 'mute',
  messageIds = [],
  decision,
  onDone,
}: SanctionFormProps) {
  const words = useWords();
  const { params } = useProject();
  const queries = useQueryClient();
  const [target, setTarget] = useState(person ?? suggested);
  const [type, setType] = useState<SanctionType>(usual);
  const [duration, setDuration] = useState('10m');
  const [template, setTemplate] = useState('');
  const [reason, setReason] = useState('');
  const [note, setNote] = useState('');
  const [number, setNumber] = useState('');
  const [holdsProgress, setHoldsProgress] = useState(false);
  const [meanwhile, setMeanwhile] = useState('');
  const { parameter } = kindOf(type);
  const seconds = secondsOf(duration);
  const terms = {
    ...(typeof seconds === 'number' ? { duration: seconds } : {}),
    ...(template === '' ? {} : { template }),
    ...(reason === '' ? {} : { reason }),
    ...(parameter === 'holdsProgress' && holdsProgress ? { parameters: { holdsProgress } } : {}),
    ...(parameter === null || parameter === 'holdsProgress' || number === ''
      ? {}
      : { parameters: { [parameter]: Number(number) } }),
  };
  const { data: templates = [] } = useTemplates();
  const { data: settings } = useQuery({
    queryKey: ['report-settings', params.projectId],
    queryFn: () => client.call(reportSettingsRoutes.get, { params }),
    enabled: decision !== undefined,
  });
  const waits = settings !== undefined && needsSecondPerson(settings, type, seconds ?? null);
  const meanwhileSeconds = waits ? secondsOf(meanwhile) : null;
  const decidedOf = (of: Exclude<SanctionType, 'human_review'>): FormDecision => ({
    sanction: { type: of, ...terms },
    ...(typeof meanwhileSeconds === 'number' ? { banMeanwhile: meanwhileSeconds } : {}),
  });
  const issue = useIntent({
    mutationFn: async (): Promise<unknown> => {
      if (decision !== undefined && type !== 'human_review') return decision.send(decidedOf(type), note);
      // The daemon takes ids that nobody has yet, and a sanction against a name would have no effect.
      if (person === undefined && (await isNameAlone(params, target))) throw new Error(words.picker.choose);
      const issued = await client.call(sanctionRoutes.create, {
        params,
        body: {
          ...{ type, externalUserId: target, ...terms },
          ...(note === '' ? {} : { note }),
          ...(messageIds.length === 0 ? {} : { evidence: { messageIds: [...messageIds] } }),
        },
      });
      offerUndo(undoOfSanction(params, issued, words.done.issued(words.sanctions.types[type], nameOf(issued))));
      return issued;
    },
    onSuccess: () => {
      void queries.invalidateQueries();
      onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (seconds !== undefined && meanwhileSeconds !== undefined) issue.start();
  };
  const refusalOf = (field: string) => fieldError(issue.error, `${decision === undefined ? '' : 'sanction.'}${field}`);
  return (
    <form className="form" onSubmit={submit}>
      {person === undefined && (
        <PersonPicker
          label={words.sanctions.target}
          value={target}
          onChange={setTarget}
          error={fieldError(issue.error, 'externalUserId')}
        />
      )}
      <div className="pair">
        <NativeSelect
          label={words.type}
          value={type}
          onChange={(event) => setType(event.currentTarget.value as SanctionType)}
          data={sanctionTypes
            .filter((one) => decision === undefined || one !== 'human_review')
            .map((value) => ({ value, label: words.sanctions.types[value] }))}
          error={refusalOf('type')}
        />
        <TextInput
          label={words.duration}
          description={words.durationHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={duration}
          onChange={(event) => setDuration(event.currentTarget.value)}
          error={seconds === undefined ? words.durationWrong : refusalOf('duration')}
        />
      </div>
      {waits && (
        <TextInput
          label={words.cases.banMeanwhile}
          description={words.cases.banMeanwhileHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={meanwhile}
          onChange={(event) => setMeanwhile(event.currentTarget.value)}
          error={meanwhileSeconds === undefined ? words.durationWrong : fieldError(issue.error, 'banMeanwhile')}
        />
      )}
      {parameter !== null && parameter !== 'holdsProgress' && (
        <TextInput
          label={parameter}
          type="number"
          placeholder={String(parameterDefaults[parameter])}
          value={number}
          onChange={(event) => setNumber(event.currentTarget.value)}
          error={refusalOf('parameters')}
        />
      )}
      {parameter === 'holdsProgress' && (
        <Checkbox
          label={words.sanctions.holdsProgress}
          checked={holdsProgress}
          onChange={(event) => setHoldsProgress(event.currentTarget.checked)}
        />
      )}
      {templates.length > 0 && (
        <NativeSelect
          label={words.template}
          value={template}
          onChange={(event) => setTemplate(event.currentTarget.value)}
          data={[
            { value: '', label: words.noTemplate },
            ...templates.map(({ name, reason: text }) => ({ value: name, label: `${name}: ${text.slice(0, 60)}` })),
          ]}
          error={refusalOf('template')}
        />
      )}
      <TextInput
        label={words.reason}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={refusalOf('reason')}
      />
      <Textarea
        label={words.note}
        autosize={false}
        rows={2}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        error={fieldError(issue.error, 'note')}
      />
      <Refusal
        error={issue.error}
        fields={[
          'externalUserId',
          'type',
          'duration',
          'template',
          'reason',
          'note',
          'parameters',
          'sanction',
          'banMeanwhile',
        ]}
      />
      <div className="buttons">
        <Button type="submit" loading={issue.isPending}>
          {words.sanctions.issue}
        </Button>
      </div>
      <CliLine
        line={
          decision !== undefined && type !== 'human_review'
            ? decision.command(decidedOf(type), note)
            : commandLine(
                ...['sanctions', 'issue'],
                ['--type', type],
                ['--user', target === '' ? 'USER' : target],
                ['--duration', duration.replaceAll(/\s/g, '')],
                ['--template', template],
                ['--reason', reason],
                ['--parameters', terms.parameters === undefined ? '' : JSON.stringify(terms.parameters)],
                ['--note', note],
              )
        }
      />
    </form>
  );
}
