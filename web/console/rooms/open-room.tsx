/** One room: who is in it, what is said, and what can be done about it. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pageLink } from '../../../src/client/room/room-access.js';
import { roomRestrictionRoutes } from '../../../src/contract/rooms/room-restrictions.js';
import { type Room, roomRoutes } from '../../../src/contract/rooms/rooms.js';
import { tokenRoutes } from '../../../src/contract/rooms/tokens.js';
import { sessionRoutes } from '../../../src/contract/sessions/sessions.js';
import { useProject } from '../frame/project.js';
import { Act } from '../parts/act.js';
import { Answer } from '../parts/answer.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { Dialog } from '../parts/dialog.js';
import { ChoiceFilter } from '../parts/filters.js';
import { Icon } from '../parts/icon.js';
import { useKeys } from '../parts/keys.js';
import { Page, Panel } from '../parts/page.js';
import { secondsOf } from '../parts/seconds.js';
import { NoteForm } from '../people/note-form.js';
import { BesideName } from '../people/person-link.js';
import { MuteAct } from '../sanctions/mute-act.js';
import { SanctionForm } from '../sanctions/sanction-form.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';
import { Announcement } from './announcement.js';
import { RoomBadges, useRooms } from './room-parts.js';
import { Transcript } from './transcript.js';
import { WhoWasHere } from './who-was-here.js';

export function OpenRoom({ roomId }: { readonly roomId: string }) {
  const words = useWords();
  const { params, may } = useProject();
  const rooms = useRooms();
  const room = rooms.data?.find((one) => one.roomId === roomId);
  const sessions = useQuery({
    queryKey: ['sessions', params.projectId, roomId],
    queryFn: () => client.call(sessionRoutes.list, { params, query: { externalRoomId: roomId, limit: 1 } }),
    refetchInterval: 10_000,
  });
  const sessionId = room?.sessionId ?? sessions.data?.[0]?.id ?? null;
  const isKnown = rooms.data !== undefined && (sessions.data !== undefined || sessionId !== null);
  return (
    <Page
      title={
        <>
          <bdi>{roomId}</bdi> {room !== undefined && <RoomBadges room={room} />}
        </>
      }
      actions={may('moderator') && isKnown && <RoomActions roomId={roomId} room={room} sessionId={sessionId} />}
    >
      <div className="columns">
        <div className="stack">
          <Answer of={rooms}>{() => <People roomId={roomId} room={room} />}</Answer>
          <WhoWasHere roomId={roomId} />
        </div>
        <Panel title={words.rooms.transcript}>
          {sessionId === null ? (
            <Answer of={sessions}>
              {() => (
                <p className="empty">{may('moderator') ? words.rooms.noTranscript : words.rooms.notTranscribed}</p>
              )}
            </Answer>
          ) : (
            <Transcript sessionId={sessionId} isActive={room?.sessionId === sessionId} roomId={roomId} />
          )}
        </Panel>
      </div>
    </Page>
  );
}

/** How long a room is muted or closed. */
const spans = ['10m', '1h', '8h', '24h'] as const;

interface RoomActionsProps {
  readonly roomId: string;
  readonly room: Room | undefined;
  readonly sessionId: string | null;
}

