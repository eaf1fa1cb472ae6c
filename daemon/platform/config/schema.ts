/**
 * Every setting of the daemon: its name, default, limits and meaning, stated once. `load.ts` reads them;
 * `earshotd config defaults` prints them from here.
 */
import { isIP } from 'node:net';
import { Cron } from 'croner';
import { z } from 'zod';
import { Language } from '../../../src/contract/language.js';
import { Secret } from './secret.js';

/** A whole number, written with digits alone: `0x10` and a space are numbers to JavaScript. */
const wholeNumber = (min: number, max: number) =>
  z.string().regex(/^\d+$/, 'write digits, such as 20').transform(Number).pipe(z.number().int().min(min).max(max));
const port = wholeNumber(0, 65_535);
const days = wholeNumber(1, 36_500);
const connections = wholeNumber(0, 1_000_000);
const amountPerSecond = wholeNumber(0, 10_000_000);
const requestsPerMinute = wholeNumber(0, 100_000_000);
const megabytes = wholeNumber(0, 1_000_000_000);
const secret = z
  .string()
  .min(1)
  .transform((value) => new Secret(value));
const list = z.string().transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''));

const network = z.string().refine((text) => {
  const [address, bits, rest] = text.split('/');
  const family = isIP(address ?? '');
  if (family === 0 || rest !== undefined) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}, 'write an address or a network such as 10.0.0.0/8');
const networks = list.pipe(z.array(network));

/** What the daemon's own addresses begin with. A proxy may remove the path of the public address, which therefore begins with none of them. */
export const ownPaths = 'api assets console docs health invitation metrics mqtt receipts rooms standing'.split(' ');

const publicUrl = z
  .url({ protocol: /^https?$/ })
  .refine(
    (text) => /^[a-z]+:\/\/[^/?#]+(\/(?!\.\.?(\/|$))[\w.~-]+)*\/?$/i.test(text),
    'write scheme, host and port, and a path if the daemon is below one, such as https://studio.example/earshot',
  )
  .refine(
    (text) => !ownPaths.includes(/^[a-z]+:\/\/[^/]+\/([^/]*)/i.exec(text)?.[1] ?? ''),
    `the path must not begin as one of the daemon's own: ${ownPaths.join(', ')}`,
  )
  .transform((text) => text.replace(/\/$/, ''));

/** Five fields of cron. */
const schedule = z.string().refine((text) => {
  try {
    return /^\S+( +\S+){4}$/.test(text.trim()) && new Cron(text, { paused: true }).nextRun() !== null;
  } catch {
    return false;
  }
}, 'write five fields of cron, such as "30 4 * * *" for 04:30 each day');
/** Of how many days, weeks and months a backup stays, such as `7d 4w 6m`, as which it prints. */
class Spans {
  constructor(private readonly text: string) {}

  get days(): number {
    return this.countOf('d');
  }

  get weeks(): number {
    return this.countOf('w');
  }

  get months(): number {
    return this.countOf('m');
  }

  private countOf(unit: string): number {
    return Number(new RegExp(`(\\d+)${unit}`).exec(this.text)?.[1] ?? 0);
  }

  toString(): string {
    return this.text;
  }
}
const spans = z
  .string()
  .regex(/^(\d{1,4}[dwm]\s*)+$/, 'write days, weeks and months to keep one of each, such as 7d 4w 6m')
  .transform((text) => new Spans(text));

/** RFC 8252, section 7.3: the CLI listens there on the machine of the person who signs in. */
const loopback = z
  .url()
  .refine(
    (text) => /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?(\/[\w./-]*)?$/.test(text),
    'write an http address of 127.0.0.1, [::1] or localhost, such as http://127.0.0.1/callback',
  );

const groupRole = z
  .string()
  .regex(
    /^(admin|member|(viewer|moderator|admin)@.{1,100})$/,
    'write admin, member, or viewer, moderator or admin with @ and the name or id of a project, or @* for all',
  );
/** By group: one role or several. */
const groupRoles = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'write a JSON object of groups and their roles' });
      return z.NEVER;
    }
  })
  .pipe(z.record(z.string(), z.union([groupRole.transform((role) => [role]), z.array(groupRole).max(100)])));

