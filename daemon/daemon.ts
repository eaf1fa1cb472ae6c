/** The composition root: builds the whole graph and states the order in which it starts and stops. */
import { join } from 'node:path';
import { openApiDocument } from '../src/contract/openapi.js';
import { type Clock, systemClock } from './clock.js';
import { composeDesk } from './compose-desk.js';
import { composeGameplay } from './compose-gameplay.js';
import { composeGatherings } from './compose-gatherings.js';
import { composeHistory } from './compose-history.js';
import { composeModeration, followModeration } from './compose-moderation.js';
import { composeMqtt } from './compose-mqtt.js';
import { composeObservability } from './compose-observability.js';
import { composeProjectRemoval, composeProjects } from './compose-projects.js';
import { composeExternalLogin, composeMail } from './compose-sign-in.js';
import { composeWebhooks } from './compose-webhooks.js';
import { roles as everyRole, type Role, type Settings } from './config/schema.js';
import { operations } from './control/operations.js';
import { ControlServer } from './control/server.js';
import { Outbound } from './delivery/outbound.js';
import { SseHub } from './delivery/sse/hub.js';
import type { LogFollower } from './events/follower.js';
import { LogRetention } from './events/retention.js';
import { LoginAttempts } from './features/accounts/attempts.js';
import { bootstrap, type FirstAdministrator } from './features/accounts/bootstrap.js';
import { accountRouter } from './features/accounts/router.js';
import { AccountService } from './features/accounts/service.js';
import { AccountStore } from './features/accounts/store.js';
import { UserTokens } from './features/accounts/user-tokens.js';
import { apiKeyRouter } from './features/api-keys/router.js';
import { ApiKeyService } from './features/api-keys/service.js';
import { ApiKeyStore } from './features/api-keys/store.js';
import { IngestService } from './features/events/ingest.js';
import { eventRouter } from './features/events/router.js';
import { EventTraces } from './features/events/trace.js';
import { erasePlayer } from './features/gameplay/erasure.js';
import { IdempotencyStore } from './features/idempotency/store.js';
import { ParticipantNotes } from './features/participants/notes.js';
import { participantRecordRouter, participantRouter } from './features/participants/router.js';
import { ParticipantService } from './features/participants/service.js';
import { ParticipantStore } from './features/participants/store.js';
import { Access } from './features/projects/access.js';
import { projectRouter, projectUserRouter } from './features/projects/router.js';
import { ProjectUserService } from './features/projects/users.js';
import { roomApiRouter } from './features/rooms/router.js';
import { RoomService } from './features/rooms/service.js';
import { eraseWords } from './features/sessions/erasure.js';
import { SpokenEvidence } from './features/sessions/evidence.js';
import { sessionRouter } from './features/sessions/router.js';
import { SessionService } from './features/sessions/service.js';
import { SessionStore } from './features/sessions/store.js';
import { settingsRouter } from './features/settings/router.js';
import { RoomTokenLedger } from './features/tokens/ledger.js';
import { RoomKeys } from './features/tokens/room-keys.js';
import { tokenRouter } from './features/tokens/router.js';
import { refuseBanned, TokenService } from './features/tokens/service.js';
import { WebhookStore } from './features/webhooks/store.js';
import { type Foundation, openFoundation } from './foundation.js';
import { createApp } from './http/app.js';
import { Authentication } from './http/authentication.js';
import { Authorisation } from './http/authorisation.js';
import type { BoundRoute, Edge } from './http/bind.js';
import type { Member } from './http/caller.js';
import { Idempotency } from './http/idempotency.js';
import { notBuiltRouter } from './http/not-built.js';
import { pageRouter } from './http/pages.js';
import { RateLimits } from './http/rate-limits.js';
import { HttpListener } from './http/server.js';
import { applyChallengeTime } from './jobs/apply-challenge-time.js';
import { dropDebugAudio } from './jobs/drop-debug-audio.js';
import { expireSanctions } from './jobs/expire-sanctions.js';
import { keepEventLog } from './jobs/keep-event-log.js';
import { moveGatherings } from './jobs/move-gatherings.js';
import { Lifecycle, type Part } from './lifecycle.js';
import type { Logger } from './observability/logger.js';
import { openApiRouter } from './observability/router.js';
import { installationKey } from './secrets/stores.js';
import { version } from './version.js';
import { DebugAudio } from './voice/bot/debug-audio.js';
import { SpeechLoader } from './voice/load-speech.js';
import { RoomPresence } from './voice/presence.js';
import { EmbeddedRooms } from './voice/rooms/embedded/engine.js';
import type { RoomKey } from './voice/rooms/engine.js';
import { RoomOccupancy } from './voice/rooms/occupancy.js';
import { roomEffects } from './voice/rooms/room-effects.js';
import { RoomNews } from './voice/rooms/room-news.js';
import { RoomStreams } from './voice/rooms/room-streams.js';
import { roomRouter } from './voice/rooms/router.js';
import { RoomTokens } from './voice/rooms/tokens.js';
import { BotSupervisor } from './voice/supervisor.js';

