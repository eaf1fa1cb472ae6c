/** Why a room has no transcript: what its session and its bot say, and who is there. */
import { sessionActionRoutes } from '../../contract/plugins/session-actions.js';
import { isPerson } from '../../contract/rooms/room-events.js';
import { type Room, roomRoutes } from '../../contract/rooms/rooms.js';
import type { Bot, BotPast } from '../../contract/sessions/bots.js';
import { type Session, sessionRoutes } from '../../contract/sessions/sessions.js';
import type { Lookup } from '../names/lookup.js';
import { sessionOfRoom } from '../names/rooms.js';
import { restrictionFindings } from '../rooms/restrict.js';
import { bad, type Examined, type Finding, good, type PastFinding } from './finding.js';
import { findJobs } from './jobs.js';

const pastShown = 10;

/** Remedies for each cause; docs/voice.md explains them. */
const remedies: Readonly<Record<NonNullable<Bot['cause']>, readonly [says: string, remedy: string]>> = {
  no_speech: [
    'Nobody has said anything yet.',
    'Check that microphones send: `earshot rooms listen ROOM` shows who speaks.',
  ],
  room_empty: ['Nobody is in the room.', 'The bot transcribes as soon as somebody joins.'],
  idle_timeout: ['The session ended because nobody was there for its idleTimeout.', 'earshot sessions start ROOM'],
  stopped_by_user: ['Somebody stopped the bot.', 'earshot sessions start ROOM'],
  room_unreachable: ['The room process does not start again.', 'The log of the daemon says why.'],
  room_restarted: [
    'The room process crashed while people were in the room.',
    'The bot transcribes as soon as somebody comes back.',
  ],
  no_voice_daemon: [
    'No daemon of the database runs the voice rooms.',
    'Start a daemon with the role voice; on its machine, `earshotd doctor` says who has the rooms.',
  ],
  recogniser_unavailable: [
    'No speech recogniser works, or EARSHOT_TRANSCRIBER turns it off.',
    'On the machine of the daemon: earshotd doctor, earshotd config print',
  ],
  recogniser_failing: [
    'The recogniser rejects the audio that the bot sends.',
    'On the machine of the daemon: earshotd doctor',
  ],
  recogniser_too_slow: [
    'The recogniser took too long for the last utterance, or more is said than it keeps up with: some is not written down.',
    'On the machine of the daemon: earshotd speech recommend, EARSHOT_RECOGNITION_FACTOR, and the log for the reason',
  ],
  lines_not_stored: [
    'What it heard last could not be stored: it is missing from the transcript, and neither rules nor plugins read it.',
    'The log of the daemon says why.',
  ],
  e2ee_password_missing: ['The room is encrypted and no password is stored.', 'earshot settings e2e-encryption manual'],
  e2ee_password_wrong: [
    'The audio cannot be decrypted with the stored password.',
    'earshot settings e2e-encryption manual',
  ],
  provider_unsupported: [
    'The bot cannot join rooms of this provider.',
    'earshot settings set --token-provider embedded',
  ],
  settings_removed: ['The settings of the project were deleted.', 'earshot settings set'],
};

/** Examines the open rooms of the name, and the session that is meant. */
export async function examineRoom(lookup: Lookup, typed: string): Promise<Examined[]> {
  const params = { projectId: await lookup.projectId() };
  const [ofRoom, all, rooms] = await Promise.all([
    sessionOfRoom(lookup.client, params, typed),
    lookup.client.call(sessionRoutes.list, { params }),
    lookup.client.call(roomRoutes.list, { params }),
  ]);
  const same = (text: string) => text.toLowerCase() === typed.toLowerCase();
  const session =
    ofRoom ?? all.find(({ id, title, externalRoomId }) => id === typed || same(title) || same(externalRoomId));
  const room = rooms.find(({ roomId }) => same(roomId) || roomId === session?.externalRoomId);
  if (session === undefined && room === undefined) return [];
  const name = session?.externalRoomId ?? room?.roomId ?? typed;
  const subject = session === undefined ? `room ${name}` : `session ${session.title} (room ${name})`;
  const past =
    session === undefined
      ? []
      : await lookup.client.call(sessionRoutes.botPast, { params: { ...params, id: session.id }, query: {} });
  const runs = session === undefined ? [] : await ofPlugins(lookup, params, session.id);
  const jobs = await findJobs(lookup, ({ job }) => job !== 'webhook-backlog');
  const findings = [...ofBot(session, name), ...runs, ...jobs, ...ofPeople(room, name)];
  for (const { says, remedy } of room === undefined ? [] : restrictionFindings(room)) findings.push(bad(says, remedy));
  return [{ subject, findings, past: pastOf(past, name) }];
}

