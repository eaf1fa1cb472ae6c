/** Voice sessions: the transcripts, the bots that write them, and the recognisers. */
import { join } from 'node:path';
import { type Module, type ModulePart, modulePart } from '../../platform/module.js';
import type { ScrapedMetric } from '../../platform/observability/metrics.js';
import type { Platform } from '../../platform/platform.js';
import type { ParticipantDirectory } from '../people/directory.js';
import type { HistorySource } from '../people/history.js';
import type { AnnotationReader } from '../plugins/annotations/reader.js';
import type { ProjectDirectory } from '../projects/directory.js';
import type { RoomCarrier } from '../rooms/carrier.js';
import type { RoomKey } from '../rooms/media/engine.js';
import type { EventDataRedaction } from '../webhooks/event-data-redaction.js';
import { speechOperations } from './admin-operations.js';
import { DebugAudio } from './bot/debug-audio.js';
import { BotHistory } from './bot/history.js';
import { botLimit } from './bot-limit.js';
import { SessionDirectory } from './directory.js';
import { dropDebugAudio } from './drop-debug-audio.js';
import { eraseWords } from './erasure.js';
import { SpokenEvidence } from './evidence.js';
import { SpeechLoader } from './load-speech.js';
import { MessageStore } from './message-store.js';
import { MessageView } from './message-view.js';
import { messageRecords } from './person-records-store.js';
import { RoomPresence } from './presence.js';
import { RecentErasures } from './recent-erasures.js';
import { recordingRemoval } from './removal.js';
import { TranscriptRetention } from './retention.js';
import { messageRouter, sessionRouter } from './routes.js';
import { fillIndex } from './search/fill-index.js';
import { MessageSearch } from './search/search-service.js';
import { SearchStore } from './search/search-store.js';
import { SessionService } from './service.js';
import { transcriberSettings } from './speech-settings.js';
import { SessionStore } from './store.js';
import { BotSupervisor } from './supervisor.js';
import { TranscriptErasure } from './transcript-erasure.js';
import { TranscriptReader } from './transcript-reader.js';
import { TranscriptService } from './transcripts.js';

/** Readers that other modules can use before anything listens. */
export interface SessionReaders {
  readonly directory: SessionDirectory;
  readonly evidence: SpokenEvidence;
  readonly transcripts: TranscriptReader;
  readonly view: MessageView;
}

export function sessionReaders(
  { database, now }: Platform,
  { projects, annotations }: { readonly projects: ProjectDirectory; readonly annotations: AnnotationReader },
): SessionReaders {
  const view = new MessageView(projects.settings, now);
  const [sessions, messages] = [new SessionStore(database), new MessageStore(database)];
  return {
    directory: new SessionDirectory(sessions),
    evidence: new SpokenEvidence(messages, annotations, view),
    transcripts: new TranscriptReader(sessions, messages),
    view,
  };
}

interface SessionNeeds {
  readonly projects: ProjectDirectory;
  readonly participants: ParticipantDirectory;
  readonly carrier: RoomCarrier;
  readonly readers: SessionReaders;
  readonly annotations: AnnotationReader;
  readonly redaction: EventDataRedaction;
}

export interface Sessions extends Module {
  readonly directory: SessionDirectory;
  readonly service: SessionService;
  readonly history: readonly HistorySource[];
  readonly transcripts: Pick<TranscriptService, 'lastOf' | 'note'>;
  /** Resolves once the bot of the room listens there, so that the first words are not missed. */
  expectBot(room: RoomKey): Promise<void>;
  /** Makes the supervisor compare desired and running bots now. */
  compareBots(): void;
  /** Counts utterances that wait for the recogniser, or are with it. */
  utterancesWaiting(): number;
}

