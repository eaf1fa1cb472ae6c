/** Walks a new project to its first transcript: a room with the bot, the page of the room, and the first words as they come. */
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../../src/client/errors.js';
import { accessOf, pageLink } from '../../../src/client/room/room-access.js';
import { settingsRoutes } from '../../../src/contract/projects/settings.js';
import { tokenRoutes } from '../../../src/contract/rooms/tokens.js';
import { type Session, sessionRoutes } from '../../../src/contract/sessions/sessions.js';
import { useProject } from '../frame/project.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { Icon } from '../parts/icon.js';
import { Panel } from '../parts/page.js';
import { Refusal } from '../parts/refusal.js';
import { useIntent } from '../parts/use-intent.js';
import { useRooms } from '../rooms/room-parts.js';
import { MessageList, useTranscript } from '../rooms/transcript.js';
import { client, useSession } from '../session/session.js';
import { useWords } from '../words/all-words.js';

const userId = 'first-speaker';

const sessionsMs = 2_000;

/** Shown while nothing was transcribed but in the walk's own room. */
export default function FirstWord({ roomId }: { readonly roomId: string }) {
  const { params } = useProject();
  const { data: sessions } = useQuery({
    queryKey: ['sessions', params.projectId, 'first'],
    queryFn: () => client.call(sessionRoutes.list, { params, query: { limit: 2 } }),
    refetchInterval: sessionsMs,
  });
  const isNew = sessions?.every(({ externalRoomId }) => externalRoomId === roomId) === true;
  return isNew ? <Walk roomId={roomId} session={sessions[0]} /> : null;
}

interface WalkProps {
  readonly roomId: string;
  readonly session: Session | undefined;
}

function Walk({ roomId, session }: WalkProps) {
  const { first: words } = useWords();
  const { params, project, may } = useProject();
  const signedIn = useSession();
  const queries = useQueryClient();
  const { data: rooms } = useRooms();
  const isActive = session?.status === 'active';
  const isInside = rooms?.some((room) => room.peers.some((peer) => peer.externalUserId === userId)) === true;

  const setUp = async () => {
    const body = { title: words.room, externalRoomId: roomId };
    const create = () => client.call(sessionRoutes.create, { params, body });
    await create().catch(async (error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'settings_not_configured' && may('admin'))) throw error;
      await client.call(settingsRoutes.put, { params, body: { tokenProvider: 'embedded' } });
      await create();
    });
  };
  const openRoom = async () => {
    // Opened at once: browsers refuse windows that come later than the click.
    const page = window.open('about:blank', '_blank');
    try {
      if (!isActive) await setUp();
      const displayName = 'user' in signedIn ? signedIn.user.displayName : userId;
      const body = { roomId, userId, displayName };
      const answer = await client.call(tokenRoutes.generateForProject, { params, body });
      if (page !== null) page.location.href = pageLink(accessOf(answer));
    } catch (error) {
      page?.close();
      throw error;
    }
  };
  const open = useIntent({ mutationFn: openRoom, onSettled: () => queries.invalidateQueries() });
  return (
    <div className="walk">
      <Panel title={words.title}>
        <p>{words.text}</p>
        <ol>
          <Step isDone={isActive}>
            <Button loading={open.isPending} variant={isInside ? 'default' : 'filled'} onClick={() => open.start()}>
              {isActive ? words.openAgain : words.open}
            </Button>
            {session !== undefined && <span className="badge">{words.bot[session.bot.state]}</span>}
            {session?.bot.cause != null && <span className="badge warn">{session.bot.cause}</span>}
          </Step>
          <Step isDone={isInside}>{words.join}</Step>
          {session === undefined ? <Step isDone={false}>{words.speak}</Step> : <Heard session={session} />}
        </ol>
        <Refusal error={open.error} />
        {isActive && (
          <p>
            <Link to={`/projects/${project.id}/rooms/${roomId}`}>{words.toRoom}</Link>
          </p>
        )}
        <CliLine line={commandLine('sessions', 'create', words.room, '--room', roomId)} />
        <CliLine line={commandLine('tokens', 'create', '--user-id', userId, '--room-id', roomId)} />
      </Panel>
    </div>
  );
}

function Heard({ session }: { readonly session: Session }) {
  const { first: words } = useWords();
  const { data: lines = [] } = useTranscript(session.id, session.status === 'active');
  const said = lines.filter(({ type }) => type === 'user').slice(0, 3);
  return (
    <Step isDone={said.length > 0}>
      {said.length === 0 ? words.speak : words.heard}
      {said.length > 0 && (
        <>
          <MessageList lines={said} />
          <Next />
        </>
      )}
    </Step>
  );
}

/** What makes a moderated game of the first room. */
function Next() {
  const { first: words } = useWords();
  const { project, may } = useProject();
  const steps = [
    ['administration/people', words.invite],
    ['administration/rules', words.makeRule],
    ['developers/keys', words.makeKey],
    ['developers/api', words.connect],
  ] as const;
  if (!may('admin')) return null;
  return (
    <nav className="walk-next" aria-label={words.next}>
      <h3>{words.next}</h3>
      <ul>
        {steps.map(([to, label]) => (
          <li key={to}>
            <Link to={`/projects/${project.id}/${to}`}>{label} →</Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const Step = ({ isDone, children }: { readonly isDone: boolean; readonly children: ReactNode }) => (
  <li data-done={isDone || undefined}>
    {isDone && <Icon name="done" />} {children}
  </li>
);
