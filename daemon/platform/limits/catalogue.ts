/**
 * Every limit of what callers may do at once or in a time, by name. `/metrics` labels refusals and waits with the names,
 * and the table of limits in docs/operating.md is this list.
 */
interface Limit {
  readonly bounds: string;
  /** The setting that decides it, or the figure. */
  readonly figure: string;
  /** What happens where it is reached; `waits`: work waits for its turn, and nothing is refused. */
  readonly answer: '429 rate_limited' | '503 overloaded' | 'waits' | 'dropped';
}

export const limits = {
  http_credential: {
    bounds: 'requests of a credential in a minute',
    figure: 'EARSHOT_RATE_LIMIT_CREDENTIAL',
    answer: '429 rate_limited',
  },
  http_address: {
    bounds: 'requests of an address in a minute that need no credential, or have none that is valid',
    figure: 'EARSHOT_RATE_LIMIT_ADDRESS',
    answer: '429 rate_limited',
  },
  game_requests: {
    bounds: 'requests with game events of a project in a second',
    figure: 'EARSHOT_RATE_LIMIT_GAME_REQUESTS',
    answer: '429 rate_limited',
  },
  game_events: {
    bounds: 'game events of a project in a second',
    figure: 'EARSHOT_RATE_LIMIT_GAME_EVENTS',
    answer: '429 rate_limited',
  },
  player_events: {
    bounds: 'game events of a player in a second, by a token of their own',
    figure: 'EARSHOT_RATE_LIMIT_PLAYER_EVENTS',
    answer: '429 rate_limited',
  },
  game_event_queue: {
    bounds: 'game events that wait to be stored: of a project, and of all together',
    figure: '5,000 and 20,000',
    answer: '503 overloaded',
  },
  ingested_events: {
    bounds: 'signed events of a project in any second',
    figure: '100',
    answer: '429 rate_limited',
  },
  ingest_failures: {
    bounds: 'signed events of an address in a minute whose signature is wrong',
    figure: '60',
    answer: '429 rate_limited',
  },
  login_queue: {
    bounds: 'sign-ins that wait to be counted',
    figure: '1,000',
    answer: '503 overloaded',
  },
  slowed_logins: {
    bounds: 'sign-ins that are slowed down at the same time',
    figure: '200',
    answer: '429 rate_limited',
  },
  password_hashes: {
    bounds: 'passwords that wait to be hashed',
    figure: '32 for each thread; from known networks 256 of one, 1,024 of all',
    answer: '503 overloaded',
  },
  mails: {
    bounds: 'emails that members of a tenant cause in an hour',
    figure: 'EARSHOT_MAILS_PER_HOUR',
    answer: '429 rate_limited',
  },
  join_codes: {
    bounds: 'unknown join codes of a caller in a minute',
    figure: '20',
    answer: '429 rate_limited',
  },
  room_offers: {
    bounds: 'offers with a room token in ten seconds',
    figure: '30',
    answer: '429 rate_limited',
  },
  room_peers: {
    bounds: 'speakers and listeners in the rooms of a tenant',
    figure: 'EARSHOT_PEERS_TENANT',
    answer: '429 rate_limited',
  },
  offer_queue: {
    bounds: 'offers that wait to be connected: of a project, and of all together',
    figure: '256 and 512',
    answer: '503 overloaded',
  },
  exports: {
    bounds: 'exports of one kind at the same time: of a tenant, and of all together',
    figure: '2 and 64',
    answer: '429 rate_limited',
  },
  outside_waits: {
    bounds: 'requests of a tenant that wait for a service outside',
    figure: '32',
    answer: '503 overloaded',
  },
  delivery_records: {
    bounds: 'webhook attempts that wait to be recorded',
    figure: '5,000',
    answer: '503 overloaded',
  },
  plugin_records: {
    bounds: 'runs of plugins that wait to be recorded',
    figure: '5,000',
    answer: '503 overloaded',
  },
  room_records: {
    bounds: 'arrivals and departures that wait to be recorded: of a project, and of all together',
    figure: '5,000 and 20,000',
    answer: 'dropped',
  },
  http_requests: {
    bounds: 'requests that are answered: networks take turns, then their credentials',
    figure: 'one after the other',
    answer: 'waits',
  },
  large_bodies: {
    bounds: 'large bodies that are checked: tenants take turns',
    figure: '1',
    answer: 'waits',
  },
  answer_pages: {
    bounds: 'parts of long answers that are read: tenants take turns',
    figure: '2',
    answer: 'waits',
  },
  export_pages: {
    bounds: 'parts of exports that are read: tenants take turns',
    figure: '2',
    answer: 'waits',
  },
  log_pages: {
    bounds: 'parts of the log that are read for replays: their readers take turns',
    figure: '2',
    answer: 'waits',
  },
  log_readers: {
    bounds: 'parts of the log that followers of it read: tenants take turns',
    figure: '2',
    answer: 'waits',
  },
  mqtt_packets: {
    bounds: 'MQTT packets that are read in a turn of the event loop: addresses take turns',
    figure: '64',
    answer: 'waits',
  },
  mqtt_lookups: {
    bounds: 'names of MQTT topics that are looked up: addresses take turns',
    figure: '4',
    answer: 'waits',
  },
  audit_reads: {
    bounds: 'parts of the audit log that are read: tenants take turns',
    figure: '2',
    answer: 'waits',
  },
  transcript_searches: {
    bounds: 'parts of the transcript index that are searched: projects take turns',
    figure: '2',
    answer: 'waits',
  },
  session_reports: {
    bounds: 'sessions whose state is looked at: tenants take turns',
    figure: '8',
    answer: 'waits',
  },
  session_stores: {
    bounds: 'reports of sessions that are stored: tenants take turns',
    figure: '2',
    answer: 'waits',
  },
  plugin_code: {
    bounds: 'pieces of plugin code that begin: tenants take turns',
    figure: '2',
    answer: 'waits',
  },
  toxicity_scores: {
    bounds: 'utterances that are scored: tenants take turns',
    figure: '1',
    answer: 'waits',
  },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;