function RoomActions({ roomId, room, sessionId }: RoomActionsProps) {
  const { rooms: words, done } = useWords();
  const { params } = useProject();
  const [announces, setAnnounces] = useState(false);
  const [span, setSpan] = useState('');
  const spanned = span === '' ? [] : [span];
  const at = { ...params, roomId };
  const isListening = room?.peers.some(({ bot }) => bot) === true;
  const [isMuted, isClosed] = [room?.muted != null, room?.closed != null];
  const startBot = (): Promise<unknown> =>
    sessionId === null
      ? client.call(sessionRoutes.create, { params, body: { title: roomId, externalRoomId: roomId } })
      : client.call(sessionRoutes.start, { params: { ...params, id: sessionId } });
  const listen = async () => {
    // Opened at once: browsers refuse windows that come later than the click.
    const page = window.open('about:blank', '_blank');
    try {
      const { url, token, e2ee } = await client.call(tokenRoutes.observe, { params: at });
      if (page !== null && url !== null)
        page.location.href = pageLink({
          ...{ url, token },
          encryption: e2ee === null || e2ee.key === null ? null : { password: e2ee.key, keyIndex: e2ee.keyIndex ?? 0 },
        });
    } catch (error) {
      page?.close();
      throw error;
    }
  };
  const duration = secondsOf(span);
  const body = duration == null ? {} : { duration };
  const muteRoom = () => client.call(roomRestrictionRoutes.mute, { params: at, body });
  const unmuteRoom = () => client.call(roomRestrictionRoutes.unmute, { params: at });
  const close = () => client.call(roomRestrictionRoutes.close, { params: at, body });
  const reopen = () => client.call(roomRestrictionRoutes.reopen, { params: at });
  useKeys({ a: () => setAnnounces(true) });
  return (
    <>
      {isListening && sessionId !== null ? (
        <Act
          isLarge
          label={words.stopBot}
          run={() => client.call(sessionRoutes.stop, { params: { ...params, id: sessionId } })}
          line={commandLine('sessions', 'stop', sessionId)}
        />
      ) : (
        <Act
          isLarge
          label={words.startBot}
          run={startBot}
          line={
            sessionId === null
              ? commandLine('sessions', 'create', ['--title', roomId], ['--room', roomId])
              : commandLine('sessions', 'start', sessionId)
          }
        />
      )}
      <Act isLarge label={words.listen} run={listen} line={commandLine('rooms', 'listen', roomId)} />
      <Button variant="default" onClick={() => setAnnounces(true)}>
        {words.announce}&nbsp;<kbd>a</kbd>
      </Button>
      {!(isMuted && isClosed) && (
        <ChoiceFilter
          label={words.howLong}
          value={span}
          onChange={setSpan}
          choices={[
            { value: '', label: words.untilLifted },
            ...spans.map((value) => ({ value, label: words.lasting(value) })),
          ]}
        />
      )}
      {isMuted ? (
        <Act
          isLarge
          label={words.unmuteRoom}
          run={unmuteRoom}
          undo={() => ({ label: done.act(words.unmuteRoom, roomId), run: muteRoom })}
          line={commandLine('rooms', 'unmute', roomId)}
        />
      ) : (
        <Act
          isLarge
          label={words.muteRoom}
          run={muteRoom}
          undo={() => ({ label: done.act(words.muteRoom, roomId), run: unmuteRoom })}
          line={commandLine('rooms', 'mute', roomId, ...spanned)}
        />
      )}
      {isClosed ? (
        <Act
          isLarge
          label={words.reopenRoom}
          run={reopen}
          undo={() => ({ label: done.act(words.reopenRoom, roomId), run: close })}
          line={commandLine('rooms', 'reopen', roomId)}
        />
      ) : (
        <Act
          isLarge
          tone="red"
          label={words.closeRoom}
          run={close}
          undo={() => ({ label: done.act(words.closeRoom, roomId), run: reopen })}
          line={commandLine('rooms', 'close', roomId, ...spanned)}
        />
      )}
      <Dialog opened={announces} onClose={() => setAnnounces(false)} title={words.announce}>
        <Announcement roomIds={[roomId]} onDone={() => setAnnounces(false)} />
      </Dialog>
    </>
  );
}

