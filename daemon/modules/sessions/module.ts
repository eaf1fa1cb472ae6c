/** Part of the composition root: what goes on in the rooms: people come and go, bots listen, news arrives. */
import type { Clock } from '../../platform/clock.js';
import type { Settings } from '../../platform/config/schema.js';
import type { Foundation } from '../../platform/foundation.js';
import type { BoundRoute } from '../../platform/http/bind.js';
import type { RateLimits } from '../../platform/http/rate-limits.js';
import { type Part, part } from '../../platform/lifecycle/lifecycle.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import { followModeration } from '../moderation/module.js';
import type { Enforcement } from '../moderation/sanctions/enforcement.js';
import type { ParticipantService } from '../people/service.js';
import type { SettingsService } from '../projects/settings/service.js';
import type { ProjectStore } from '../projects/store.js';
import { closeRooms } from '../rooms/close-rooms.js';
import { RoomOccupancy } from '../rooms/media/occupancy.js';
import { RoomNews } from '../rooms/media/room-news.js';
import { type Admission, roomRouter, type Seals } from '../rooms/media/routes.js';
import type { ComposedRooms } from '../rooms/module.js';
import { roomApiRouter } from '../rooms/routes.js';
import { RoomService } from '../rooms/service.js';
import { refuseBanned } from '../rooms/tokens/service.js';
import type { DebugAudio } from './bot/debug-audio.js';
import { dropDebugAudio } from './drop-debug-audio.js';
import { SpeechLoader } from './load-speech.js';
import { RoomPresence } from './presence.js';
import type { SessionService } from './service.js';
import { transcriberSettings } from './speech-settings.js';
import type { SessionStore } from './store.js';
import { BotSupervisor } from './supervisor.js';
import type { TranscriptService } from './transcripts.js';

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
