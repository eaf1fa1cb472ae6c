/** Values in the examples of the OpenAPI document, by schema. */
import { evening, id } from './example-values.js';
import { seasonExampleParts } from './gameplay/season-examples.js';
import { ruleExampleParts } from './rules/rule-examples.js';
import type { Json } from './tidy-schema.js';

const sanction = { parameters: null, evidence: null, sessionId: null, batchId: null, scope: null, metadata: null };
const unled = { caseId: null, category: null, ground: { kind: 'terms', reference: 'Rules 4' } };
const notRevoked = { revokedAt: null, revokedByUserId: null, revokeReason: null };
/** Two examples with one key would be one event. */
const sentNow = { idempotency_key: undefined, occurred_at: undefined };
const open = { claimedByUserId: null, claimedAt: null, decidedByUserId: null, decidedAt: null, decision: null };
const challengeTimes = { endsAt: '2026-01-30T19:31:00.000Z', claimedAt: null };
const progress = {
  ...{ challenge_goal: 3, user_challenge_current_score: 1, type: 'in-progress', user_challenge_status: 2 },
  ...{ challenge_icon: null, challenge_icon_hd: null, challenge_price: null, challenge_duration_time: 60 },
  ...{ challenge_reward: 'chest', challenge_reward_type: 'item', challenge_xp: 100 },
};
const categoryName = { name: { en: 'Daily', de: 'Täglich' } };
const challengeTexts = { name: { en: 'Three down' }, description: { en: 'Defeat three orcs.' }, resetPeriod: null };
const passTexts = { name: { en: 'Season 1' }, description: null, shortDescription: null, disclaimer: null };
const passLinks = { readMoreLink: null, packageSkuIos: null, packageSkuAndroid: null };
const premiumReward = { premiumRewardAmount: 'cape', premiumRewardType: 'item' };
const reward = { rewardAmount: '100', rewardType: 'coin', ...premiumReward, position: 1 };
const levelTexts = { name: { en: 'Three down' }, description: { en: 'Defeat three orcs.' }, durationMinutes: 60 };
const otherUrls = ['https://voice-2.studio.example/rooms/raid-7'];
const embedded = { tokenProvider: 'embedded', tokenProviderSettings: {} };
const potions = { description: 'Bring potions.', maxMembers: 8 };
const noMail = { invitationUrl: undefined, participants: undefined };
const user = { userId: id('16') };
const event = {
  id: id('09'),
  tenantId: id('02'),
  projectId: id('03'),
  resourceId: `sanction:${id('05')}`,
  timestamp: evening('18:30:00'),
  type: 'sanction.created',
  source: 'cortex:api',
  payload: { action: 'created', data: { id: id('05'), type: 'mute', externalUserId: 'player-42' } },
};
const none = { authType: 'none', apiKey: undefined, apiKeyHeader: undefined, basicAuthUsername: undefined };
const noCredential = { ...none, basicAuthPassword: undefined, customHeaders: undefined };