/** The people of a room in a fixed order, so that nobody moves under the pointer. */
function People({ roomId, room }: { readonly roomId: string; readonly room: Room | undefined }) {
  const words = useWords();
  const { params, may } = useProject();
  const [chosen, setChosen] = useState<string | null>(null);
  const [dialog, setDialog] = useState<'ban' | 'note' | null>(null);
  const isModerator = may('moderator');
  const person = room?.peers.find(
    ({ externalUserId, bot, observer }) => externalUserId === chosen && !bot && !observer,
  );
  const kick = (externalUserId: string) =>
    client.call(roomRoutes.kick, { params: { ...params, roomId, externalUserId } });
  const withPerson = (work: (id: string) => void) =>
    isModerator && person !== undefined ? () => work(person.externalUserId) : undefined;
  const who = person?.externalUserId ?? 'USER';
  const isChosen = isModerator && person !== undefined;
  const actions = { b: withPerson(() => setDialog('ban')), n: withPerson(() => setDialog('note')) };
  const sorted = [...(room?.peers ?? [])].sort((one, other) => (one.externalUserId < other.externalUserId ? -1 : 1));
  const step = (by: number) => {
    const ids = sorted.filter(({ bot, observer }) => !bot && !observer).map(({ externalUserId }) => externalUserId);
    const at = chosen === null ? (by > 0 ? -1 : 0) : ids.indexOf(chosen);
    setChosen(ids[(at + by + ids.length) % Math.max(1, ids.length)] ?? null);
  };
  useKeys({ ...actions, j: () => step(1), k: () => step(-1) });
  return (
    <Panel title={words.rooms.people}>
      {sorted.length === 0 && <p className="empty">{words.rooms.gone}</p>}
      <ul className="list" aria-label={words.rooms.people}>
        {sorted.map(({ externalUserId, displayName, speaking, muted, bot, observer }) => (
          <li key={externalUserId} data-chosen={externalUserId === chosen || undefined}>
            <span className={speaking ? 'speaking' : 'quiet'}>
              <Icon name={bot ? 'bot' : muted ? 'muted' : 'mic'} />
            </span>
            {bot || observer || !isModerator ? (
              <bdi>{displayName}</bdi>
            ) : (
              <button
                type="button"
                className="pick"
                aria-pressed={externalUserId === chosen}
                onClick={() => setChosen(externalUserId === chosen ? null : externalUserId)}
              >
                <bdi>{displayName}</bdi>
              </button>
            )}
            <span className="end">
              {speaking && <span className="badge good">{words.rooms.speaking}</span>}
              {room?.muted != null && muted && <span className="badge warn">{words.rooms.muted}</span>}
              {bot && <span className="badge">{words.rooms.bot}</span>}
              {observer && <span className="badge">{words.rooms.observer}</span>}
              {!bot && !observer && <BesideName id={externalUserId} name={displayName} />}
            </span>
          </li>
        ))}
      </ul>
      {isModerator && sorted.length > 0 && (
        <>
          {person === undefined && <p className="quiet">{words.rooms.choose}</p>}
          <div className="buttons">
            <MuteAct isLarge shortcut="m" id={person?.externalUserId ?? null} name={person?.displayName ?? ''} />
            <Act
              isLarge
              label={words.rooms.kick}
              shortcut="x"
              disabled={!isChosen}
              run={() => kick(who)}
              line={commandLine('kick', who, ['--room', roomId])}
            />
            <Button variant="default" disabled={person === undefined} onClick={actions.b}>
              {words.rooms.ban}&nbsp;<kbd>b</kbd>
            </Button>
            <Button variant="default" disabled={person === undefined} onClick={actions.n}>
              {words.rooms.writeNote}&nbsp;<kbd>n</kbd>
            </Button>
          </div>
          <CliLine line={commandLine('mute', who, '10m')} />
        </>
      )}
      <Dialog
        opened={dialog !== null && person !== undefined}
        onClose={() => setDialog(null)}
        title={<bdi>{person?.displayName}</bdi>}
      >
        {person !== undefined && dialog === 'ban' && (
          <SanctionForm person={person.externalUserId} type="temp_ban" onDone={() => setDialog(null)} />
        )}
        {person !== undefined && dialog === 'note' && (
          <NoteForm user={person.externalUserId} onDone={() => setDialog(null)} />
        )}
      </Dialog>
    </Panel>
  );
}
