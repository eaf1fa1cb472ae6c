/** One gathering: its seats, who is ready, who was invited, and what can be done about it. */
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { gatheringInvitationRoutes } from '../../../src/contract/gatherings/gathering-invitations.js';
import { gatheringMemberRoutes } from '../../../src/contract/gatherings/gathering-members.js';
import { type Gathering, gatheringRoutes } from '../../../src/contract/gatherings/gatherings.js';
import { participantRoutes } from '../../../src/contract/people/participants.js';
import { personRoutes } from '../../../src/contract/people/person.js';
import { useProject } from '../frame/project.js';
import { useRefresh } from '../live/use-live.js';
import { Act } from '../parts/act.js';
import { List, Pending } from '../parts/answer.js';
import { CliLine, Copying, commandLine, Id } from '../parts/copy.js';
import { Page, Panel } from '../parts/page.js';
import { Refusal } from '../parts/refusal.js';
import { Countdown, Time } from '../parts/time.js';
import { useIntent } from '../parts/use-intent.js';
import { PersonLink } from '../people/person-link.js';
import { PersonPicker } from '../people/person-picker.js';
import { client } from '../session/session.js';
import { useWords } from '../words/all-words.js';
import { isOver, nextMoment, StatusBadge } from './gathering-parts.js';

