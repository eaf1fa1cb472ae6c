/** Voice sessions: the transcripts, the bots that write them, and the recognisers. */
import { join } from 'node:path';
import { type Module, type ModulePart, modulePart } from '../../platform/module.js';
import type { ScrapedMetric } from '../../platform/observability/metrics.js';
import type { Platform } from '../../platform/platform.js';
import type { Records } from '../../records.js';
import type { HistorySource } from '../people/history.js';
import { speechOperations } from './admin-operations.js';
import { DebugAudio } from './bot/debug-audio.js';
import { evidenceMemory } from './bot/evidence-buffer.js';
import { BotHistory } from './bot/history.js';
import { botLimit } from './bot-limit.js';
import type { RoomKeyLookup } from './bot-settings.js';
import { dropDebugAudio } from './drop-debug-audio.js';
import { eraseWords } from './erasure.js';
import { mixSounds, packSound, recordedSounds, type SoundForReports, soundAfter } from './evidence-sound.js';
import type { HeardRooms } from './heard-rooms.js';
import { SpeechLoader } from './load-speech.js';
import { PartialMessages } from './partial-messages.js';
import { PartialRelay } from './partial-relay.js';
import { messagePersonRecords } from './person-records-store.js';
import { RoomPresence } from './presence.js';
import { RecentErasures } from './recent-erasures.js';
import type { RecognitionQueueOptions } from './recognisers/recognition-queue.js';
import { recordingRemoval } from './removal.js';
import { TranscriptRetention } from './retention.js';
import type { VoiceRole } from './room-takeover.js';
import { messageRouter, sessionRouter } from './routes.js';
import { fillIndex } from './search/fill-index.js';
import { MessageSearch } from './search/search-service.js';
import { SessionService } from './service.js';
import { recognitionLimitOf, transcriberSettings } from './speech-settings.js';
import { BotSupervisor } from './supervisor.js';
import { TranscriptErasure } from './transcript-erasure.js';
import { TranscriptService } from './transcripts.js';
import { VoiceAbsence } from './voice-absence.js';

interface SessionNeeds {
  /** The rooms that bots hear. */
  readonly carrier: { readonly engine: HeardRooms; readonly role: VoiceRole; readonly keys: RoomKeyLookup };
}

export interface Sessions extends Module {
  readonly service: SessionService;
  readonly history: readonly HistorySource[];
  readonly transcripts: Pick<TranscriptService, 'lastOf' | 'note'>;
  readonly bots: BotSupervisor;
  /** What people are saying, while they say it. */
  readonly partials: PartialMessages;
  /** Sound that bots hold in memory for reports. */
  readonly sound: SoundForReports;
}

export function sessionsModule(platform: Platform, records: Records, needs: SessionNeeds): Sessions {
  const { database, dataDir, settings, log, jobs, logger } = platform;
  const recordings = new DebugAudio(join(dataDir, 'audio'), () => settings.EARSHOT_DEBUG_AUDIO_QUOTA_MB * 1024 * 1024);
  const { store, messages, index, view } = records.sessions;
  const { annotationReader } = records.plugins;
  const words = wordsOf(platform, records, recordings);
  const { service, transcripts, erasures, retention } = words;
  const partials = new PartialMessages();
  const relay = new PartialRelay(partials, platform.wakeUps);
  const { bots, parts, metrics } = botsOf(platform, records, needs, words, recordings, partials);
  return {
    name: 'sessions',
    service,
    transcripts,
    history: [
      {
        scope: 'messages:read',
        read: ({ projectId, externalUserId }, limit) => transcripts.history(projectId, externalUserId, limit),
      },
    ],
    bots,
    partials,
    sound: {
      held: (room) => bots.heldSound(room).map(packSound),
      keepsAudio: view.keepsAudio,
      recorded: recordedSounds(messages, recordings, platform.now),
      after: soundAfter,
      mix: mixSounds,
    },
    routes: [
      ...sessionRouter(service, new BotHistory(log, service), transcripts, annotationReader, recordings),
      ...messageRouter(new MessageSearch(index, messages, store, view, annotationReader)),
    ],
    parts: [
      modulePart('fill-message-index', fillIndex(database, index, jobs, logger), { role: 'jobs' }),
      modulePart('partial-relay', relay),
      ...parts,
    ],
    metrics,
    probes: [{ role: 'voice', probe: { part: 'transcripts', isWarning: true, check: () => bots.problem } }],
    operations: speechOperations(bots),
    keeps: [retention],
    personRecords: messagePersonRecords(database, {
      view,
      annotations: annotationReader,
      recordings,
    }),
    person: eraseWords(database, messages, recordings, erasures),
    personMove: index,
    project: { removeSome: recordingRemoval(messages, recordings) },
  };
}

