/** Part of the composition root: what goes on in the rooms: people come and go, bots listen, news arrives. */
import type { Clock } from '../clock.js';
import type { Settings } from '../config/schema.js';
import type { ParticipantService } from '../features/participants/service.js';
import type { ProjectStore } from '../features/projects/store.js';
import { roomApiRouter } from '../features/rooms/router.js';
import { RoomService } from '../features/rooms/service.js';
import type { Enforcement } from '../features/sanctions/enforcement.js';
import type { SessionService } from '../features/sessions/service.js';
import type { SessionStore } from '../features/sessions/store.js';
import type { TranscriptService } from '../features/sessions/transcripts.js';
import type { SettingsService } from '../features/settings/service.js';
import { refuseBanned } from '../features/tokens/service.js';
import type { Foundation } from '../foundation.js';
import type { BoundRoute } from '../http/bind.js';
import type { RateLimits } from '../http/rate-limits.js';
import { closeRooms } from '../jobs/close-rooms.js';
import { dropDebugAudio } from '../jobs/drop-debug-audio.js';
import { type Part, part } from '../lifecycle.js';
import type { Logger } from '../observability/logger.js';
import type { Metrics } from '../observability/metrics.js';
import type { DebugAudio } from '../voice/bot/debug-audio.js';
import { SpeechLoader } from '../voice/load-speech.js';
import { RoomPresence } from '../voice/presence.js';
import { RoomOccupancy } from '../voice/rooms/occupancy.js';
import { RoomNews } from '../voice/rooms/room-news.js';
import { type Admission, roomRouter, type Seals } from '../voice/rooms/router.js';
import { BotSupervisor } from '../voice/supervisor.js';
import { followModeration } from './moderation.js';
import type { ComposedRooms } from './rooms.js';
import { transcriberSettings } from './speech.js';

interface VoiceNeeds {
  readonly foundation: Pick<Foundation, 'database' | 'log' | 'follower' | 'dataDir'>;
  readonly rooms: ComposedRooms;
  readonly projects: ProjectStore;
  readonly projectSettings: SettingsService;
  readonly participants: ParticipantService;
  readonly sessions: SessionService;
  readonly sessionStore: SessionStore;
  readonly transcripts: TranscriptService;
  readonly enforcement: Enforcement;
  readonly recordings: DebugAudio;
  readonly limits: RateLimits;
  readonly settings: Settings;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly now: Clock;
}

export interface ComposedVoice {
  /** Of the API. */
  readonly routes: BoundRoute[];
  /** WHIP, WHEP and the events of the rooms. */
  readonly router: ReturnType<typeof roomRouter>;
  readonly parts: Part[];
  /** Where none was found before. The name of what recognises now, or null. */
  readonly lookForSpeech: () => Promise<string | null>;
  /** They hear out what is being said, which takes a while. */
  readonly bots: Part;
}

export function composeVoice(needs: VoiceNeeds): ComposedVoice {
  const { rooms, projects, projectSettings, participants, sessions, sessionStore, transcripts } = needs;
  const { enforcement, recordings, limits, settings, metrics, logger, now } = needs;
  const { database, log, follower, dataDir } = needs.foundation;
  const { engine, streams, keys, tokens, ledger, evict } = rooms;

  const tenantOf = async (projectId: string) => (await projects.find(projectId))?.tenantId ?? null;
  const presence = new RoomPresence(database, log, participants, sessions, transcripts, tenantOf, logger);
  const occupancy = new RoomOccupancy(engine, keys, logger);
  const roomOf = async (projectId: string, id: string) =>
    (await sessionStore.find(projectId, id))?.externalRoomId ?? null;
  const news = new RoomNews(streams, roomOf, logger);
  const speech = new SpeechLoader(transcriberSettings(settings, dataDir), logger);
  const droppedAudio = dropDebugAudio(recordings, transcripts, now, logger);
  const seals: Seals = (projectId, roomId) => keys.inForce(projectId, roomId);
  const bots = new BotSupervisor(
    sessions,
    transcripts,
    projectSettings,
    engine,
    seals,
    recordings,
    () => speech.load(),
    logger,
    now,
  );
  const sealsForNewcomer: Seals = async (projectId, roomId) => {
    await bots.expect({ projectId, roomId });
    return seals(projectId, roomId);
  };
  const service = new RoomService(
    { rooms: (projectId) => engine.rooms(projectId), remove: evict },
    ledger,
    {
      sessionIn: async (projectId, roomId) => (await sessions.activeIn(projectId, roomId))?.id ?? null,
      isMuted: async (...where) => !(await enforcement.policy(...where)).publish,
    },
    now,
  );
  metrics.gauges('bots', 'Bots by state', 'state', () => bots.states());
  metrics.gauge('utterances_recognising', 'Utterances that wait for the recogniser, or are with it', () => {
    return bots.recognising;
  });
  const closed = closeRooms(
    {
      projects: rooms.projects,
      close: async (projectId) => {
        bots.wake();
        await rooms.close(projectId);
      },
    },
    projects,
    logger,
  );
  let unfollow = (): void => {};
  return {
    routes: roomApiRouter(service),
    router: roomRouter(engine, streams, tokens, admissionBy(enforcement), sealsForNewcomer, limits),
    parts: [
      part('rooms', engine),
      { name: 'speech', stop: () => speech.stop() },
      { name: 'room-news', start: () => news.start(follower), stop: () => news.stop() },
      {
        name: 'sanctions',
        start: () => {
          unfollow = followModeration(follower, enforcement, logger);
        },
        stop: () => unfollow(),
      },
      { name: 'presence', start: () => presence.start(engine), stop: () => presence.stop() },
      part('room-occupancy', occupancy),
      { name: 'recordings', start: () => recordings.start() },
      part('drop-debug-audio', droppedAudio),
      part('close-rooms', closed),
    ],
    lookForSpeech: () => bots.lookForSpeech(),
    bots: { name: 'bots', start: () => bots.start(follower), stop: () => bots.stop() },
  };
}

const admissionBy = (enforcement: Enforcement): Admission => ({
  admit: async ({ projectId, roomId }, externalUserId) => {
    const { banned, ...policy } = await enforcement.policy(projectId, roomId, externalUserId);
    refuseBanned(banned);
    const { publish, audible, speakingSecondsPerMinute } = policy;
    return { publish, audible, speakingSecondsPerMinute };
  },
  enforce: (projectId, externalUserId) => enforcement.enforce(projectId, [externalUserId]),
});
