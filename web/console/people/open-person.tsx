/** One person's whole story. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type HistoryEntry, participantRecordRoutes } from '../../../src/contract/people/participant-records.js';
import { type Person, personRoutes } from '../../../src/contract/people/person.js';
import { personExportRoutes } from '../../../src/contract/people/person-export.js';
import { useProject } from '../frame/project.js';
import { useRefresh } from '../live/use-live.js';
import { Act } from '../parts/act.js';
import { Answer, known, List, readingOf } from '../parts/answer.js';
import { CliLine, commandLine, Id } from '../parts/copy.js';
import { Dialog } from '../parts/dialog.js';
import { Page, Panel } from '../parts/page.js';
import { Refusal } from '../parts/refusal.js';
import { saveFile } from '../parts/save-file.js';
import { Countdown, Time } from '../parts/time.js';
import { useFilter } from '../parts/use-filter.js';
import { useIntent } from '../parts/use-intent.js';
import { Change } from '../sanctions/change.js';
import { MuteAct } from '../sanctions/mute-act.js';
import { SanctionBadge } from '../sanctions/sanction-badge.js';
import { SanctionForm } from '../sanctions/sanction-form.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';
import { useMarked } from './marks.js';
import { NoteForm } from './note-form.js';
import { Marks } from './person-link.js';

type OpenDialog = 'issue' | 'erase' | null;

export function OpenPerson({ user }: { readonly user: string }) {
  const words = useWords();
  const { params, may } = useProject();
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const key = ['person', params.projectId];
  const found = useQuery({
    queryKey: [...key, user],
    queryFn: () => client.call(personRoutes.get, { params: { ...params, user } }),
  });
  useRefresh(key, 'sanction.', 'participant.', 'review.', 'message.', 'gathering.');
  const { data: person } = found;
  const id = person?.externalUserId ?? user;
  const marked = useMarked(id);
  return (
    <Page
      title={
        <>
          <bdi>{person?.participant?.displayName ?? user}</bdi> <Id id={id} /> <Marks of={marked} />
        </>
      }
      actions={
        <>
          <Link to={`/projects/${params.projectId}/gameplay/player`} search={{ user: id } as never}>
            {words.people.progress}
          </Link>
          {may('moderator') && person !== undefined && (
            <MuteAct isLarge shortcut="m" id={id} name={person.participant?.displayName ?? id} />
          )}
          {may('moderator') && <Button onClick={() => setDialog('issue')}>{words.people.issue}</Button>}
          {may('admin') && person !== undefined && (
            <Act
              isLarge
              label={words.people.export}
              run={() => download(params, user)}
              line={commandLine('participants', 'export', id, ['--out', 'person.json'])}
            />
          )}
          {may('admin') && person !== undefined && (
            <Button variant="default" c="var(--bad)" onClick={() => setDialog('erase')}>
              {words.people.erase}
            </Button>
          )}
        </>
      }
    >
      <Answer of={found}>{(known) => <Story person={known} />}</Answer>
      <Dialog opened={dialog === 'issue'} onClose={() => setDialog(null)} title={words.people.issue}>
        <SanctionForm person={id} onDone={() => setDialog(null)} />
      </Dialog>
      <Dialog opened={dialog === 'erase'} onClose={() => setDialog(null)} title={words.people.erase}>
        <Erase id={id} />
      </Dialog>
    </Page>
  );
}

/** Saves everything known about the person as a file. */
async function download(params: { readonly projectId: string }, user: string): Promise<void> {
  const lines = await client.bytes(personExportRoutes.export, { params: { ...params, user } });
  saveFile('person.ndjson', lines);
}

function Story({ person }: { readonly person: Person }) {
  const words = useWords().people;
  const { project, may } = useProject();
  const [changed, setChanged] = useState<string | null>(null);
  const { active, notes, rooms, participant, formerIds } = person;
  const found = active?.find(({ id }) => id === changed);
  return (
    <div className="columns">
      <div className="stack">
        <Panel title={words.active}>
          <List of={known(active ?? [])} empty={words.noActive}>
            {({ id, type, reason, endAt, imposedBy }) => (
              <li key={id}>
                <SanctionBadge type={type} />
                <bdi>{reason}</bdi>
                <span className="quiet">
                  <bdi>{imposedBy}</bdi>
                </span>
                <span className="end">
                  <Countdown at={endAt} />
                  {may('moderator') && (
                    <Button size="compact-xs" variant="default" onClick={() => setChanged(id)}>
                      {words.revoke}…
                    </Button>
                  )}
                </span>
              </li>
            )}
          </List>
          <CliLine line={commandLine('sanctions', 'active', person.externalUserId)} />
        </Panel>
        {may('moderator') && (
          <Panel title={words.notes}>
            <List of={known(notes ?? [])} empty={words.noNotes}>
              {({ id, text, writtenBy, createdAt }) => (
                <li key={id}>
                  <bdi>{text}</bdi>
                  <span className="quiet end">
                    <bdi>{writtenBy}</bdi> <Time at={createdAt} />
                  </span>
                </li>
              )}
            </List>
            {participant !== null && <NoteForm user={person.externalUserId} onDone={() => {}} />}
          </Panel>
        )}
        {rooms !== null && rooms.length > 0 && (
          <Panel title={words.now}>
            <ul className="list">
              {rooms.map(({ roomId }) => (
                <li key={roomId}>
                  <Link to={`/projects/${project.id}/rooms/${encodeURIComponent(roomId)}`}>
                    <bdi>{roomId}</bdi>
                  </Link>
                </li>
              ))}
            </ul>
          </Panel>
        )}
        {formerIds.length > 0 && (
          <Panel title={words.former}>
            <code>{formerIds.join(', ')}</code>
          </Panel>
        )}
      </div>
      {participant !== null && <Timeline id={participant.id} user={person.externalUserId} />}
      <Dialog opened={found !== undefined} onClose={() => setChanged(null)} title={words.revoke}>
        {found !== undefined && <Change sanction={found} />}
      </Dialog>
    </div>
  );
}

