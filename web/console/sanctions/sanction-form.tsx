/** Issues a sanction. The command that does the same stands below and follows what is typed. */
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { parameterDefaults } from '../../../src/contract/moderation/sanction-parameters.js';
import { type SanctionType, sanctionTypes } from '../../../src/contract/moderation/sanction-record.js';
import { sanctionTemplateRoutes } from '../../../src/contract/moderation/sanction-templates.js';
import { sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import type { DecideCaseRequest } from '../../../src/contract/reports/cases.js';
import { useProject } from '../frame/project.js';
import { CliLine, type Command, commandLine } from '../parts/copy.js';
import { fieldError, Refusal } from '../parts/refusal.js';
import { secondsOf } from '../parts/seconds.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';

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
    readonly send: (sanction: DecidedSanction, note: string) => Promise<unknown>;
    readonly command: (sanction: DecidedSanction, note: string) => Command;
  };
  readonly onDone: () => void;
}
type DecidedSanction = NonNullable<DecideCaseRequest['sanction']>;

/** The parameter of those kinds that have one, and its default. */
const parameterOf: Partial<Record<SanctionType, keyof typeof parameterDefaults>> = {
  rate_limit: 'speakingSecondsPerMinute',
  party_restriction: 'maxGatheringSize',
  queue_delay: 'delaySeconds',
};

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
  const parameter = parameterOf[type];
  const seconds = secondsOf(duration);
  const terms = {
    ...(typeof seconds === 'number' ? { duration: seconds } : {}),
    ...(template === '' ? {} : { template }),
    ...(reason === '' ? {} : { reason }),
    ...(parameter === undefined || number === '' ? {} : { parameters: { [parameter]: Number(number) } }),
    ...(type === 'ranked_restriction' && holdsProgress ? { parameters: { holdsProgress } } : {}),
  };
  const { data: templates = [] } = useTemplates();
  const issue = useMutation({
    mutationFn: (): Promise<unknown> =>
      decision !== undefined && type !== 'human_review'
        ? decision.send({ type, ...terms }, note)
        : client.call(sanctionRoutes.create, {
            params,
            body: {
              ...{ type, externalUserId: target, ...terms },
              ...(note === '' ? {} : { note }),
              ...(messageIds.length === 0 ? {} : { evidence: { messageIds: [...messageIds] } }),
            },
          }),
    onSuccess: () => {
      void queries.invalidateQueries();
      onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (seconds !== undefined) issue.mutate();
  };
  const refusalOf = (field: string) => fieldError(issue.error, `${decision === undefined ? '' : 'sanction.'}${field}`);
  return (
    <form className="form" onSubmit={submit}>
      {person === undefined && (
        <TextInput
          label={words.sanctions.target}
          required
          value={target}
          onChange={(event) => setTarget(event.currentTarget.value)}
          error={fieldError(issue.error, 'externalUserId')}
        />
      )}
      <div className="pair">
        <NativeSelect
          label={words.type}
          value={type}
          onChange={(event) => setType(event.currentTarget.value as SanctionType)}
          data={sanctionTypes.filter((one) => decision === undefined || one !== 'human_review')}
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
      {parameter !== undefined && (
        <TextInput
          label={parameter}
          type="number"
          placeholder={String(parameterDefaults[parameter])}
          value={number}
          onChange={(event) => setNumber(event.currentTarget.value)}
          error={refusalOf('parameters')}
        />
      )}
      {type === 'ranked_restriction' && (
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
        fields={['externalUserId', 'type', 'duration', 'template', 'reason', 'note', 'parameters', 'sanction']}
      />
      <div className="buttons">
        <Button type="submit" loading={issue.isPending}>
          {words.sanctions.issue}
        </Button>
      </div>
      <CliLine
        line={
          decision !== undefined && type !== 'human_review'
            ? decision.command({ type, ...terms }, note)
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