export function OpenGathering({ id }: { readonly id: string }) {
  const words = useWords();
  const { params, project, may } = useProject();
  const key = ['gatherings', params.projectId];
  const at = { params: { ...params, id } };
  const reading = useQuery({
    queryKey: [...key, 'one', id],
    queryFn: () => client.call(gatheringRoutes.get, { ...at, query: { includeMembers: 'true' } }),
  });
  const { data: gathering, error } = reading;
  useRefresh(key, 'gathering.');
  if (gathering === undefined) return <Pending of={reading} />;
  const { name, status, joinCode, roomId, maxMembers, memberCount, members = [] } = gathering;
  const acts = may('moderator') && !isOver(gathering);
  const facts: readonly (readonly [string, ReactNode])[] = [
    [words.status, <StatusBadge key="status" status={status} />],
    [words.type, gathering.type],
    [
      words.gatherings.code,
      <span key="code" className="id">
        <code>{joinCode}</code>
        <Copying value={joinCode} label={words.gatherings.copyCode} />
      </span>,
    ],
    [words.gatherings.access, gathering.accessPolicy],
    [
      words.room,
      <Link key="room" to={`/projects/${project.id}/rooms/${encodeURIComponent(roomId)}`}>
        <bdi>{roomId}</bdi>
      </Link>,
    ],
    [words.gatherings.next, nextMoment(words)(gathering) ?? '–'],
    [words.created, <Time key="created" at={gathering.createdAt} />],
  ];
  return (
    <Page
      title={
        <>
          <bdi>{name}</bdi> <Id id={id} />
        </>
      }
      actions={
        acts && (
          <>
            {status === 'CREATED' && (
              <Act
                isMain
                isLarge
                label={words.gatherings.start}
                run={() => client.call(gatheringRoutes.start, { ...at, body: {} })}
                line={commandLine('gatherings', 'start', joinCode)}
              />
            )}
            {status === 'STARTED' && (
              <Act
                isMain
                isLarge
                label={words.gatherings.end}
                run={() => client.call(gatheringRoutes.end, at)}
                line={commandLine('gatherings', 'end', joinCode)}
              />
            )}
          </>
        )
      }
    >
      <Refusal error={error} />
      <div className="columns">
        <div className="stack">
          <Panel title={words.screens.gatherings}>
            <dl className="facts">
              {facts.map(([label, value]) => (
                <div key={label} style={{ display: 'contents' }}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <CliLine line={commandLine('gatherings', 'get', joinCode)} />
          </Panel>
          <Invitations gathering={gathering} acts={acts} />
        </div>
        <Panel title={words.gatherings.seatsOf(memberCount, maxMembers)}>
          {members.length === 0 && <p className="quiet">{words.gatherings.nobody}</p>}
          <ul className="list" aria-label={words.gatherings.seats}>
            {members.map(({ id: memberId, participantId, displayName, role, status: has, ready, readyAt }) => (
              <li key={memberId}>
                <PersonLink id={participantId} name={displayName} />
                {role === 'owner' && <span className="badge accent">{words.gatherings.owner}</span>}
                {has === 'invited' && <span className="badge">{words.gatherings.invited}</span>}
                {ready && <span className="badge good">{words.gatherings.ready}</span>}
                {readyAt !== null && (
                  <span className="badge warn">
                    {words.gatherings.readyIn} <Countdown at={readyAt} />
                  </span>
                )}
                {acts && has !== 'invited' && (
                  <span className="end">
                    <Act
                      label={words.gatherings.remove}
                      name={words.gatherings.removeWho(displayName)}
                      run={() => client.call(gatheringMemberRoutes.remove, { params: { ...at.params, memberId } })}
                      line={commandLine('gatherings', 'leave', joinCode, participantId)}
                    />
                  </span>
                )}
              </li>
            ))}
          </ul>
          {acts && (
            <PersonForm
              label={words.gatherings.add}
              command={['gatherings', 'add', joinCode]}
              send={(participantId) => client.call(gatheringMemberRoutes.add, { ...at, body: { participantId } })}
            />
          )}
        </Panel>
      </div>
    </Page>
  );
}

interface InvitationsProps {
  readonly gathering: Gathering;
  readonly acts: boolean;
}

function Invitations({ gathering: { id, joinCode }, acts }: InvitationsProps) {
  const words = useWords().gatherings;
  const { params } = useProject();
  const at = { params: { ...params, id } };
  const invitations = useQuery({
    queryKey: ['gatherings', params.projectId, 'one', id, 'invitations'],
    queryFn: () => client.call(gatheringInvitationRoutes.list, at),
  });
  return (
    <Panel title={words.invitations}>
      <List of={invitations} empty={words.noInvitations} label={words.invitations}>
        {({ id: invitationId, participantId, status, expiresAt }) => (
          <li key={invitationId}>
            <Invited participantId={participantId} />
            <span className="badge">{status}</span>
            {status === 'pending' && expiresAt !== null && (
              <span className="end quiet">
                {words.expiresIn} <Countdown at={expiresAt} />
              </span>
            )}
          </li>
        )}
      </List>
      {acts && (
        <PersonForm
          label={words.invite}
          command={['gatherings', 'invite', joinCode]}
          send={(participantId) =>
            client.call(gatheringInvitationRoutes.send, { ...at, body: { participantIds: [participantId] } })
          }
        />
      )}
    </Panel>
  );
}

function Invited({ participantId }: { readonly participantId: string }) {
  const { params } = useProject();
  const { data } = useQuery({
    queryKey: ['participant', params.projectId, participantId],
    queryFn: () => client.call(participantRoutes.get, { params: { ...params, id: participantId } }),
    staleTime: 300_000,
  });
  return <PersonLink id={data?.externalUserId ?? participantId} name={data?.displayName} />;
}

interface PersonFormProps {
  readonly label: string;
  /** The command that does the same, without the person. */
  readonly command: readonly string[];
  readonly send: (participantId: string) => Promise<unknown>;
}

/** Asks for a person; what is refused about the person shows at the field. */
function PersonForm({ label, command, send }: PersonFormProps) {
  const words = useWords();
  const { params } = useProject();
  const queries = useQueryClient();
  const [user, setUser] = useState('');
  const sending = useIntent({
    mutationFn: async (sent: string) => {
      const { participant } = await client.call(personRoutes.get, { params: { ...params, user: sent } });
      if (participant === null) throw new Error(words.gatherings.notParticipant);
      await send(participant.id);
    },
    onSuccess: (_, sent) => {
      setUser((now) => (now === sent ? '' : now));
      void queries.invalidateQueries({ queryKey: ['gatherings', params.projectId] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sending.start(user);
  };
  return (
    <form className="form" onSubmit={submit}>
      <PersonPicker label={label} value={user} onChange={setUser} error={sending.error?.message} />
      <div className="buttons">
        <Button type="submit" variant="default" loading={sending.isPending}>
          {label}
        </Button>
      </div>
      <CliLine line={commandLine(...command, user === '' ? 'USER' : user)} />
    </form>
  );
}
