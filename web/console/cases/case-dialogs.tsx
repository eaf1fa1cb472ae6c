/** What a decision on a case asks for before it is sent: a sanction, the role that it goes up to, the case that it joins. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Case, caseRoutes } from '../../../src/contract/reports/cases.js';
import { useProject } from '../frame/project.js';
import { Act } from '../parts/act.js';
import { List, readingOf } from '../parts/answer.js';
import { commandLine } from '../parts/copy.js';
import { Dialog } from '../parts/dialog.js';
import { Time } from '../parts/time.js';
import { useRead } from '../parts/use-read.js';
import { PersonLink } from '../people/person-link.js';
import { SanctionForm } from '../sanctions/sanction-form.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';
import type { CaseWork } from './case-work.js';
import { kindWord } from './queries.js';

export type AskedDecision = 'sanction' | 'escalate' | 'merge';

interface CaseDialogProps {
  readonly work: CaseWork;
  readonly asking: AskedDecision | null;
  readonly onClose: () => void;
}

const roles = ['moderator', 'admin', 'owner'] as const;

export const CaseDialogs = (props: CaseDialogProps) => (
  <>
    <SanctionDialog {...props} />
    <EscalateDialog {...props} />
    <MergeDialog {...props} />
  </>
);

function SanctionDialog({ work, asking, onClose }: CaseDialogProps) {
  const { cases: texts } = useWords();
  const { found, reasonOf, noted, noteFlag } = work;
  return (
    <Dialog opened={asking === 'sanction'} onClose={onClose} title={texts.sanctionPerson}>
      <SanctionForm
        person={found.externalUserId ?? ''}
        type="temp_ban"
        decision={{
          send: (decided, text) =>
            work.decide({
              ...{ decision: 'sanction', reasonCode: reasonOf(decided.sanction), ...decided },
              ...(text === '' ? noted : { note: text }),
            }),
          command: ({ sanction, banMeanwhile }, text) =>
            commandLine(
              ...['cases', 'decide', found.id],
              ['--decision', 'sanction'],
              ['--reason-code', reasonOf(sanction)],
              ['--sanction', JSON.stringify(sanction)],
              ['--ban-meanwhile', banMeanwhile === undefined ? '' : `${banMeanwhile}s`],
              text === '' ? noteFlag : ['--note', text],
            ),
        }}
        onDone={() => {
          onClose();
          work.onLeave();
        }}
      />
    </Dialog>
  );
}

function EscalateDialog({ work, asking, onClose }: CaseDialogProps) {
  const { cases: texts } = useWords();
  const [role, setRole] = useState<(typeof roles)[number]>('admin');
  return (
    <Dialog opened={asking === 'escalate'} onClose={onClose} title={texts.escalate}>
      <div className="form">
        <NativeSelect
          label={texts.escalatedTo}
          value={role}
          onChange={(event) => setRole(event.currentTarget.value as (typeof roles)[number])}
          data={roles.map((value) => ({ value, label: texts.roles[value] }))}
        />
        <div className="buttons">
          <Act
            {...work.common}
            isMain
            label={texts.escalate}
            run={() => client.call(caseRoutes.escalate, { ...work.item, body: { role, ...work.noted } })}
            onDone={() => {
              onClose();
              work.clearSentNote();
            }}
            line={commandLine('cases', 'escalate', work.found.id, ['--role', role], work.noteFlag)}
          />
        </div>
      </div>
    </Dialog>
  );
}

const shownMax = 8;

/** The other undecided cases, those of the same person first; or those that match what is typed. */
function MergeDialog({ work, asking, onClose }: CaseDialogProps) {
  const words = useWords();
  const { cases: texts } = words;
  const { params } = useProject();
  const [search, setSearch] = useState('');
  const { found } = work;
  const others = useRead(
    caseRoutes.list,
    { params, query: { limit: shownMax, ...(search.trim() === '' ? {} : { search: search.trim() }) } },
    { enabled: asking === 'merge' },
  );
  const isSame = ({ externalUserId }: Case) => externalUserId !== null && externalUserId === found.externalUserId;
  const choices = readingOf(others, ({ cases }) =>
    cases.filter(({ id }) => id !== found.id).toSorted((one, other) => Number(isSame(other)) - Number(isSame(one))),
  );
  return (
    <Dialog opened={asking === 'merge'} onClose={onClose} title={texts.merge} size="lg">
      <TextInput label={texts.mergeInto} value={search} onChange={(event) => setSearch(event.currentTarget.value)} />
      <List of={choices} empty={texts.noOther}>
        {({ id, category, externalUserId, roomId, createdAt }) => (
          <li key={id}>
            <span className="badge accent">{kindWord(words, category)}</span>
            {externalUserId === null ? <bdi>{roomId}</bdi> : <PersonLink id={externalUserId} />}
            <span className="end">
              <Time at={createdAt} />
              <Act
                {...work.common}
                isLarge={false}
                label={texts.merge}
                name={texts.mergeHere(`${kindWord(words, category)} ${externalUserId ?? roomId ?? id}`)}
                run={() => client.call(caseRoutes.merge, { ...work.item, body: { intoId: id } })}
                onDone={onClose}
                line={commandLine('cases', 'merge', found.id, id)}
              />
            </span>
          </li>
        )}
      </List>
    </Dialog>
  );
}
