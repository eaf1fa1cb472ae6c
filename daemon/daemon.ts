/** The composition root: builds the whole graph and states the order in which it starts and stops. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { composeDesk } from './admin-socket/desk-OLD.js';
import { operations } from './admin-socket/operations.js';
import { ControlServer } from './admin-socket/server.js';
import { composeForgetting } from './compose/forgetting.js';
import { applyChallengeTime } from './modules/gameplay/apply-challenge-time.js';
import { erasePlayer } from './modules/gameplay/erasure.js';
import { composeGameplay } from './modules/gameplay/module.js';
import { composeGatherings } from './modules/gatherings/module.js';
import { moveGatherings } from './modules/gatherings/move-gatherings.js';
import { bootstrap, type FirstAdministrator, type FirstProject } from './modules/identity/accounts/bootstrap.js';
import { AccountStore } from './modules/identity/accounts/store.js';
import { composeAccess } from './modules/identity/module.js';
import { IngestService } from './modules/ingest/ingest.js';
import { composeModeration } from './modules/moderation/module.js';
import { expireSanctions } from './modules/moderation/sanctions/expire-sanctions.js';
import { composeMqtt } from './modules/mqtt/module.js';
import { composeHistory } from './modules/people/module.js';
import { ParticipantNotes } from './modules/people/notes.js';
import { participantRecordRouter, participantRouter } from './modules/people/routes.js';
import { ParticipantService } from './modules/people/service.js';
import { ParticipantStore } from './modules/people/store.js';
import { composeProjectRemoval, composeProjects, signingProjects } from './modules/projects/module.js';
import { projectRouter } from './modules/projects/routes.js';
import { settingsRouter } from './modules/projects/settings/routes.js';
import { composeRetention } from './modules/retention-OLD.js';
import { roomEffects } from './modules/rooms/media/room-effects.js';
import { composeRooms } from './modules/rooms/module.js';
import { DebugAudio } from './modules/sessions/bot/debug-audio.js';
import { eraseWords } from './modules/sessions/erasure.js';
import { SpokenEvidence } from './modules/sessions/evidence.js';
import { MessageStore } from './modules/sessions/message-store.js';
import { composeVoice } from './modules/sessions/module.js';
import { sessionRouter } from './modules/sessions/routes.js';
import { SessionService } from './modules/sessions/service.js';
import { SessionStore } from './modules/sessions/store.js';
import { TranscriptService } from './modules/sessions/transcripts.js';
import { SseHub } from './modules/streams/hub.js';
import { eventRouter } from './modules/streams/routes.js';
import { EventTraces } from './modules/streams/trace.js';
import { composeWebhooks } from './modules/webhooks/module.js';
import { WebhookStore } from './modules/webhooks/store.js';
import { type Clock, systemClock } from './platform/clock.js';
import { roles as everyRole, type Role, type Settings } from './platform/config/schema.js';
import { adminPasswordFile } from './platform/data-folder.js';
import { dropLeftovers } from './platform/database/drop-leftovers.js';
import { keepEventLog } from './platform/events/keep-event-log.js';
import { LogRetention } from './platform/events/retention.js';
import { type Foundation, openFoundation } from './platform/foundation.js';
import { createApp } from './platform/http/app.js';
import type { BoundRoute } from './platform/http/bind.js';
import type { Member } from './platform/http/caller.js';
import { composeConnections } from './platform/http/connections-OLD.js';
import { composeEdge } from './platform/http/edge-OLD.js';
import { notBuiltRouter } from './platform/http/not-built.js';
import { openApiRouter } from './platform/http/openapi.js';
import { pageRouter } from './platform/http/pages.js';
import { RateLimits } from './platform/http/rate-limits.js';
import { HttpListener } from './platform/http/server.js';
import { upgradeRouter } from './platform/http/upgrades.js';
import { IdempotencyStore } from './platform/idempotency/store.js';
import { Deadline } from './platform/lifecycle/deadline.js';
import { Lifecycle, type Parts, part } from './platform/lifecycle/lifecycle.js';
import { composeObservability, countEvents } from './platform/observability/compose-OLD.js';
import type { Logger } from './platform/observability/logger.js';
import { Metrics } from './platform/observability/metrics.js';
import { Outbound } from './platform/outbound/outbound.js';
import { installationKey } from './platform/secrets/stores.js';
import { version } from './platform/version.js';

/** Open requests may finish for this long when the daemon stops. */
const httpGraceMs = 2_000;
/** What has not stopped by then is left behind; what comes after it, closing the database, gets the rest. */
const partsStopMs = 4_500;
/** From being told to stop until everything has ended. */
const stopMs = 5_000;