/** As browsers send it: no path, no slash at the end. */
const isOrigin = (text: string): boolean => text === '*' || /^[a-z][a-z0-9+.-]*:\/\/[^/\s]+$/.test(text);

export const roles = ['http', 'delivery', 'jobs', 'voice', 'broker'] as const;
export type Role = (typeof roles)[number];
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Environment name → rule. A name that ends in `_FILE` beside a secret names a file that holds it. */
export const settingsSchema = z.object({
  EARSHOT_HOST: z
    .string()
    .min(1)
    .overwrite((host) => host.replace(/^\[(.+)\]$/, '$1')) // IPv6 as in a URL
    .default('127.0.0.1')
    .describe('Address that HTTP and MQTT listen on'),
  EARSHOT_PORT: port.default(8080).describe('HTTP port; 0 picks a free one'),
  EARSHOT_TLS_CERT: z
    .string()
    .optional()
    .describe('Certificate file (PEM) for HTTP, WebSocket and MQTT; reloaded when it changes'),
  EARSHOT_TLS_KEY: z.string().optional().describe('Key file (PEM) of the certificate'),
  EARSHOT_PUBLIC_URL: publicUrl
    .optional()
    .describe('Address that links and room URLs begin with, with its path if a proxy has one; unset: host and port'),
  EARSHOT_MQTT_PORT: port
    .default(1883)
    .describe('Port for MQTT over TCP; 0 = off; over WebSocket, MQTT is at /mqtt on the HTTP port'),
  EARSHOT_MEDIA_PORT: port.default(40_500).describe('First UDP port of the voice rooms; 0 picks free ones'),
  EARSHOT_ROOM_PROCESSES: wholeNumber(1, 64)
    .default(4)
    .describe('Number of room processes that tenants are spread over; each has a UDP port, from EARSHOT_MEDIA_PORT on'),
  EARSHOT_MEDIA_HOST: z
    .union([z.ipv4(), z.ipv6()])
    .optional()
    .describe('Address that the UDP ports of voice are bound to; unset: every address of the host'),
  EARSHOT_MEDIA_ADDRESS: z
    .union([z.ipv4(), z.ipv6()])
    .optional()
    .describe("Address announced to voice peers; unset: the host's own"),
  EARSHOT_ROOMS: z
    .enum(['embedded', 'livekit'])
    .default('embedded')
    .describe('What carries the sound of rooms: the daemon itself, or servers of LiveKit'),
  EARSHOT_LIVEKIT_URL: z
    .url({ protocol: /^https?$/ })
    .transform((text) => text.replace(/\/$/, ''))
    .optional()
    .describe('Address of LiveKit for the daemons alone, such as http://livekit.internal:7880'),
  EARSHOT_LIVEKIT_API_KEY: z.string().min(1).optional().describe('Its API key'),
  EARSHOT_LIVEKIT_API_SECRET: secret.optional().describe('Its API secret'),
  EARSHOT_DATA_DIR: z.string().min(1).default('./data').describe('Folder for database, audio, key ring and lock'),
  DATABASE_URL: z
    .string()
    .regex(/^(file:|postgres(ql)?:\/\/)/, 'file:PATH or postgresql://…')
    .optional()
    .describe('file:PATH or postgresql://…; unset: a SQLite file in the data folder'),
  EARSHOT_DATABASE_DIRECT_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'postgresql://…')
    .optional()
    .describe("PostgreSQL's own address, if DATABASE_URL leads to a pooler in transaction mode (PgBouncer)"),
  EARSHOT_DATABASE_CONNECTIONS: wholeNumber(2, 1_000)
    .default(10)
    .describe('Maximum number of connections to PostgreSQL, besides four that are always open'),
  EARSHOT_ADMIN_EMAIL: z
    .email({ pattern: z.regexes.html5Email })
    .default('admin@localhost')
    .describe('First administrator'),
  EARSHOT_ADMIN_PASSWORD: z
    .string()
    .min(10)
    .max(200)
    .transform((value) => new Secret(value))
    .optional()
    .describe('Password of the first administrator; unset: random'),
  EARSHOT_MASTER_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, '64 hexadecimal digits')
    .transform((value) => new Secret(value))
    .optional()
    .describe('Key for secrets at rest, 64 hexadecimal digits; unset: created in the data folder'),
  EARSHOT_TRANSCRIBER: z
    .enum(['auto', 'openai', 'openai-realtime', 'sherpa', 'pocketsphinx', 'off'])
    .default('auto')
    .describe('Speech recogniser'),
  EARSHOT_RECOGNITION_SECONDS: wholeNumber(1, 600)
    .default(30)
    .describe('Seconds that the recogniser may take for an utterance, besides those of EARSHOT_RECOGNITION_FACTOR'),
  EARSHOT_RECOGNITION_FACTOR: wholeNumber(0, 100)
    .default(5)
    .describe('Seconds that the recogniser may also take for each second of an utterance'),
  EARSHOT_OPENAI_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('OpenAI-compatible recogniser'),
  EARSHOT_OPENAI_API_KEY: secret.optional().describe('Its key'),
  EARSHOT_OPENAI_MODEL: z.string().min(1).default('whisper-1').describe('Its model'),
  EARSHOT_SHERPA_MODEL_DIR: z.string().optional().describe('Model folder for sherpa-onnx'),
  EARSHOT_SPEECH_DIR: z
    .string()
    .min(1)
    .optional()
    .describe("Folder for recognisers that daemons share; unset: `earshot/speech` in the account's cache folder"),
  EARSHOT_SPEECH_MIRROR: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address with the archives of `earshotd speech install NAME`; unset: the release page of sherpa-onnx'),
  EARSHOT_SPEECH_SERVER_KEY: secret.optional().describe('Key that `earshotd speech serve` asks for, as a bearer token'),
  EARSHOT_SPEECH_INSTALL: z
    .union([z.stringbool(), z.string().regex(/^[a-z][\w.-]*$/, 'write 0, 1 or the name of a model')])
    .default(true)
    .describe(
      'Whether `npm start` installs the embedded recogniser if it is missing; 0 = no; the name of a model (`earshotd speech list`): that one, which is then used',
    ),
  EARSHOT_SPEECH_LANGUAGE: Language.optional().describe(
    'Language that people speak, such as de: the set-up installs a recogniser that knows it; unset: that of the locale (LC_ALL, LC_MESSAGES, LANG)',
  ),
  EARSHOT_IDENTITY: z.enum(['none', 'oidc']).default('none').describe('Identity provider that people can sign in with'),
  EARSHOT_IDENTITY_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Issuer'),
  EARSHOT_IDENTITY_CLIENT_ID: z.string().optional().describe('Client id of the daemon at the provider'),
  EARSHOT_IDENTITY_CLIENT_SECRET: secret.optional().describe('Its client secret; unset: a public client'),
  EARSHOT_IDENTITY_DEVICE_CLIENT_ID: z
    .string()
    .optional()
    .describe('Client id for the device flow, where the provider asks for another one (Google); unset: the client id'),
  EARSHOT_IDENTITY_DEVICE_CLIENT_SECRET: secret.optional().describe('Its client secret'),
  EARSHOT_IDENTITY_AUDIENCE: z
    .string()
    .optional()
    .describe('Audience required in introspected tokens; unset: the client id'),
  EARSHOT_IDENTITY_SCOPE: z
    .string()
    .regex(/(^| )openid( |$)/, 'write words with spaces between them, `openid` among them')
    .default('openid email profile')
    .describe('What `earshot login` asks the provider for'),
  EARSHOT_IDENTITY_REDIRECT_URI: loopback
    .default('http://127.0.0.1/callback')
    .describe("Address of the user's own machine that `earshot login` listens on; without a port: any free one"),
  EARSHOT_IDENTITY_TRUST_EMAILS: z
    .stringbool()
    .default(false)
    .describe('Take addresses for verified of which the provider does not say whether they are'),
  EARSHOT_IDENTITY_GROUPS_CLAIM: z
    .string()
    .min(1)
    .max(200)
    .default('groups')
    .describe("Claim with a person's groups, or a path with dots such as realm_access.roles"),
  EARSHOT_IDENTITY_ROLES: groupRoles
    .optional()
    .describe('Roles by group, as JSON: {"voice-admins": "admin", "voice-mods": "moderator@Project"}'),
  EARSHOT_IDENTITY_AUTO_CREATE: z.stringbool().default(false).describe('Create accounts for verified e-mail addresses'),
  EARSHOT_BILLING_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Billing system; unset: the daemon keeps its own register'),
  EARSHOT_BILLING_TOKEN: secret.optional().describe('Bearer token for the billing system'),
  EARSHOT_SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'smtp://… or smtps://…')
    .transform((value) => new Secret(value))
    .optional()
    .describe('Mail server; without one, links are returned to the inviter'),
  EARSHOT_REPORTS_REPORTER: wholeNumber(0, 1_000_000)
    .default(20)
    .describe('Reports per hour of one reporter, counted by each daemon; 0 = no limit'),
  EARSHOT_REPORTS_MINUTE: wholeNumber(0, 1_000_000)
    .default(600)
    .describe('Reports per minute of all, counted by each daemon; 0 = no limit'),
  EARSHOT_MAILS_PER_HOUR: wholeNumber(0, 1_000_000)
    .default(200)
    .describe('Emails per hour of one tenant, counted by each daemon; 0 = no limit'),
  EARSHOT_MAIL_FROM: z.string().default('Earshot <earshot@localhost>').describe('Sender address of mail'),
  EARSHOT_OUTBOUND_ALLOW: networks
    .optional()
    .describe('Networks that outbound calls may reach besides public ones (CIDR list)'),
  EARSHOT_EVENT_RETENTION_DAYS: days.default(30).describe('Days that the event log is kept'),
  EARSHOT_GAMEPLAY_RETENTION_DAYS: days
    .default(400)
    .describe('Days that game events, and log entries and webhook deliveries about them, are kept'),
  EARSHOT_RULE_RETENTION_DAYS: days.default(180).describe('Days that decisions of rules are kept'),
  EARSHOT_REPORT_RETENTION_DAYS: days
    .default(190)
    .describe(
      'Days that decided reports and cases are kept; reporters can complain for six months, and what led to a sanction stays while an appeal is possible',
    ),
  EARSHOT_EVIDENCE_SECONDS: wholeNumber(0, 300)
    .default(60)
    .describe('Most seconds of sound that a project may hold in memory for reports; 0 = none'),
  EARSHOT_EVIDENCE_MB: wholeNumber(1, 100_000)
    .default(64)
    .describe('MiB of memory for the sound of all rooms that is held for reports'),
  EARSHOT_EVIDENCE_OPEN_DAYS: days
    .default(180)
    .describe('Days that the sound of a report is kept while nobody decides it'),
  EARSHOT_EVIDENCE_RETENTION_DAYS: days
    .default(30)
    .describe(
      'Days that the sound of a report is kept after the report was decided; of one that led to a sanction as long as the report',
    ),
  EARSHOT_DELIVERY_RETENTION_DAYS: days.default(30).describe('Days that the webhook log is kept'),
  EARSHOT_AUDIT_RETENTION_DAYS: days.default(400).describe('Days that the audit log is kept'),
  EARSHOT_DEBUG_AUDIO_QUOTA_MB: wholeNumber(1, 1_000_000).default(1024).describe('Space for debug audio'),
  EARSHOT_RANK_MEMORY_MB: wholeNumber(1, 1_000_000)
    .default(128)
    .describe('MiB of memory for the ranks of leaderboards; boards beyond it are answered from the database'),
  EARSHOT_TRUSTED_PROXIES: networks.optional().describe('Proxies whose X-Forwarded headers count (CIDR list)'),
  EARSHOT_CORS_ORIGINS: list
    .pipe(z.array(z.string().refine(isOrigin, 'write an origin such as https://play.example, or *')))
    .optional()
    .describe('Browser origins that may call the API'),
  EARSHOT_RATE_LIMIT_CREDENTIAL: requestsPerMinute
    .default(600_000)
    .describe('Requests per minute of one key, user or player, counted by each daemon; 0 = no limit'),
  EARSHOT_RATE_LIMIT_ADDRESS: requestsPerMinute
    .default(1_200)
    .describe('Requests per minute from one address without a valid credential, counted by each daemon; 0 = no limit'),
  EARSHOT_BOTS_PROJECT: connections
    .default(200)
    .describe('Sessions of one project with a bot at the same time; 0 = no limit'),
  EARSHOT_RATE_LIMIT_GAME_REQUESTS: amountPerSecond
    .default(10_000)
    .describe('Requests per second with game events of one project, counted by each daemon; 0 = no limit'),
  EARSHOT_RATE_LIMIT_GAME_EVENTS: amountPerSecond
    .default(20_000)
    .describe('Game events per second of one project, counted by each daemon; 0 = no limit'),
  EARSHOT_RATE_LIMIT_PLAYER_EVENTS: amountPerSecond
    .default(1_000)
    .describe('Game events per second of one player with their own token, counted by each daemon; 0 = no limit'),
  EARSHOT_STORAGE_DAY_MB: megabytes.default(10_240).describe('MiB that a tenant may store per day (UTC); 0 = no limit'),
  EARSHOT_STORAGE_TOTAL_MB: megabytes
    .default(0)
    .describe('MiB that a tenant may store in total, over the days that data is kept; 0 = no limit'),
  EARSHOT_DISK_RESERVE_MB: megabytes
    .default(512)
    .describe(
      'MiB to keep free on the disk of a SQLite database: below it, the tenants that store the most are refused; below half of it, everybody; 0 = never',
    ),
  EARSHOT_BACKUP_SCHEDULE: schedule
    .optional()
    .describe(
      'When a backup of a SQLite database is made: five fields of cron in the time zone of the machine, such as 30 4 * * *; one that was missed is made after the start',
    ),
  EARSHOT_BACKUP_KEEP: spans
    .prefault('7d 4w 6m')
    .describe(
      'Backups of the schedule that stay: the newest of each of so many days (d), weeks (w) and months (m); others of the schedule are deleted',
    ),
  EARSHOT_BACKUP_COMPRESS: z
    .stringbool()
    .default(false)
    .describe('Compress backups of the schedule by gzip: a fraction of the size, and more time of a processor'),
  EARSHOT_BACKUP_FOLDER: z
    .string()
    .min(1)
    .optional()
    .describe('Folder of the backups, better on another disk; default: backups in the data folder'),
  EARSHOT_BACKUP_RECIPIENT: z
    .string()
    .regex(/^age1[0-9a-z]+$/, 'write a recipient of age, such as age-keygen prints (age1…)')
    .optional()
    .describe('Recipient of age (age1…) that backups are encrypted for; unset: they are not'),
  EARSHOT_BACKUP_IDENTITY: z
    .string()
    .regex(/(^|\n)AGE-SECRET-KEY-1[0-9A-Z]+/, 'write an identity of age (AGE-SECRET-KEY-1…)')
    .transform((value) => new Secret(value))
    .optional()
    .describe('Identity of age that opens them, for restores and EARSHOT_BACKUP_DRILL; better named by _FILE'),
  EARSHOT_BACKUP_RECORDINGS: z
    .stringbool()
    .default(false)
    .describe('Whether each backup of the schedule also brings the copy of the recordings (debug audio) up to date'),
  EARSHOT_BACKUP_S3_URL: z
    .url({ protocol: /^https?$/ })
    .refine(
      (text) => !URL.canParse(text) || new URL(text).pathname.length > 1,
      'write the bucket, too: https://s3.example/bucket/folder',
    )
    .optional()
    .describe('S3-compatible store that backups of the schedule go to: https://HOST/BUCKET, and a folder if you like'),
  EARSHOT_BACKUP_S3_REGION: z.string().min(1).default('us-east-1').describe('Region of the store'),
  EARSHOT_BACKUP_S3_KEY_ID: z.string().min(1).optional().describe('Access key id for the store'),
  EARSHOT_BACKUP_S3_SECRET: secret.optional().describe('Secret access key for the store'),
  EARSHOT_BACKUP_DRILL: schedule
    .optional()
    .describe(
      'When the newest backup is restored for trial, beside the daemon: five fields of cron, such as 0 6 * * 0; unset: never',
    ),
  EARSHOT_DATABASE_MAX_MB: megabytes
    .default(0)
    .describe(
      'MiB that a PostgreSQL database may take; the last EARSHOT_DISK_RESERVE_MB of them are reserved, as on a disk; 0 = no limit',
    ),
  EARSHOT_RATE_LIMIT_MQTT_ADDRESS: amountPerSecond
    .default(2_000)
    .describe(
      'MQTT packets per second from one address, with a burst of ten times as many; every 256 bytes and every topic count as one; 0 = no limit',
    ),
  EARSHOT_CONNECTIONS_ADDRESS: connections
    .optional()
    .describe(
      'Concurrent connections from one address, each for HTTP, streams and MQTT; 0 = no limit; unset: a third of what the daemon accepts',
    ),
  EARSHOT_CONNECTIONS_TENANT: connections
    .optional()
    .describe(
      'Concurrent streams, and concurrent MQTT connections, of one tenant; 0 = no limit; unset: four fifths of what the daemon accepts',
    ),
  EARSHOT_CONNECTIONS_PLAYER: connections
    .default(20)
    .describe('Concurrent streams of rooms, and concurrent MQTT connections with a token, of one player; 0 = no limit'),
  EARSHOT_PEERS_TENANT: connections
    .default(2_000)
    .describe('Concurrent peers in the rooms of one tenant, speakers and listeners; 0 = no limit'),
  EARSHOT_ROLES: list
    .pipe(z.array(z.enum(roles)).min(1))
    .optional()
    .describe('Duties of this daemon: http delivery jobs voice broker; only one daemon of a database has voice'),
  EARSHOT_STOP_DELAY_SECONDS: z
    .string()
    .regex(/^\d+(\.\d+)?$/, 'write digits, such as 20 or 0.5')
    .transform(Number)
    .pipe(z.number().max(600))
    .default(1)
    .describe(
      'Seconds that the daemon keeps answering after SIGTERM, with /health/ready at 503, so that load balancers notice',
    ),
  EARSHOT_METRICS_PORT: port.optional().describe('Port of a separate listener for /metrics'),
  EARSHOT_OTLP_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Receiver of traces over OTLP/HTTP, such as http://127.0.0.1:4318; unset: no traces'),
  EARSHOT_OTLP_HEADERS: secret
    .optional()
    .describe('Headers that the receiver asks for: NAME=value, with commas between them'),
  EARSHOT_TRACE_PERCENT: wholeNumber(0, 100)
    .default(100)
    .describe('How many of a hundred traces are sent; a trace that its caller has begun follows the caller'),
  EARSHOT_LOG_LEVEL: z.enum(logLevels).default('info').describe('Lowest level that is logged'),
});

export type SettingName = keyof typeof settingsSchema.shape;
export type Settings = Readonly<z.output<typeof settingsSchema>>;

/** Names whose value may come from the file that `NAME_FILE` names. */
export const secretNames: readonly SettingName[] = [
  'DATABASE_URL',
  'EARSHOT_DATABASE_DIRECT_URL',
  'EARSHOT_ADMIN_PASSWORD',
  'EARSHOT_MASTER_KEY',
  'EARSHOT_OPENAI_API_KEY',
  'EARSHOT_SPEECH_SERVER_KEY',
  'EARSHOT_IDENTITY_CLIENT_SECRET',
  'EARSHOT_IDENTITY_DEVICE_CLIENT_SECRET',
  'EARSHOT_BILLING_TOKEN',
  'EARSHOT_SMTP_URL',
  'EARSHOT_BACKUP_IDENTITY',
  'EARSHOT_BACKUP_S3_SECRET',
  'EARSHOT_LIVEKIT_API_SECRET',
  'EARSHOT_OTLP_HEADERS',
];