/** Open requests may finish for this long when the daemon stops. */
const httpGraceMs = 2_000;

export interface Addresses {
  readonly http: string;
  readonly mqtt: string;
}

export class Daemon {
  private readonly lifecycle: Lifecycle;
  private foundation: Foundation | null = null;
  private listener: HttpListener | null = null;
  private mqttUrl: () => string = () => '';
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
    return { http: this.listener?.url ?? '', mqtt: this.mqttUrl() };
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

  async stop(): Promise<void> {
    await this.lifecycle.stop();
    await this.foundation?.close();
    this.foundation = null;
  }

  private async compose(foundation: Foundation): Promise<Part[]> {
    const { settings, logger, now } = this;
    const { database, box, log, wakeUps, follower, dataDir } = foundation;
    const { EARSHOT_HOST: host, EARSHOT_PORT: port, EARSHOT_TLS_CERT: cert, EARSHOT_TLS_KEY: key } = settings;
    const listener = new HttpListener(
      host,
      port,
      cert === undefined || key === undefined ? null : { cert, key },
      'EARSHOT_PORT',
      logger,
    );
    this.listener = listener;
    const audioPath = (name: string) => join(dataDir, 'audio', name);
    const publicUrl = () => settings.EARSHOT_PUBLIC_URL ?? listener.url;

    const accountStore = new AccountStore(database);
    const { projectStore, projects, projectSettings, firstProject } = composeProjects(
      foundation,
      settings,
      logger,
      now,
    );
    const participantStore = new ParticipantStore(database);
    const sessionStore = new SessionStore(database);
    const webhookStore = new WebhookStore(database);
    const outbound = new Outbound(settings.EARSHOT_OUTBOUND_ALLOW ?? []);

    const access = new Access(projectStore);
    const mail = composeMail(settings, logger);
    const projectUsers = new ProjectUserService(database, projectStore, mail, publicUrl, now);
    const userTokens = new UserTokens(await installationKey(database, box, now, 'user-tokens'), accountStore, now);
    const accounts = new AccountService(
      database,
      accountStore,
      userTokens,
      new LoginAttempts(),
      projectUsers,
      composeExternalLogin(settings, logger, now),
      now,
    );
    const apiKeys = new ApiKeyService(database, new ApiKeyStore(database), access, now);
    const rooms = new EmbeddedRooms(
      {
        port: settings.EARSHOT_MEDIA_PORT,
        bindAddress: isLoopback(host) ? '127.0.0.1' : null,
        announcedAddress: settings.EARSHOT_MEDIA_ADDRESS ?? null,
      },
      logger,
    );
    const roomStreams = new RoomStreams(
      rooms,
      {
        encryption: async (projectId) => (await projectSettings.open(projectId))?.e2eEncryptionMode ?? 'disabled',
        told: (...where) => enforcement.policy(...where),
      },
      logger,
      now,
    );
    const moderation = composeModeration({
      database,
      log,
      participants: participantStore,
      sessions: {
        known: (projectId, ids) => sessions.known(projectId, ids),
        roomsOf: (projectId, ids) => sessions.roomsOf(projectId, ids),
      },
      effects: roomEffects(rooms, roomStreams),
      evidence: new SpokenEvidence(database, now),
      erasureKey: await installationKey(database, box, now, 'erased-bans'),
      now,
    });
    const { sanctions, enforcement } = moderation;
    const idempotency = new IdempotencyStore(database);
    const participants = new ParticipantService(
      database,
      log,
      participantStore,
      {
        dismiss: async (projectId, externalUserId) => void (await evict(projectId, null, externalUserId, 'kicked')),
        telling: [erasePlayer, (...person) => gatherings.forget(...person)],
        silent: [
          eraseWords(audioPath),
          moderation.erase,
          (...person) => log.redact(...person),
          (...person) => webhookStore.redact(...person),
          (...person) => idempotency.redact(...person),
        ],
        erased: (projectId, externalUserId) => enforcement.enforce(projectId, [externalUserId]),
      },
      now,
    );
    const sessions = new SessionService(database, log, sessionStore, participants, projectSettings, publicUrl, now);
    /** Out, and told so first: a browser notices a closed connection only after seconds. */
    const evict = async (projectId: string, roomId: string | null, userId: string, reason: 'kicked') => {
      const told = await roomStreams.remove(projectId, roomId, userId, reason);
      return [...told, ...(await rooms.remove(projectId, roomId, userId, reason))];
    };

    const gatherings = composeGatherings({
      database,
      log,
      participants: participantStore,
      sanctions,
      standings: enforcement,
      sessions,
      postman: mail,
      now,
    });
    const notes = new ParticipantNotes(database, participantStore, now);
    const history = composeHistory({ log, participants: participantStore, sessions, notes, moderation });
    const gameplay = composeGameplay(database, log, await installationKey(database, box, now, 'player-tokens'), now);
    const roomTokenLedger = new RoomTokenLedger(database, now);
    const roomTokens = new RoomTokens(await installationKey(database, box, now, 'room-tokens'), roomTokenLedger, now);
    const post = (url: string, headers: Record<string, string>, body: string) => outbound.post(url, headers, body);
    const roomKeys = new RoomKeys(database, projectSettings, box, now);
    const tokens = new TokenService(projectSettings, enforcement, roomKeys, roomTokens, post, publicUrl, now);
    const webhooks = composeWebhooks({
      ...{ database, log, wakeUps, store: webhookStore, box, outbound, logger, now },
      playerToken: (player) => gameplay.tokens.sign(player),
      retentionDays: settings.EARSHOT_DELIVERY_RETENTION_DAYS,
    });
    const current = (caller: Member): Promise<Member | null> =>
      caller.kind === 'user' ? userTokens.current(caller) : apiKeys.current(caller);
    const streams = new SseHub(
      log,
      follower,
      {
        reach: async (caller, projectId) => {
          const now = await current(caller);
          return now === null ? null : access.reach(now, projectId);
        },
      },
      logger,
    );
    const signing = {
      byBillingId: async (billingProjectId: string) => {
        const project = await projectStore.byBillingId(billingProjectId);
        const secret = project === null ? null : await projectSettings.secretOf(project.id);
        return project === null || secret === null
          ? null
          : { projectId: project.id, tenantId: project.tenantId, secret };
      },
    };
    const ingest = new IngestService(database, log, signing, now);

    this.firstAdministrator = await bootstrap(database, accountStore, firstProject, now, {
      email: settings.EARSHOT_ADMIN_EMAIL,
      password: settings.EARSHOT_ADMIN_PASSWORD?.reveal() ?? null,
    });

    const tenantOf = async (projectId: string) => (await projectStore.find(projectId))?.tenantId ?? null;
    const presence = new RoomPresence(database, log, participants, sessions, tenantOf, logger);
    const occupancy = new RoomOccupancy(rooms, roomKeys, logger);
    const speech = new SpeechLoader(
      {
        choice: settings.EARSHOT_TRANSCRIBER,
        dataDir,
        openai: {
          baseUrl: settings.EARSHOT_OPENAI_BASE_URL ?? null,
          apiKey: settings.EARSHOT_OPENAI_API_KEY?.reveal() ?? null,
          model: settings.EARSHOT_OPENAI_MODEL,
        },
        sherpaModelDir: settings.EARSHOT_SHERPA_MODEL_DIR ?? null,
      },
      logger,
    );
    const roomNews = new RoomNews(
      roomStreams,
      async (projectId, id) => (await sessionStore.find(projectId, id))?.externalRoomId ?? null,
      logger,
    );
    const recordings = new DebugAudio(join(dataDir, 'audio'), settings.EARSHOT_DEBUG_AUDIO_QUOTA_MB * 1024 * 1024);
    const debugAudio = dropDebugAudio(recordings, sessions, now, logger);
    const seals = (projectId: string, roomId: string) => roomKeys.inForce(projectId, roomId);
    const bots = new BotSupervisor(
      sessions,
      projectSettings,
      rooms,
      seals,
      recordings,
      () => speech.load(),
      logger,
      now,
    );
    const sealsForNewcomer = async (projectId: string, roomId: string) => {
      await bots.expect({ projectId, roomId });
      return seals(projectId, roomId);
    };
    const admission = {
      admit: async ({ projectId, roomId }: RoomKey, externalUserId: string) => {
        const { banned, publish, audible, speakingSecondsPerMinute } = await enforcement.policy(
          projectId,
          roomId,
          externalUserId,
        );
        refuseBanned(banned);
        return { publish, audible, speakingSecondsPerMinute };
      },
      enforce: (projectId: string, externalUserId: string) => enforcement.enforce(projectId, [externalUserId]),
    };
    const roomService = new RoomService(
      { rooms: (projectId) => rooms.rooms(projectId), remove: evict },
      roomTokenLedger,
      {
        sessionIn: async (projectId, roomId) => (await sessions.activeIn(projectId, roomId))?.id ?? null,
        isMuted: async (...where) => !(await enforcement.policy(...where)).publish,
      },
      now,
    );

    const routes: BoundRoute[] = [
      ...accountRouter(accounts, version),
      ...apiKeyRouter(apiKeys),
      ...projectRouter(projects),
      ...projectUserRouter(projectUsers),
      ...settingsRouter(projectSettings),
      ...participantRouter(participants),
      ...participantRecordRouter(history, notes),
      ...moderation.routes,
      ...gatherings.routes,
      ...sessionRouter(sessions, audioPath),
      ...gameplay.routes(sanctions),
      ...roomApiRouter(roomService),
      ...tokenRouter(tokens),
      ...webhooks.routes,
      ...eventRouter(streams, ingest, new EventTraces(log, webhooks.deliveries)),
    ];
    const edge: Edge = {
      authentication: new Authentication({
        userToken: (token) => userTokens.verify(token),
        apiKey: (apiKey) => apiKeys.verify(apiKey),
        playerToken: async (token) => {
          const player = await gameplay.tokens.caller(token);
          return player !== null && (await projectStore.tenantOf(player.projectId)) !== null ? player : null;
        },
        signature: (signed) => ingest.verify(signed),
      }),
      authorisation: new Authorisation(access),
      idempotency: new Idempotency(idempotency, now),
      limits: new RateLimits({
        perCredential: settings.EARSHOT_RATE_LIMIT_CREDENTIAL,
        perAddress: settings.EARSHOT_RATE_LIMIT_ADDRESS,
      }),
    };
    const duties = new Set<Role>(settings.EARSHOT_ROLES ?? everyRole);
    const only = (role: Role, ...parts: Part[]): Part[] => (duties.has(role) ? parts : []);
    const observability = composeObservability(
      settings,
      [
        { part: 'database', look: () => database.answers() },
        ...(duties.has('voice') ? [{ part: 'rooms', look: () => rooms.problem }] : []),
      ],
      logger,
    );
    const openApi = openApiDocument(
      routes.map(({ route }) => route),
      version,
    );
    const servesApi = duties.has('http');
    const app = createApp({
      routes: servesApi ? routes : [],
      edge,
      routers: [
        ...observability.routers,
        ...(duties.has('voice') ? [roomRouter(rooms, roomStreams, roomTokens, admission, sealsForNewcomer)] : []),
        pageRouter(),
        ...(servesApi ? [openApiRouter(openApi), notBuiltRouter()] : []),
      ],
      trustedProxies: settings.EARSHOT_TRUSTED_PROXIES ?? [],
      corsOrigins: settings.EARSHOT_CORS_ORIGINS ?? [],
      log: logger,
    });
    const control = new ControlServer(dataDir, operations, composeDesk(foundation, settings, logger, now), logger);
    const expiry = expireSanctions(moderation.terms, logger);
    const removeProjects = composeProjectRemoval(database, rooms, audioPath, logger);
    const timedGatherings = moveGatherings(gatherings.moves, logger);
    const retention = new LogRetention(database, log, settings.EARSHOT_EVENT_RETENTION_DAYS, now);
    const logKeeping = keepEventLog(retention, logger);
    const challengeTime = applyChallengeTime(gameplay.challenges, logger);
    const mqtt = composeMqtt({ settings, logger, follower, listener, gameplay, apiKeys, access });
    this.mqttUrl = mqtt.url;
    let unfollow = (): void => {};
    return [
      { name: 'follower', start: () => follower.start(), stop: () => follower.stop() },
      ...only(
        'jobs',
        { name: 'expire-sanctions', start: () => expiry.start(), stop: () => expiry.stop() },
        { name: 'move-gatherings', start: () => timedGatherings.start(), stop: () => timedGatherings.stop() },
        { name: 'apply-challenge-time', start: () => challengeTime.start(), stop: () => challengeTime.stop() },
        { name: 'keep-event-log', start: () => logKeeping.start(), stop: () => logKeeping.stop() },
        { name: 'remove-projects', start: () => removeProjects.start(), stop: () => removeProjects.stop() },
      ),
      { name: 'control', start: () => control.start(), stop: () => control.stop() },
      { name: 'mail', stop: () => gatherings.letters.stop().finally(() => mail.close()) },
      { name: 'intake', stop: () => gameplay.intake.stop() },
      ...only('delivery', ...webhooks.parts),
      ...only(
        'voice',
        { name: 'rooms', start: () => rooms.start(), stop: () => rooms.stop() },
        { name: 'speech', stop: () => speech.stop() },
        { name: 'room-news', start: () => roomNews.start(follower), stop: () => roomNews.stop() },
        {
          name: 'sanctions',
          start: () => {
            unfollow = followModeration(follower, enforcement, logger);
          },
          stop: () => unfollow(),
        },
        { name: 'presence', start: () => presence.start(rooms), stop: () => presence.stop() },
        { name: 'room-occupancy', start: () => occupancy.start(), stop: () => occupancy.stop() },
        { name: 'recordings', start: () => recordings.start() },
        { name: 'drop-debug-audio', start: () => debugAudio.start(), stop: () => debugAudio.stop() },
        { name: 'bots', start: () => this.startBots(bots, follower), stop: () => bots.stop() },
      ),
      ...observability.parts,
      // Whatever its duties, a daemon answers for its health; and voice and MQTT over WebSocket come in by HTTP too.
      { name: 'http', start: () => listener.start(app), stop: () => listener.stop(httpGraceMs) },
      // Last in, first out: the HTTP server waits for its WebSockets when it closes.
      ...only('broker', { name: 'mqtt', start: () => mqtt.delivery.start(), stop: () => mqtt.delivery.stop() }),
      ...only('voice', { name: 'room-streams', start: () => roomStreams.start(), stop: () => roomStreams.stop() }),
      ...only('http', { name: 'streams', start: () => streams.start(), stop: () => streams.stop() }),
    ];
  }

  /** A change of a session is a reason to compare wishes with bots. */
  private startBots(bots: BotSupervisor, follower: LogFollower): void {
    bots.start();
    follower.onEvents((events) => {
      if (events.some(({ event }) => event.type.startsWith('session.'))) bots.wake();
    });
  }
}

const isLoopback = (host: string): boolean => ['127.0.0.1', '::1', 'localhost'].includes(host);