export interface Addresses {
  readonly http: string;
  readonly mqtt: string;
  /** UDP port of the voice rooms; 0 where this daemon has none. */
  readonly media: number;
}

export class Daemon {
  private readonly lifecycle: Lifecycle;
  private foundation: Foundation | null = null;
  private listener: HttpListener | null = null;
  private mqttUrl: () => string = () => '';
  private mediaPort: () => number = () => 0;
  /** Told once, by the first start of an installation. */
  firstAdministrator: FirstAdministrator | null = null;

  constructor(
    private readonly settings: Settings,
    private readonly logger: Logger,
    private readonly now: Clock = systemClock,
  ) {
    this.lifecycle = new Lifecycle(logger);
  }

  get addresses(): Addresses {
    return { http: this.listener?.url ?? '', mqtt: this.mqttUrl(), media: this.mediaPort() };
  }

  async start(): Promise<void> {
    const foundation = await openFoundation(this.settings, this.now, this.logger);
    this.foundation = foundation;
    try {
      await this.lifecycle.start(await this.compose(foundation));
    } catch (error) {
      await this.stop();
      throw error;
    }
    this.logger.info({ ...this.addresses, version }, 'listening');
  }

  /** Within five seconds, whoever hangs. */
  async stop(): Promise<void> {
    const deadline = new Deadline(stopMs);
    await this.lifecycle.stop(new Deadline(partsStopMs));
    const closed = this.foundation?.close() ?? Promise.resolve();
    this.foundation = null;
    if (!(await deadline.met(closed))) this.logger.warn('the database took too long to close');
  }

  private async makeAdministrator({ database, dataDir }: Foundation, firstProject: FirstProject): Promise<void> {
    const { settings, now } = this;
    this.firstAdministrator = await bootstrap(database, new AccountStore(database), firstProject, now, {
      email: settings.EARSHOT_ADMIN_EMAIL,
      password: settings.EARSHOT_ADMIN_PASSWORD?.reveal() ?? null,
      keep: (password) => writeFileSync(adminPasswordFile(dataDir), `${password}\n`, { mode: 0o600, flush: true }),
    });
  }