export function sessionsModule(platform: Platform, needs: SessionNeeds): Sessions {
  const { database, dataDir, settings, log, logger } = platform;
  const recordings = new DebugAudio(join(dataDir, 'audio'), settings.EARSHOT_DEBUG_AUDIO_QUOTA_MB * 1024 * 1024);
  const words = wordsOf(platform, needs, recordings);
  const { service, transcripts, messages, index, erasures, retention } = words;
  const { bots, parts, metrics } = botsOf(platform, needs, words, recordings);
  return {
    name: 'sessions',
    directory: needs.readers.directory,
    service,
    transcripts,
    history: [
      {
        scope: 'messages:read',
        read: ({ projectId, externalUserId }, limit) => transcripts.history(projectId, externalUserId, limit),
      },
    ],
    expectBot: (room) => bots.expect(room),
    compareBots: () => bots.wake(),
    utterancesWaiting: () => bots.recognising,
    routes: [
      ...sessionRouter(service, new BotHistory(log, service), transcripts, needs.annotations, (name) =>
        recordings.pathOf(name),
      ),
      ...messageRouter(new MessageSearch(index, messages, words.store, needs.readers.view, needs.annotations)),
    ],
    parts: [modulePart('fill-message-index', fillIndex(database, index, logger), { role: 'jobs' }), ...parts],
    metrics,
    operations: speechOperations(bots),
    keeps: [{ kind: 'messages', prune: (limit) => retention.prune(limit) }],
    personRecords: messageRecords(database, {
      view: needs.readers.view,
      annotated: (messages) => needs.annotations.beside(messages),
      audioPath: (name) => recordings.pathOf(name),
    }),
    person: eraseWords(database, messages, recordings, erasures),
    personMove: { move: (...person) => index.move(...person) },
    project: { removeSome: recordingRemoval(messages, recordings) },
  };
}

/** Sessions and what is said in them: stored, read, forgotten. */
function wordsOf(
  { database, log, publicUrl, settings, now }: Platform,
  { projects, participants, readers: { view }, redaction }: SessionNeeds,
  recordings: DebugAudio,
) {
  const store = new SessionStore(database);
  const messages = new MessageStore(database);
  const words = new TranscriptErasure(messages, recordings, redaction);
  const erasures = new RecentErasures(now);
  return {
    store,
    messages,
    erasures,
    index: new SearchStore(database),
    service: new SessionService({
      database,
      log,
      sessions: store,
      words,
      settings: projects.settings,
      publicUrl,
      botLimit: botLimit(database, store, settings.EARSHOT_BOTS_PROJECT),
      now,
    }),
    transcripts: new TranscriptService({ database, log, sessions: store, messages, participants, view, erasures, now }),
    retention: new TranscriptRetention(database, messages, () => projects.keptTranscripts(), words, now),
  };
}

/** The bots, what they hear by, and who is in the rooms that they hear. */
function botsOf(
  { database, log, follower, dataDir, settings, logger, now, processFaults }: Platform,
  { projects, participants, carrier, readers: { directory } }: SessionNeeds,
  { service, transcripts, erasures }: Pick<ReturnType<typeof wordsOf>, 'service' | 'transcripts' | 'erasures'>,
  recordings: DebugAudio,
) {
  const about = {
    people: participants,
    sessions: directory,
    transcripts,
    tenantOf: projects.tenantOf,
    erasures,
    role: carrier.role,
  };
  const presence = new RoomPresence(database, log, about, logger, now);
  const speech = new SpeechLoader(transcriberSettings(settings, dataDir), logger, processFaults.of('speech'));
  const bots = new BotSupervisor({
    sessions: service,
    transcripts,
    settings: projects.settings,
    rooms: carrier.engine,
    role: carrier.role,
    note: (session, line) => database.transaction((tx) => transcripts.note(tx, session, null, line)),
    encryptionKey: (...room) => carrier.keys.inForce(...room),
    recordings,
    loadSpeech: () => speech.load(),
    log: logger,
    now,
  });
  const voice = { role: 'voice' } as const;
  const parts: readonly ModulePart[] = [
    { name: 'speech', ...voice, stop: () => speech.stop() },
    modulePart('presence', { start: () => presence.start(carrier.engine), stop: () => presence.stop() }, voice),
    { name: 'recordings', ...voice, start: () => recordings.start() },
    modulePart('drop-debug-audio', dropDebugAudio(recordings, transcripts, now, logger), voice),
    // Bots finish the current utterances first, which takes a while.
    modulePart('bots', { start: () => bots.start(follower), stop: () => bots.stop() }, { ...voice, stage: 'serving' }),
  ];
  const metrics: readonly ScrapedMetric[] = [
    { name: 'bots', help: 'Bots by state', label: 'state', read: () => bots.states() },
    {
      name: 'utterances_recognising',
      help: 'Utterances that wait for the recogniser, or are with it',
      read: () => bots.recognising,
    },
  ];
  return { bots, parts, metrics };
}
