/** Settings that a running daemon takes over from their sources; the others need a restart. */
import type { SettingName, Settings } from './schema.js';
import { Secret } from './secret.js';

const live: ReadonlySet<SettingName> = new Set([
  'EARSHOT_LOG_LEVEL',
  'EARSHOT_TLS_CERT',
  'EARSHOT_TLS_KEY',
  'EARSHOT_EVENT_RETENTION_DAYS',
  'EARSHOT_GAMEPLAY_RETENTION_DAYS',
  'EARSHOT_RULE_RETENTION_DAYS',
  'EARSHOT_REPORT_RETENTION_DAYS',
  'EARSHOT_EVIDENCE_OPEN_DAYS',
  'EARSHOT_EVIDENCE_RETENTION_DAYS',
  'EARSHOT_DELIVERY_RETENTION_DAYS',
  'EARSHOT_AUDIT_RETENTION_DAYS',
  'EARSHOT_BACKUP_KEEP',
  'EARSHOT_BACKUP_COMPRESS',
  'EARSHOT_CONNECTIONS_ADDRESS',
  'EARSHOT_CONNECTIONS_TENANT',
  'EARSHOT_CONNECTIONS_PLAYER',
  'EARSHOT_PEERS_TENANT',
  'EARSHOT_RATE_LIMIT_MQTT_ADDRESS',
  'EARSHOT_DATABASE_MAX_MB',
  'EARSHOT_DISK_RESERVE_MB',
  'EARSHOT_DEBUG_AUDIO_QUOTA_MB',
  'EARSHOT_EVIDENCE_SECONDS',
  'EARSHOT_STOP_DELAY_SECONDS',
  'EARSHOT_RATE_LIMIT_CREDENTIAL',
  'EARSHOT_RATE_LIMIT_ADDRESS',
  'EARSHOT_RATE_LIMIT_GAME_REQUESTS',
  'EARSHOT_RATE_LIMIT_GAME_EVENTS',
  'EARSHOT_RATE_LIMIT_PLAYER_EVENTS',
  'EARSHOT_REPORTS_REPORTER',
  'EARSHOT_REPORTS_MINUTE',
  'EARSHOT_MAILS_PER_HOUR',
  'EARSHOT_BOTS_PROJECT',
  'EARSHOT_STORAGE_DAY_MB',
  'EARSHOT_STORAGE_TOTAL_MB',
]);

interface Reloaded {
  /** In force from now on. */
  readonly changed: readonly SettingName[];
  /** In force after a restart. */
  readonly later: readonly SettingName[];
}

/** Changes `settings`, which the parts of a daemon share, to what `next` has. */
export function takeOver(settings: Settings, next: Settings): Reloaded {
  const names = Object.keys(next) as SettingName[];
  const differing = names.filter((name) => textOf(settings[name]) !== textOf(next[name]));
  // A listener with a certificate stays one, and one without goes on without.
  const isTls = settings.EARSHOT_TLS_CERT !== undefined && next.EARSHOT_TLS_CERT !== undefined;
  const isLive = (name: SettingName) => live.has(name) && (isTls || !name.startsWith('EARSHOT_TLS_'));
  const changed = differing.filter(isLive);
  Object.assign(settings, Object.fromEntries(changed.map((name) => [name, next[name]])));
  return { changed, later: differing.filter((name) => !isLive(name)) };
}

const textOf = (value: unknown): string | undefined =>
  value instanceof Secret ? value.reveal() : JSON.stringify(value);