/** Example fields by schema, where fields depend on each other or have a special meaning. `undefined` removes a field. */
export const exampleParts: Readonly<Record<string, Json>> = {
  ...seasonExampleParts,
  ReportCategory: { name: 'smurfing', weight: 2, goalHours: 48 },
  Greeting: { message: 'Earshot is running.', name: 'earshot' },
  ErrorBody: {
    statusCode: 400,
    error: 'Bad Request',
    code: 'validation_failed',
    message: 'The request has fields that are missing or wrong. See `details`.',
    details: [{ path: 'duration', message: 'must be greater than 0' }],
  },
  GameplayErrorBody: {
    status_code: 404,
    error: 'Not Found',
    error_slug: 'challenge_not_found',
    message: 'There is no such challenge.',
    details: undefined,
  },
  FunctionSettings: {
    ...{ enabled: true, address: 'https://hosting.example/v1', credentialsConfigured: true, environment: ['API_KEY'] },
    ...{ resourcePackageId: 'small', locationId: 'eu-1', status: 'active', statusMessage: null },
  },
  UpdateFunctionSettingsRequest: {
    ...{ enabled: true, address: 'https://hosting.example/v1', credentials: { token: 'token-of-the-hosting-api' } },
    ...{ resourcePackageId: 'small', locationId: 'eu-1', environment: { API_KEY: 'value' } },
  },
  VerifyCredentialsResponse: { valid: true, message: 'The credentials belong to Studio North.' },
  ResourcePackage: { id: 'small', name: 'Small', cpu: 0.5, memoryMiB: 512, pricePerHour: 0.01 },
  Location: { id: 'eu-1', name: 'Frankfurt', region: 'Europe', available: true },
  LoginCredentials: { code: undefined },
  LoginRequest: { sessionId: 'session of your identity provider' },
  AcceptUserInvitationRequest: { token: 'token-of-the-invitation-link', code: undefined },
  App: { id: id('03'), name: 'Castle Siege', role: 'owner' },
  CreateProjectRequest: { name: 'Castle Siege' },
  UpdateProjectRequest: { name: 'Castle Siege' },
  ApiKeyResponse: { name: 'match server', keyPrefix: 'earshot_live_4fT9' },
  CreateApiKey: { name: 'match server', projectId: undefined },
  CreateStreamTicket: {
    types: 'sanction.*',
    resources: undefined,
    fields: 'type,payload.data.status',
    user: undefined,
    since: undefined,
    address: '203.0.113.9',
  },
  CreateRoomStreamTicket: { address: 'any' },
  RoomAct: { noteId: id('26') },
  StreamTicket: {
    url: 'https://voice.example/api/events/stream?types=sanction.*&ticket=9vT2…',
    ticket: '9vT2…',
  },
  CreateApiKeyResponse: { name: 'match server', keyPrefix: 'earshot_live_4fT9', key: 'earshot_live_4fT9…' },
  ProjectUser: { ...user, status: 'accepted', role: 'moderator' },
  InvitedProjectUser: {
    status: 'pending',
    role: 'moderator',
    userId: null,
    acceptedAt: null,
    invitationUrl: 'https://voice.studio.example/invitation#token=…',
  },
  InviteProjectUserRequest: { role: 'moderator' },
  ChangeProjectUserRoleRequest: { role: 'moderator' },
  AppSettingsResponse: { ...embedded, e2eEncryptionMode: 'disabled', e2eEncryptionPassword: null, botUserId: 'scribe' },
  UpsertAppSettingsRequest: { ...embedded, botUserId: 'scribe', botUserData: undefined, transcriptRetentionDays: 30 },
  UpdateAppSettingsRequest: { ...embedded, botUserId: 'scribe', botUserData: undefined, transcriptRetentionDays: 30 },
  TokenProviderSettings: { url: 'wss://livekit.studio.example', accessKey: undefined, authorization: undefined },
  UpdateE2EEncryptionRequest: { mode: 'manual' },
  ProjectSecret: { secret: '7d'.repeat(32) },
  GenerateTokenResponse: { url: 'https://voice.studio.example/rooms/raid-7', otherUrls, e2ee: null },
  RoomEncryption: { mode: 'automatic', key: 'bm90IGEgcmVhbCBrZXk=', keyIndex: 0 },
  Bot: { state: 'listening', cause: null },
  SessionResponse: { id: id('06'), endedAt: null },
  Participant: { id: id('04') },
  UserProfile: { id: id('16'), role: 'admin' },
  CreateSessionRequest: { gateway: undefined },
  Message: {
    id: id('11'),
    type: 'user',
    origin: 'speech',
    status: 'recognised',
    startMs: 61_000,
    endMs: 62_400,
    asr: {
      engine: 'sherpa',
      quality: 'good',
      confidence: 0.91,
      noSpeechProbability: 0.02,
      words: [{ text: 'hello', startMs: 61_000, endMs: 61_400, confidence: 0.91 }],
      alternatives: [{ text: 'hallo', confidence: 0.06 }],
      signal: { levelDbfs: -21, clippedShare: 0, overlapShare: 0, echo: 0 },
      unheard: null,
    },
  },
  RoomMessage: { id: id('11'), kind: 'user' },
  RoomPerson: { name: 'Ann', muted: false, bot: false, observer: false },
  RoomSlot: { resourceId: 'q3tZ8xw' },
  RoomSlotEvent: { resourceId: 'q3tZ8xw' },
  RoomAddressesEvent: { otherUrls },
  RoomStateEvent: {
    lostAfterSeconds: 5,
    encryption: 'disabled',
    you: {
      ...{ externalUserId: 'player-42', name: 'Ann', publish: true, subscribe: true },
      ...{ moderate: false, impose: false, observer: false },
    },
  },
  RoomMutedEvent: { muted: true, until: evening('18:40:00') },
  RoomRemovedEvent: {
    reason: 'kicked',
    resourceId: null,
    until: null,
    rejoin: true,
    message: 'You were removed from the room.',
  },
  SanctionResponse: { id: id('05'), ...sanction, ...unled, ...notRevoked, type: 'mute', endAt: evening('18:40:00') },
  CreateSanctionRequest: {
    ...{ type: 'mute', participantId: undefined, sessionId: undefined, startAt: undefined, endAt: undefined },
    ...{ template: undefined, scope: undefined, parameters: undefined, evidence: undefined },
  },
  UpdateSanctionRequest: { endAt: undefined, parameters: undefined, duration: 1_800 },
  SanctionParameters: { maxGatheringSize: undefined, delaySeconds: undefined, speakingSecondsPerMinute: 20 },
  SanctionEvidence: { ruleId: undefined, ruleVersion: undefined, score: undefined, reviewId: undefined },
  ...ruleExampleParts,
  ApplySanctionsRequest: { dryRun: false },
  AppliedSanctions: { created: 1, unchanged: 0, refused: 0 },
  SanctionBatchLine: { outcome: 'created', inForce: [], message: null },
  UndoSanctionsRequest: { reason: 'The wrong list' },
  UndoneSanctions: { revoked: 1, ended: 0 },
  SanctionTemplate: { name: 'shouting', reason: 'Shouting into the microphone' },
  Review: { id: id('12'), ...open, kind: 'appeal', status: 'open', note: null },
  ReviewDetail: { id: id('12'), ...open, kind: 'appeal', status: 'open', note: null },
  UpdateReviewRequest: { status: 'claimed', decision: undefined },
  HistoryEntry: { at: evening('18:30:00'), kind: 'sanction', partOf: null },
  GatheringResponse: {
    ...{
      id: id('07'),
      type: 'lobby',
      status: 'CREATED',
      sessionId: null,
      startsAt: null,
      endsAt: null,
      memberCount: 1,
    },
    description: 'Bring potions.',
  },
  CreateGatheringRequest: {
    ...noMail,
    startsAt: undefined,
    endsAt: undefined,
    ownerId: undefined,
    roomId: undefined,
    ...potions,
  },
  UpdateGatheringRequest: { ...noMail, startsAt: undefined, endsAt: undefined, ownerId: undefined, ...potions },
  GatheringMember: { role: 'owner', status: 'joined', ready: false, readyAt: null, leftAt: null },
  UpdateMemberRequest: { ready: true, status: undefined, role: undefined },
  JoinGatheringResponse: { error: null },
  InvitationResponse: { status: 'pending', respondedAt: null },
  SendInvitationsRequest: { expiresAt: undefined },
  WebhookSubscription: {
    id: id('08'),
    ...{ authType: 'none', apiKeyHeader: null, basicAuthUsername: null, customHeaders: null, failingSince: null },
    ...{ previousSecretUntil: null, disabledReason: null },
  },
  CreateWebhookSubscriptionRequest: noCredential,
  UpdateWebhookSubscriptionRequest: noCredential,
  WebhookEvent: { status: 'delivered', attemptsCount: 1, nextAttemptAt: null, payload: event },
  WebhookEventDetail: { status: 'delivered', attemptsCount: 1, nextAttemptAt: null, payload: event },
  ReplayWebhookEventsRequest: { since: evening('18:30:00'), until: evening('21:30:00'), failed: false },
  DomainEvent: event,
  ListedEvents: { events: [event] },
  StreamClosed: { reason: 'shutting_down', message: 'The daemon is stopping. Connect again with the last event id.' },
  ConsumerTrace: { kind: 'webhook', name: id('08'), result: 'delivered', at: evening('18:30:01'), attempts: 1 },
  IngestEventDto: {
    type: 'fleet.server.started',
    resourceId: 'server:eu-1',
    source: 'fleet:api',
    data: { region: 'eu-1' },
  },
  EventPayload: { event_type: 'single', metadata: { amount: 3, enemy_type: 'orc' }, ...sentNow },
  PlayerEventPayload: { event_type: 'single', metadata: { amount: 3, enemy_type: 'orc' }, ...sentNow },
  EventAcknowledgement: { status: 200, message: 'OK' },
  EventBatch: { events: [{ user_id: 'player-42', event_name: 'kill-enemy', metadata: { amount: 1 } }] },
  EventBatchResult: { status: 200, details: [] },
  EventProperty: { property_name: 'amount', property_type: 'number' },
  NotificationTopic: { topic: 'topic/challenges/7d1f…' },
  LocalisedText: { en: 'Three down', de: 'Drei erledigt' },
  ChallengeCategory: { id: id('13'), ...categoryName },
  CreateChallengeCategoryRequest: categoryName,
  UpdateChallengeCategoryRequest: categoryName,
  Challenge: { id: id('14'), ...challengeTexts },
  CreateChallengeRequest: { ...challengeTexts, categoryId: undefined, resetPeriod: undefined, liveDate: undefined },
  UpdateChallengeRequest: { ...challengeTexts, categoryId: undefined, liveDate: undefined },
  ResetPeriod: { range: 'd' },
  PlayerChallenge: { ...challengeTimes, state: 'in-progress' },
  PersonalChallenge: { ...progress, challenge_name: 'Three down', challenge_description: 'Defeat three orcs.' },
  AnnouncedChallenge: progress,
  ChallengeWebhookPayload: { category_position: 0 },
  PersonalChallengeCategory: { category_name: 'Daily', category_slug: 'daily', category_position: 0 },
  ActionResponse: { status: 200, message: 'OK' },
  BattlePass: { id: id('19'), ...passTexts, ...passLinks },
  CreateBattlePassRequest: { ...passTexts, ...passLinks },
  UpdateBattlePassRequest: { ...passTexts, ...passLinks },
  BattlePassLevel: { id: id('20'), ...reward },
  CreateBattlePassLevelRequest: reward,
  UpdateBattlePassLevelRequest: reward,
  BattlePassRewards: reward,
  LevelChallenge: { id: id('14'), ...levelTexts },
  CreateLevelChallengeRequest: levelTexts,
  UpdateLevelChallengeRequest: levelTexts,
  PersonalBattlePass: { battle_pass_name: 'Season 1', is_active: true },
  PersonalBattlePassLevel: { reward_amount: '100', reward_type_name: 'Coins', level_reward_type: 'coin' },
  PersonalLevelChallenge: {
    ...{ challenge_name: 'Three down', challenge_description: 'Defeat three orcs.', challenge_duration_time: 60 },
    ...{ challenge_goal: 3, user_challenge_current_score: 1, type: 'in-progress', challenge_xp: 100 },
    ...{ challenge_icon: null, challenge_icon_hd: null },
  },
  AnnouncedLevelChallenge: { challenge_goal: 3, user_challenge_current_score: 1, type: 'in-progress' },
  LevelActionResponse: { status: 200, message: 'OK' },
  BattlePassUnlockPayload: { purchase_price: 9.99, purchase_currency: 'EUR' },
  BattlePassUnlockInfo: { purchase_price: 9.99, purchase_currency: 'EUR', battle_pass_completed: false },
  BattlePassPurchase: { purchasePrice: 9.99, purchaseCurrency: 'EUR' },
  PlayerBattlePass: { purchasePrice: 9.99, purchaseCurrency: 'EUR', completed: false },
};