  private async compose(foundation: Foundation): Promise<Parts> {
    const { settings, logger, now } = this;
    const { database, box, log, wakeUps, follower, dataDir } = foundation;
    const { EARSHOT_HOST: host, EARSHOT_PORT: port, EARSHOT_TLS_CERT: cert, EARSHOT_TLS_KEY: key } = settings;
    const tls = cert === undefined || key === undefined ? null : { cert, key };
    const metrics = new Metrics(version);
    const connections = composeConnections(settings, metrics, logger);
    const listener = new HttpListener(host, port, tls, 'EARSHOT_PORT', logger, undefined, connections.http);
    this.listener = listener;
    const publicUrl = () => settings.EARSHOT_PUBLIC_URL ?? listener.url;
    const quotaBytes = settings.EARSHOT_DEBUG_AUDIO_QUOTA_MB * 1024 * 1024;
    const recordings = new DebugAudio(join(dataDir, 'audio'), quotaBytes);
    const keyFor = (name: string) => installationKey(database, box, now, name);

    const composedProjects = composeProjects(foundation, settings, logger, now);
    const { projectStore, projects, projectSettings, firstProject } = composedProjects;
    const tokenKey = await keyFor('user-tokens');
    const composedAccess = await composeAccess({
      ...{ database, tokenKey, publicUrl, settings, logger, now },
      projects: projectStore,
    });
    const { access, mail } = composedAccess;
    const outbound = new Outbound(settings.EARSHOT_OUTBOUND_ALLOW ?? []);
    const participantStore = new ParticipantStore(database);
    const sessionStore = new SessionStore(database);
    const webhookStore = new WebhookStore(database);
    const idempotency = new IdempotencyStore(database);
    const forgetting = composeForgetting(database, webhookStore, now);

    log.onStored((events) => countEvents(metrics, events));
    log.onUnreadable((eventId, error) => {
      metrics.passedOver();
      logger.error({ eventId, err: error }, 'an event of the log cannot be read; it is passed over');
    });
    const rooms = composeRooms({
      ...{ foundation, projectSettings, outbound, publicUrl, metrics, settings, logger, now },
      projects: projectStore,
      streamPlaces: connections.streams,
      policies: { policy: (...where) => enforcement.policy(...where) },
      tokenKey: await keyFor('room-tokens'),
    });
    const moderation = composeModeration({
      ...{ database, log, now },
      participants: participantStore,
      sessions: {
        known: (projectId, ids) => sessions.known(projectId, ids),
        roomsOf: (projectId, ids) => sessions.roomsOf(projectId, ids),
      },
      effects: roomEffects(rooms.engine, rooms.streams),
      evidence: new SpokenEvidence(database, now),
      erasureKey: await keyFor('erased-bans'),
    });
    const { sanctions, enforcement } = moderation;
    const participants = new ParticipantService(
      database,
      log,
      participantStore,
      {
        dismiss: async (projectId, externalUserId) =>
          void (await rooms.evict(projectId, null, externalUserId, 'kicked')),
        telling: [erasePlayer, (...person) => gatherings.forget(...person)],
        silent: [
          eraseWords(recordings),
          moderation.erase,
          async (...person) => void (await log.redact(...person)),
          (...person) => webhookStore.redact(...person, now()),
          (...person) => idempotency.redact(...person),
        ],
        erased: async (projectId, externalUserId) => {
          await enforcement.enforce(projectId, [externalUserId]);
          await database.dropLeftovers();
        },
      },
      now,
    );
    const sessions = new SessionService(database, log, sessionStore, projectSettings, publicUrl, now);
    const transcripts = new TranscriptService(
      database,
      log,
      sessionStore,
      new MessageStore(database),
      participants,
      projectSettings,
      now,
    );
    const gatherings = composeGatherings({
      ...{ database, log, sanctions, sessions, now },
      participants: participantStore,
      standings: enforcement,
      postman: mail,
      forgetting,
    });
    const notes = new ParticipantNotes(database, participantStore, now);
    const history = composeHistory({ log, participants: participantStore, transcripts, notes, moderation });
    const gameplay = composeGameplay(database, log, await keyFor('player-tokens'), now);
    const limits = new RateLimits({
      perCredential: settings.EARSHOT_RATE_LIMIT_CREDENTIAL,
      perAddress: settings.EARSHOT_RATE_LIMIT_ADDRESS,
    });
    const voice = composeVoice({
      ...{ foundation, rooms, projectSettings, participants, sessions, sessionStore, transcripts },
      ...{ enforcement, recordings, limits, settings, metrics, logger, now },
      projects: projectStore,
    });
    const webhooks = composeWebhooks({
      ...{ database, log, wakeUps, store: webhookStore, box, outbound, metrics, logger, now },
      playerToken: (player) => gameplay.tokens.sign(player),
      retentionDays: settings.EARSHOT_DELIVERY_RETENTION_DAYS,
    });
    const readership = {
      reach: async (caller: Member, projectId: string | null) => {
        const current = await composedAccess.current(caller);
        return current === null ? null : access.reach(current, projectId);
      },
    };
    const streams = new SseHub(log, follower, readership, logger, connections.streams);
    const ingest = new IngestService(database, log, signingProjects(composedProjects), now);
    const mqtt = composeMqtt({
      ...{ settings, logger, follower, listener, gameplay, connections },
      ...composedAccess,
      projects: projectStore,
    });
    this.mqttUrl = mqtt.url;
    metrics.gauge('event_streams', 'Event streams that are open', () => streams.size);
    metrics.gauge('mqtt_connections', 'Clients that are connected by MQTT', mqtt.connected);
    metrics.gauge('intake_waiting', 'Game events that wait to be stored', () => gameplay.intake.waiting);

    const routes: BoundRoute[] = [
      ...composedAccess.routes,
      ...projectRouter(projects),
      ...settingsRouter(projectSettings),
      ...participantRouter(participants),
      ...participantRecordRouter(history, notes),
      ...moderation.routes,
      ...gatherings.routes,
      ...sessionRouter(sessions, transcripts, (name) => recordings.pathOf(name)),
      ...gameplay.routes(sanctions),
      ...rooms.routes,
      ...voice.routes,
      ...webhooks.routes,
      ...eventRouter(streams, ingest, new EventTraces(log, webhooks.deliveries)),
    ];
    const edge = composeEdge({
      ...{ gameplay, ingest, idempotency, limits, now },
      access: composedAccess,
      projects: projectStore,
    });
    const duties = new Set<Role>(settings.EARSHOT_ROLES ?? everyRole);
    this.mediaPort = () => (duties.has('voice') ? rooms.engine.port : 0);
    const only = <T>(role: Role, ...parts: T[]): T[] => (duties.has(role) ? parts : []);
    const observability = composeObservability(
      settings,
      metrics,
      [
        { part: 'database', look: () => database.answers() },
        ...only('voice', { part: 'rooms', look: () => rooms.engine.problem }),
      ],
      edge,
      logger,
    );
    const openApi = openApiRouter(() => ({ version, serverUrl: publicUrl() }), limits);
    const app = createApp({
      routes: only('http', ...routes),
      edge,
      routers: [
        ...observability.routers,
        ...only('voice', voice.router),
        pageRouter(),
        upgradeRouter(listener.upgrades),
        ...only('http', openApi, notBuiltRouter()),
      ],
      trustedProxies: settings.EARSHOT_TRUSTED_PROXIES ?? [],
      corsOrigins: settings.EARSHOT_CORS_ORIGINS ?? [],
      log: logger,
      answered: (answer) => metrics.answered(answer),
    });
    const desk = { ...composeDesk(foundation, settings, logger, now), lookForSpeech: voice.lookForSpeech };
    const control = new ControlServer(dataDir, operations, desk, logger);
    const retention = new LogRetention(database, log, settings.EARSHOT_EVENT_RETENTION_DAYS, now);
    const personalData = composeRetention({
      ...{ database, forgetting, idempotency, recordings, settings, logger, now },
      settingsStore: composedProjects.settingsStore,
    });
    const removal = composeProjectRemoval(database, rooms, recordings, logger);
    return [
      part('follower', follower),
      ...only(
        'jobs',
        part('expire-sanctions', expireSanctions(moderation.terms, logger)),
        part('move-gatherings', moveGatherings(gatherings.moves, logger)),
        {
          name: 'ready-marks',
          start: () => gatherings.delays.start(follower, logger),
          stop: () => gatherings.delays.stop(),
        },
        part('apply-challenge-time', applyChallengeTime(gameplay.challenges, logger)),
        part('drop-leftovers', dropLeftovers(database, logger)),
        part('keep-event-log', keepEventLog(retention, logger)),
        part('keep-personal-data', personalData),
        part('remove-projects', removal),
      ),
      part('control', control),
      { name: 'mail', stop: () => gatherings.letters.stop().finally(() => mail.close()) },
      { name: 'intake', stop: () => gameplay.intake.stop() },
      ...only('delivery', ...webhooks.jobs),
      ...only('voice', ...voice.parts),
      [
        ...only('delivery', webhooks.dispatch),
        ...only('voice', voice.bots),
        ...observability.parts,
        // Whatever its duties, a daemon answers for its health; and voice and MQTT over WebSocket come in by HTTP too.
        { name: 'http', start: () => listener.start(app), stop: () => listener.stop(httpGraceMs) },
      ],
      // Last in, first out: the HTTP server waits for its WebSockets when it closes.
      ...only('broker', part('mqtt', mqtt.delivery)),
      ...only('voice', part('room-streams', rooms.streams)),
      ...only('http', part('streams', streams)),
      // When everything else has started: whoever ends early, for want of a port, has not used up the one password.
      { name: 'first-administrator', start: () => this.makeAdministrator(foundation, firstProject) },
    ];
  }
}
