/**
 * Every limit of what callers may do at once or in a time, by name. `/metrics` labels refusals and waits with the names,
 * and docs/reference/limits.md is made of this list. The figures stand here alone: code takes them from `max`.
 */
import { blocksMax } from '../../../src/contract/people/blocks.js';

const mebibyte = 1024 * 1024;

export interface Limit {
  readonly bounds: string;
  /** What the code asks for: of pieces of work, how many are done at the same time. Left out: settings decide. */
  readonly max?: number | Readonly<Record<string, number>>;
  /** The figures are bytes. */
  readonly isBytes?: boolean;
  /** How many, in words: settings by their names, figures of `max` by theirs in braces. Left out: all of them in their order. */
  readonly figure?: string;
  /**
   * What happens where it is reached; `closed`: a connection, or its handshake, is refused or ended; `waits`: work waits for its
   * turn, and nothing is refused.
   */
  readonly answer:
    | '429 rate_limited'
    | '429 rate_limit_exceeded'
    | '409 block_limit_reached'
    | '503 overloaded'
    | '503 room_limit_reached'
    | '503 room_full'
    | '429 or 503'
    | 'closed'
    | 'dropped'
    | 'waits';
  /** What counts it where several daemons share a database. Default: each daemon for itself. */
  readonly counted?: 'in the database' | 'where the rooms are';
}