/** Sessions and what is said in them: stored, read, forgotten. */
function wordsOf(
  { database, idempotency, log, publicUrl, settings, now }: Platform,
  { sessions, projects, people, webhooks, moderation }: Records,
  recordings: DebugAudio,
) {
  const { store, messages, view } = sessions;
  const words = new TranscriptErasure(messages, recordings, webhooks.redaction, idempotency);
  const erasures = new RecentErasures(now);
  return {
    erasures,
    service: new SessionService({
      database,
      log,
      sessions: store,
      words,
      settings: projects.settings,
      people: people.directory,
      publicUrl,
      botLimit: botLimit(database, store, () => settings.EARSHOT_BOTS_PROJECT),
      now,
    }),
    transcripts: new TranscriptService({
      ...{ database, log, sessions: store, messages, view, erasures, now },
      participants: people.directory,
      rooms: sessions.directory,
      writers: moderation.policies,
    }),
    retention: new TranscriptRetention(database, messages, projects.settingsStore, words, now),
  };
}

/** The bots, what they hear by, and who is in the rooms that they hear. */
function botsOf(
  { database, log, follower, dataDir, settings, jobs, logger, now, processFaults, metrics }: Platform,
  { projects, people, reports, sessions: { directory } }: Records,
  { carrier }: SessionNeeds,
  { service, transcripts, erasures }: Pick<ReturnType<typeof wordsOf>, 'service' | 'transcripts' | 'erasures'>,
  recordings: DebugAudio,
  partials: PartialMessages,
) {
  const about = {
    people: people.directory,
    sessions: directory,
    resumeIdled: service.resumeIdled.bind(service),
    transcripts,
    projects: projects.store,
    erasures,
    role: carrier.role,
  };
  const presence = new RoomPresence(database, log, about, logger);
  const speech = new SpeechLoader(
    { ...transcriberSettings(settings, dataDir), limit: recognitionLimitOf(settings) },
    logger,
    processFaults.reporterFor('speech'),
    recognitionMetric(metrics),
  );
  const bots = new BotSupervisor({
    database,
    sessions: service,
    directory,
    transcripts,
    settings: projects.settings,
    rooms: carrier.engine,
    role: carrier.role,
    keys: carrier.keys,
    evidence: evidenceMemory(settings.EARSHOT_EVIDENCE_MB * 1024 * 1024),
    evidenceSeconds: async (projectId) =>
      Math.min(settings.EARSHOT_EVIDENCE_SECONDS, (await reports.settings.get(projectId)).evidenceSeconds),
    recordings,
    partials,
    people: people.directory,
    speech,
    log: logger,
    now,
  });
  const voice = { role: 'voice' } as const;
  const parts: readonly ModulePart[] = [
    modulePart('voice-absence', new VoiceAbsence({ sessions: service, role: carrier.role }, logger), { role: 'jobs' }),
    { name: 'speech', ...voice, stop: () => speech.stop() },
    modulePart('presence', { start: () => presence.start(carrier.engine), stop: () => presence.stop() }, voice),
    { name: 'recordings', ...voice, start: () => recordings.start() },
    modulePart('drop-debug-audio', dropDebugAudio(recordings, transcripts, now, jobs), voice),
    // Bots finish the current utterances first, which takes a while.
    modulePart('bots', { start: () => bots.start(follower), stop: () => bots.stop() }, { ...voice, stage: 'serving' }),
  ];
  const scraped: readonly ScrapedMetric[] = [
    { name: 'bots', help: 'Bots by state', label: 'state', read: () => bots.states() },
    {
      name: 'utterances_recognising',
      help: 'Utterances waiting for the recogniser or being recognised',
      read: () => bots.recognising,
    },
  ];
  return { bots, parts, metrics: scraped };
}

/** Says whether the recogniser keeps up: how many utterances are lost, and how late their text is. */
function recognitionMetric(metrics: Platform['metrics']): RecognitionQueueOptions['onSettled'] {
  const delays = metrics.histogram(
    'recognition_delay_seconds',
    'Time from the end of an utterance until it was recognised, dropped or failed',
    ['outcome'],
  );
  return (outcome, seconds) => delays.observe({ outcome }, seconds);
}