type Target = { readonly to: string; readonly search?: Readonly<Record<string, string>> };

/** Page of the project that an entry is about. */
function targetOf({ resourceId, partOf }: HistoryEntry, user: string): Target | null {
  const [kind = '', id = ''] = resourceId.split(/:(.*)/s);
  const [, whole = null] = partOf?.split(/:(.*)/s) ?? [];
  if (kind === 'sanction') return { to: `sanctions/${id}` };
  if (kind === 'review') return { to: `cases/${id}` };
  if (kind === 'gathering') return { to: `gatherings/${id}` };
  if (kind === 'challenge') return { to: 'gameplay/challenges', search: { open: id } };
  if (kind === 'battle-pass-level') return { to: 'gameplay/player', search: { user } };
  if (kind === 'message' && whole !== null) return { to: `transcripts/${whole}`, search: { message: id } };
  if (kind === 'report' && whole !== null) return { to: `cases/${whole}` };
  return null;
}

const time = /(\d{4}-\d\d-\d\dT[\d:.]+Z)/;

/** The line of an entry, with times as people read them. */
function What({ entry: { what, kind } }: { readonly entry: HistoryEntry }) {
  if (kind !== 'sanction') return <bdi>{what}</bdi>;
  return <bdi>{what.split(time).map((part, index) => (index % 2 === 0 ? part : <Time key={index} at={part} />))}</bdi>;
}

function Timeline({ id, user }: { readonly id: string; readonly user: string }) {
  const words = useWords();
  const { params } = useProject();
  const [kind, setKind] = useFilter('kind');
  const entries = useQuery({
    queryKey: ['person', params.projectId, 'history', id, kind],
    queryFn: () =>
      client.call(participantRecordRoutes.history, {
        params: { ...params, id },
        query: kind === '' ? {} : { kind: kind as HistoryEntry['kind'] },
      }),
    placeholderData: (before) => before,
  });
  return (
    <Panel
      title={words.people.timeline}
      actions={
        <NativeSelect
          aria-label={words.filter}
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value)}
          data={[
            { value: '', label: words.all },
            ...Object.entries(words.people.kinds).map(([value, label]) => ({ value, label })),
          ]}
        />
      }
    >
      <List of={readingOf(entries, (all) => all.toReversed())} empty={words.people.noTimeline} scrolls>
        {(entry) => {
          const target = targetOf(entry, user);
          return (
            <li key={`${entry.at} ${entry.resourceId} ${entry.what}`}>
              <span className="line-time">
                <Time at={entry.at} />
              </span>
              <span className="badge">{words.people.kinds[entry.kind]}</span>
              {target === null ? (
                <What entry={entry} />
              ) : (
                <Link to={`/projects/${params.projectId}/${target.to}`} search={(target.search ?? {}) as never}>
                  <What entry={entry} />
                </Link>
              )}
            </li>
          );
        }}
      </List>
      <CliLine line={commandLine('participants', 'history', user, ['--kind', kind])} />
    </Panel>
  );
}

/** Deletes everything about the person, once their id is typed. */
function Erase({ id }: { readonly id: string }) {
  const words = useWords().people;
  const { params, project } = useProject();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const erase = useIntent({
    mutationFn: () => client.call(personRoutes.erase, { params: { ...params, user: id } }),
    onSuccess: () => {
      void navigate({ to: `/projects/${project.id}/people` });
      void queries.invalidateQueries();
    },
  });
  return (
    <div className="form">
      <p>{words.eraseText}</p>
      <TextInput
        data-autofocus
        label={<bdi>{words.eraseConfirm(id)}</bdi>}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Refusal error={erase.error} />
      <div className="buttons">
        <Button color="red" disabled={typed !== id} loading={erase.isPending} onClick={() => erase.start()}>
          {words.erase}
        </Button>
      </div>
      <CliLine line={commandLine('participants', 'delete', id)} />
    </div>
  );
}