export const limits = {
  http_credential: {
    bounds: 'requests per minute of a credential',
    figure: 'EARSHOT_RATE_LIMIT_CREDENTIAL',
    answer: '429 rate_limited',
  },
  http_address: {
    bounds: 'requests per minute of an address without a valid credential, or that need none',
    figure: 'EARSHOT_RATE_LIMIT_ADDRESS',
    answer: '429 rate_limited',
  },
  metrics: {
    bounds: 'answers with the metrics to an address, in ten seconds',
    max: 60,
    answer: '429 rate_limited',
  },
  game_requests: {
    bounds: 'requests per second with game events of a project',
    figure: 'EARSHOT_RATE_LIMIT_GAME_REQUESTS',
    answer: '429 rate_limited',
  },
  game_events: {
    bounds: 'game events per second of a project',
    figure: 'EARSHOT_RATE_LIMIT_GAME_EVENTS',
    answer: '429 rate_limited',
  },
  player_events: {
    bounds: 'game events per second of a player, with their own token',
    figure: 'EARSHOT_RATE_LIMIT_PLAYER_EVENTS',
    answer: '429 rate_limited',
  },
  game_event_queue: {
    bounds: 'game events that wait to be stored: of a project, and of all together',
    max: { shareMax: 5_000, queueMax: 20_000 },
    answer: '503 overloaded',
  },
  ingested_events: {
    bounds: 'signed events per second of a project',
    max: 100,
    answer: '429 rate_limited',
  },
  ingest_failures: {
    bounds: 'signed events per minute of an address with a wrong signature',
    max: 60,
    answer: '429 rate_limited',
  },
  login_queue: {
    bounds: 'sign-ins that wait to be counted',
    max: { shareMax: 1_000, queueMax: 1_000 },
    figure: '{queueMax}',
    answer: '503 overloaded',
  },
  slowed_logins: {
    bounds: 'sign-ins that are slowed down at the same time',
    max: 200,
    answer: '429 rate_limited',
  },
  password_hashes: {
    bounds: 'passwords that wait to be hashed',
    max: { perThread: 32, shareMax: 256, queueMax: 1_024 },
    figure: '{perThread} for each thread; from known networks {shareMax} of one, {queueMax} of all',
    answer: '503 overloaded',
  },
  mails: {
    bounds: 'emails per hour of a tenant',
    figure: 'EARSHOT_MAILS_PER_HOUR',
    answer: '429 rate_limited',
  },
  reports_reporter: {
    bounds: 'reports per hour of a reporter, repeated ones included',
    figure: 'EARSHOT_REPORTS_REPORTER',
    answer: '429 rate_limited',
  },
  reports_project: {
    bounds: 'reports per minute of all reporters of a project',
    figure: 'half of EARSHOT_REPORTS_MINUTE',
    answer: '429 rate_limited',
  },
  reports_minute: {
    bounds: 'reports per minute of all reporters',
    figure: 'EARSHOT_REPORTS_MINUTE',
    answer: '429 rate_limited',
  },
  evidence_memory: {
    bounds: 'sound that is held for reports: of a speaker, of a room, of a tenant, and of all rooms',
    max: { kibPerSecond: 8, speakers: 20 },
    figure:
      '{kibPerSecond} KiB for each second, {speakers} speakers’ worth, what is still free, and EARSHOT_EVIDENCE_MB',
    answer: 'dropped',
    counted: 'where the rooms are',
  },
  evidence_reporter: {
    bounds: 'reports per hour of a reporter with which sound is stored',
    max: 5,
    answer: 'dropped',
  },
  evidence_room: {
    bounds: 'reports per hour about a room with which sound is stored',
    max: 30,
    answer: 'dropped',
  },
  player_blocks: {
    bounds: 'people whom one person blocks',
    max: blocksMax,
    answer: '409 block_limit_reached',
    counted: 'in the database',
  },
  join_codes: {
    bounds: 'unknown join codes per minute of a participant, or of a caller who names none',
    max: 20,
    answer: '429 rate_limited',
  },
  room_offers: {
    bounds: 'offers with a room token in ten seconds',
    max: 30,
    answer: '429 rate_limited',
    counted: 'where the rooms are',
  },
  room_peers: {
    bounds: 'speakers and listeners in the rooms of a tenant',
    figure: 'EARSHOT_PEERS_TENANT',
    answer: '429 rate_limited',
    counted: 'where the rooms are',
  },
  offer_queue: {
    bounds: 'offers that wait to be connected: of a project, and of all together',
    max: { shareMax: 256, queueMax: 512 },
    answer: '503 overloaded',
    counted: 'where the rooms are',
  },
  exports: {
    bounds: 'exports of one kind at the same time: of a tenant, and of all together',
    max: { perOwner: 2, max: 64 },
    answer: '429 rate_limited',
  },
  outside_waits: {
    bounds: 'requests of a tenant that wait for a service outside',
    max: 32,
    answer: '503 overloaded',
  },
  delivery_records: {
    bounds: 'webhook attempts that wait to be recorded',
    max: { shareMax: 5_000, queueMax: 5_000 },
    figure: '{queueMax}',
    answer: '503 overloaded',
  },
  plugin_records: {
    bounds: 'runs of plugins that wait to be recorded',
    max: { shareMax: 5_000, queueMax: 5_000 },
    figure: '{queueMax}',
    answer: '503 overloaded',
  },
  room_records: {
    bounds: 'arrivals and departures that wait to be recorded: of a project, and of all together',
    max: { shareMax: 5_000, queueMax: 20_000 },
    answer: 'dropped',
    counted: 'where the rooms are',
  },
  http_connections: {
    bounds: 'connections by HTTP: of a network, and of all together; an idle one gives way',
    figure: 'EARSHOT_CONNECTIONS_ADDRESS',
    answer: 'closed',
  },
  health_connections: {
    bounds: 'connections for health checks when all others are taken: of a network, and of all together',
    max: { perNetworkMax: 4, max: 32 },
    answer: 'closed',
  },
  stream_connections: {
    bounds: 'event streams, those of rooms included: of a network, a tenant, a player, and of all together',
    figure: 'EARSHOT_CONNECTIONS_TENANT',
    answer: '429 or 503',
  },
  mqtt_connections: {
    bounds: 'connections by MQTT: of a network, a tenant, a player, and of all together; an idle one gives way',
    figure: 'EARSHOT_CONNECTIONS_TENANT',
    answer: 'closed',
  },
  anonymous_mqtt_connections: {
    bounds: 'connections by MQTT without a credential: of a network, a tenant, and of all together',
    figure: 'EARSHOT_CONNECTIONS_TENANT',
    answer: 'closed',
  },
  mqtt_operators: {
    bounds: 'operators of a project that are connected by MQTT',
    max: 1_000,
    answer: 'closed',
  },
  mqtt_packet_budget: {
    bounds: 'MQTT packets in a second: of a connection, and of an address',
    max: { perSecond: 50, burst: 4_000 },
    figure: '{perSecond} of a connection, {burst} at once; of an address EARSHOT_RATE_LIMIT_MQTT_ADDRESS',
    answer: 'closed',
  },
  pipelined_requests: {
    bounds: 'requests that wait behind another on their connection: of one, and of all together',
    max: { ofOne: 250, together: 10_000, few: 8 },
    figure: '{ofOne} and {together}, then {few} of one',
    answer: 'closed',
  },
  stream_tickets: {
    bounds: 'tickets for event streams of a credential that were not used yet',
    max: 100,
    answer: '429 rate_limited',
  },
  room_tickets: {
    bounds: "tickets for rooms' event streams that were not used yet: of a token, of a project, and of all together",
    max: { ofToken: 8, each: 1_000, together: 10_000 },
    answer: '429 or 503',
  },
  credential_streams: {
    bounds: 'event streams of a credential',
    max: 1_000,
    answer: '429 rate_limited',
  },
  room_streams: {
    bounds: 'event streams of a room: of a person, and of all together',
    max: { ofPerson: 8, together: 300 },
    answer: '429 or 503',
    counted: 'where the rooms are',
  },
  open_rooms: {
    bounds: 'rooms that are open: of a project, and of all together',
    max: { each: 1_000, together: 5_000 },
    answer: '503 room_limit_reached',
    counted: 'where the rooms are',
  },
  room_seats: {
    bounds: 'people in a room, and observers',
    max: { people: 100, observers: 10 },
    answer: '503 room_full',
    counted: 'where the rooms are',
  },
  connecting_peers: {
    bounds: 'offers that were answered and whose peer has not connected yet: of a project, and of all together',
    max: { each: 64, together: 512 },
    answer: '503 overloaded',
    counted: 'where the rooms are',
  },
  large_body_memory: {
    bounds: 'bytes of large bodies: of an address, a tenant, and of all together',
    max: { addressBytes: 12 * mebibyte, tenantBytes: 24 * mebibyte, allBytes: 64 * mebibyte },
    isBytes: true,
    answer: '429 or 503',
  },
  answer_memory: {
    bounds: 'bytes of large answers that their clients have not read: of a tenant, and of all together',
    max: { tenantBytes: 16 * mebibyte, allBytes: 64 * mebibyte },
    isBytes: true,
    answer: '429 or 503',
  },
  login_failures: {
    bounds: 'sign-ins that failed: of an account from a network and of a network in a minute, of an account in ten',
    max: { here: 10, network: 60, account: 100 },
    answer: '429 rate_limited',
    counted: 'in the database',
  },
  recognition_queue: {
    bounds: 'utterances that wait to be recognised: of a session, and the sound of all together',
    max: { utterances: 64, seconds: 3_600 },
    figure: '{utterances}, and {seconds} s of sound',
    answer: 'dropped',
  },
  speech_requests: {
    bounds: 'requests to `speech serve` at the same time, and its Realtime connections',
    max: { requests: 32, connections: 32 },
    answer: '429 rate_limit_exceeded',
  },
  speech_bodies: {
    bounds: 'bytes of requests to `speech serve` that are read, of all together',
    max: 128 * mebibyte,
    isBytes: true,
    answer: '503 overloaded',
  },
  ranking_updates: {
    bounds: 'messages about a ranking by MQTT in a second; the last one stays',
    max: 1,
    answer: 'dropped',
  },
  webhook_attempts: {
    bounds: 'webhook attempts under way: of an endpoint, a tenant, and of all together; they take turns',
    max: { endpoint: 8, tenant: 64, together: 256 },
    answer: 'waits',
  },
  plugin_runs: {
    bounds: 'runs of plugins under way: of an instance, a tenant, and of all together; they take turns',
    max: { instance: 4, tenant: 12, together: 32 },
    answer: 'waits',
  },
  http_admissions: {
    bounds: 'new connections by HTTP that are served: networks take turns',
    figure: 'one after the other',
    answer: 'waits',
  },
  http_requests: {
    bounds: 'requests that are answered: networks take turns, then their credentials',
    figure: 'one after the other',
    answer: 'waits',
  },
  large_bodies: {
    bounds: 'large bodies that are checked: tenants take turns',
    max: 1,
    answer: 'waits',
  },
  answer_pages: {
    bounds: 'parts of long answers that are read: tenants take turns',
    max: 2,
    answer: 'waits',
  },
  export_pages: {
    bounds: 'parts of exports that are read: tenants take turns',
    max: 2,
    answer: 'waits',
  },
  log_pages: {
    bounds: 'parts of the log that are read for replays: their readers take turns',
    max: 2,
    answer: 'waits',
  },
  log_readers: {
    bounds: 'parts of the log that followers of it read: tenants take turns',
    max: 2,
    answer: 'waits',
  },
  mqtt_packets: {
    bounds: 'MQTT packets that are read in a turn of the event loop: addresses take turns',
    max: 64,
    answer: 'waits',
  },
  mqtt_lookups: {
    bounds: 'names of MQTT topics that are looked up: addresses take turns',
    max: 4,
    answer: 'waits',
  },
  audit_reads: {
    bounds: 'parts of the audit log that are read: tenants take turns',
    max: 2,
    answer: 'waits',
  },
  transcript_searches: {
    bounds: 'parts of the transcript index that are searched: projects take turns',
    max: 2,
    answer: 'waits',
  },
  slow_reads: {
    bounds: 'reads that may take long: tenants take turns by the time that theirs took',
    /** SQLite answers within the event loop; PostgreSQL has processors of its own. */
    max: { sqlite: 1, postgresql: 4 },
    figure: '{sqlite}; {postgresql} on PostgreSQL',
    answer: 'waits',
  },
  database_writes: {
    bounds: 'transactions on a SQLite file: tenants take turns',
    figure: 'one after the other',
    answer: 'waits',
  },
  name_lookups: {
    bounds: 'names of hosts that the system looks up',
    figure: 'one after the other',
    answer: 'waits',
  },
  session_reports: {
    bounds: 'sessions whose state is looked at: tenants take turns',
    max: 8,
    answer: 'waits',
  },
  session_stores: {
    bounds: 'reports of sessions that are stored: tenants take turns',
    max: 2,
    answer: 'waits',
  },
  report_stores: {
    bounds: 'reports of players that are stored: projects take turns',
    max: 2,
    answer: 'waits',
  },
  plugin_code: {
    bounds: 'pieces of plugin code that begin: tenants take turns',
    max: 2,
    answer: 'waits',
  },
  toxicity_scores: {
    bounds: 'utterances that are scored: tenants take turns',
    max: 1,
    answer: 'waits',
  },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;

/** How many a limit allows, in words, for the reference. */
export function figureOf(name: LimitName): string {
  const { max = {}, isBytes = false, figure }: Limit = limits[name];
  const written = (count: number) => (isBytes ? count / mebibyte : count).toLocaleString('en-US');
  if (figure !== undefined)
    return figure.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
      written((max as Record<string, number>)[key] ?? Number.NaN),
    );
  const all = typeof max === 'number' ? [max] : Object.values(max);
  return new Intl.ListFormat('en-GB').format(all.map(written)) + (isBytes ? ' MiB' : '');
}