/** Runs of plugins on the session that are not tried again, because the daemon crashed twice during them. */
async function ofPlugins({ client }: Lookup, params: { projectId: string }, id: string): Promise<Finding[]> {
  const { plugins } = await client
    .call(sessionActionRoutes.list, { params: { ...params, id } })
    .catch(() => ({ plugins: [] }));
  return plugins.flatMap(({ slug, name, actions }) => {
    const count = actions.filter(({ status }) => status === 'set_aside').length;
    if (count === 0) return [];
    return bad(
      `${count} runs of ${name} were set aside: the daemon crashed twice during them.`,
      `earshot plugins resume ${slug}`,
    );
  });
}

/** Returns the past states of the bot that had a cause. */
const pastOf = (past: BotPast, room: string): PastFinding[] =>
  past
    .flatMap(({ cause, since }, index) => {
      const until = past[index - 1]?.since;
      if (cause === null || until === undefined) return [];
      const [says, remedy] = remedies[cause];
      return [{ since, until, says, remedy: remedy.replace('ROOM', room) }];
    })
    .slice(0, pastShown);

function ofBot(session: Session | undefined, room: string): Finding[] {
  const named = (remedy: string) => remedy.replace('ROOM', room);
  if (session === undefined)
    return [bad('No session listens to this room.', `earshot sessions create --title ${room} --room ${room}`)];
  const { status, endedAt, bot } = session;
  const { peers, packets, missed, speechSeconds, utterances, dropped, failed } = bot.counters;
  const findings: Finding[] = [];
  if (status === 'ended')
    findings.push(bad(`The session ended at ${endedAt ?? 'an unknown time'}.`, named('earshot sessions start ROOM')));
  if (bot.cause !== null) {
    const [says, remedy] = remedies[bot.cause];
    findings.push(bad(`The bot has been ${bot.state} since ${bot.since}: ${says}`, named(remedy)));
  } else findings.push(good(`The bot has been ${bot.state} since ${bot.since}.`));
  findings.push(
    good(
      `It heard ${peers === 1 ? 'one person' : `${peers} people`}, ${packets} packets, ${Math.round(speechSeconds)} s of speech, and transcribed ${utterances} utterances.`,
    ),
  );
  if (missed > 0)
    findings.push(
      bad(
        `It was too slow for ${missed} packets: their speech is missing from the transcript.`,
        'Give the daemon a faster or a second processor core.',
      ),
    );
  if (speechSeconds > 0 && utterances === 0)
    findings.push(
      bad('There was speech, but none of it was recognised.', 'On the machine of the daemon: earshotd doctor'),
    );
  if (dropped > 0)
    findings.push(
      bad(
        `${dropped} utterances were dropped: there was too much speech at once.`,
        'Use a faster recogniser, or fewer rooms with a session.',
      ),
    );
  if (failed > 0)
    findings.push(bad(`${failed} utterances were not recognised or not stored.`, 'The log of the daemon says why.'));
  return findings;
}

function ofPeople(room: Room | undefined, name: string): Finding[] {
  const people = room?.peers.filter(isPerson) ?? [];
  if (people.length === 0)
    return [bad('Nobody is in the room now.', `earshot rooms open ${name} makes a link for one person.`)];
  // In a muted room all are; the finding about the room says so.
  const muted = people.filter((one) => one.muted && room?.muted === null);
  const silent = people.filter((one) => !one.publishing && !one.muted);
  return [
    good(people.length === 1 ? 'One person is in the room now.' : `${people.length} people are in the room now.`),
    ...muted.map(({ displayName, externalUserId }) =>
      bad(`${displayName} is muted.`, `earshot unmute ${externalUserId}`),
    ),
    ...silent.map(({ displayName }) => bad(`${displayName} sends no voice: no microphone, or not allowed to speak.`)),
  ];
}
