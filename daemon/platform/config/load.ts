/**
 * Reads the settings: flags > environment > file > default. The only reader of process.env. All mistakes are reported
 * together, by the name that the operator wrote.
 */

import { judge, problemLines } from '../../../src/contract/judge.js';
import { didYouMean, nearest } from '../../../src/contract/nearest.js';
import { decodeText, NotText } from '../../../src/text/decode-text.js';
import { readOrdinaryFile } from '../ordinary-file.js';
import { isLoopback } from './loopback.js';
import { type SettingName, type Settings, secretNames, settingsSchema } from './schema.js';
import { ConfigurationError, type SettingsFile, settingsIn } from './settings-file.js';

interface LoadedSettings {
  readonly settings: Settings;
  /** Messages for the operator, printed once at start. */
  readonly warnings: readonly string[];
}

interface SettingSources {
  flags?: Readonly<Record<string, string | undefined>>;
  environment?: Readonly<Record<string, string | undefined>>;
  /** A file of NAME=value lines, or of YAML; from `--config` or EARSHOT_CONFIG. */
  file?: string | undefined;
}

const emptyFile: SettingsFile = { values: {}, places: new Map(), isOurs: false };

const names = Object.keys(settingsSchema.shape) as SettingName[];
const known = new Set<string>([...names, ...secretNames.map((name) => `${name}_FILE`), 'EARSHOT_CONFIG']);
/** Variables of the CLI and of the examples that may be in the same environment. */
const clientNames = new Set([
  'EARSHOT_URL',
  'EARSHOT_API_KEY',
  'EARSHOT_TOKEN',
  'EARSHOT_PROJECT',
  'EARSHOT_PROFILE',
  'EARSHOT_IDEMPOTENCY_KEY',
  'EARSHOT_MQTT_URL',
  'EARSHOT_WEBHOOK_SECRET',
  'EARSHOT_PLAYER_TOKEN',
]);

/** Throws ConfigurationError. */
export function loadSettings({ flags = {}, environment = process.env, file }: SettingSources = {}): LoadedSettings {
  const path = file ?? environment.EARSHOT_CONFIG;
  const written = path === undefined ? emptyFile : settingsIn(path, readText(path, 'EARSHOT_CONFIG'));
  const given = new Map<string, string>();
  for (const layer of [written.values, environment, flags]) addLayer(given, layer);
  const isSet = (name: string) => [flags, environment].some((layer) => (layer[name] ?? '') !== '');
  const placeOf = (name: string) => (isSet(name) ? null : (written.places.get(name) ?? null));
  for (const name of secretNames) {
    const source = given.get(`${name}_FILE`);
    if (source !== undefined) given.set(name, readText(source, `${name}_FILE`).trim());
  }
  const judged = judge(settingsSchema, Object.fromEntries(names.map((name) => [name, given.get(name)])));
  if (!judged.success) {
    const lines = judged.problems.flatMap((problem) => {
      const at = placeOf(String(problem.path[0]));
      return problemLines([problem], 'settings').map((line) => `  ${line}${at === null ? '' : ` (${at})`}`);
    });
    throw new ConfigurationError(
      `These settings are not valid:\n${lines.join('\n')}\n\`earshotd config defaults\` lists every setting.`,
    );
  }
  const settings = Object.freeze(judged.data);
  refuseIncomplete(settings);
  return { settings, warnings: [...unknownNames(given.keys(), written), ...riskyPairs(settings)] };
}

/** Adds a layer over those before it: a secret, or the file that holds it, replaces both. Throws ConfigurationError. */
function addLayer(given: Map<string, string>, layer: NonNullable<SettingSources['environment']>): void {
  const values = new Map<string, string>();
  for (const [name, text] of Object.entries(layer)) {
    const value = text?.replace(/[\r\n]+$/, '') ?? ''; // a line end of the file that it was copied from
    if (value !== '') values.set(name, value);
  }
  for (const name of secretNames) {
    const file = `${name}_FILE`;
    if (values.has(name) && values.has(file))
      throw new ConfigurationError(`${name} and ${file} are set in the same place. Remove one of them.`);
    if (values.has(name)) given.delete(file);
    if (values.has(file)) given.delete(name);
  }
  for (const [name, value] of values) given.set(name, value);
}

function readText(path: string, name: string): string {
  try {
    return decodeText(readOrdinaryFile(path));
  } catch (error) {
    if (error instanceof NotText) throw new ConfigurationError(`${path}:${error.line}: ${error.message}`);
    throw new ConfigurationError(`${name} names ${path}, which cannot be read: ${(error as Error).message}`);
  }
}

/** Settings that need others. Throws ConfigurationError. */
function refuseIncomplete(settings: Settings): void {
  const pairs: [SettingName, SettingName][] = [
    ['EARSHOT_TLS_CERT', 'EARSHOT_TLS_KEY'],
    ['EARSHOT_BILLING_URL', 'EARSHOT_BILLING_TOKEN'],
    ['EARSHOT_BACKUP_S3_URL', 'EARSHOT_BACKUP_S3_KEY_ID'],
    ['EARSHOT_BACKUP_S3_KEY_ID', 'EARSHOT_BACKUP_S3_SECRET'],
  ];
  for (const [one, other] of pairs) {
    if ((settings[one] === undefined) !== (settings[other] === undefined)) {
      throw new ConfigurationError(`${one} and ${other} go together; set both or none.`);
    }
  }
  const { EARSHOT_BACKUP_DRILL: drill, EARSHOT_BACKUP_RECIPIENT: recipient } = settings;
  if (drill !== undefined && recipient !== undefined && settings.EARSHOT_BACKUP_IDENTITY === undefined)
    throw new ConfigurationError(
      'EARSHOT_BACKUP_DRILL needs EARSHOT_BACKUP_IDENTITY, because EARSHOT_BACKUP_RECIPIENT has backups encrypted.',
    );
  if (settings.EARSHOT_IDENTITY === 'oidc') {
    for (const name of ['EARSHOT_IDENTITY_URL', 'EARSHOT_IDENTITY_CLIENT_ID'] as const) {
      if (settings[name] === undefined) throw new ConfigurationError(`EARSHOT_IDENTITY=oidc needs ${name}.`);
    }
  }
  if (settings.EARSHOT_ROOMS === 'livekit') {
    for (const name of ['EARSHOT_LIVEKIT_URL', 'EARSHOT_LIVEKIT_API_KEY', 'EARSHOT_LIVEKIT_API_SECRET'] as const) {
      if (settings[name] === undefined) throw new ConfigurationError(`EARSHOT_ROOMS=livekit needs ${name}.`);
    }
  }
  if (
    settings.EARSHOT_TRANSCRIBER.startsWith('openai') &&
    settings.EARSHOT_OPENAI_BASE_URL === undefined &&
    settings.EARSHOT_OPENAI_API_KEY === undefined
  ) {
    throw new ConfigurationError(
      `EARSHOT_TRANSCRIBER=${settings.EARSHOT_TRANSCRIBER} needs EARSHOT_OPENAI_BASE_URL or EARSHOT_OPENAI_API_KEY.`,
    );
  }
}

export const isSettingName = (name: string): boolean => known.has(name);
/** Settings whose names are near to what was typed. */
export const settingsNear = (typed: string): string[] => nearest(typed.toUpperCase(), known);

const prefix = 'EARSHOT_';
/** Without what all names begin with: `EARSHOT_DATABASE_URL` means `DATABASE_URL`. */
const withoutPrefix = (name: string): string => (name.startsWith(prefix) ? name.slice(prefix.length) : name);
const knownByRest = new Map([...known].map((name) => [withoutPrefix(name), name]));

/**
 * Lists names that are no setting. Throws ConfigurationError for one that resembles a setting: whoever mistyped it would
 * run with another value than they set.
 */
function unknownNames(given: Iterable<string>, { values, places, isOurs }: SettingsFile): string[] {
  const isOurName = (name: string) => name.startsWith(prefix) || (isOurs && name in values);
  const unknown = [...given].filter((name) => isOurName(name) && !known.has(name) && !clientNames.has(name));
  for (const name of unknown) {
    const near = nearest(withoutPrefix(name), knownByRest.keys()).map((rest) => knownByRest.get(rest) ?? rest);
    const at = places.get(name);
    if (near.length > 0 || (isOurs && name in values))
      throw new ConfigurationError(
        `${at === undefined ? '' : `${at}: `}${name} is not a setting. ${didYouMean(near, '')} Rename it, or unset it.`,
      );
  }
  return unknown.map((name) => `${name} is not a setting; \`earshotd config defaults\` lists them all.`);
}

/** A network that holds half of all addresses or more. */
const isEverywhere = (cidr: string): boolean => /\/[01]$/.test(cidr);

/** Lists what makes links lead nowhere, or clients share the address of a proxy. */
function addressWarnings(settings: Settings): string[] {
  const { EARSHOT_PUBLIC_URL: publicUrl, EARSHOT_TRUSTED_PROXIES: proxies, EARSHOT_HOST: host } = settings;
  const advice = 'Set EARSHOT_PUBLIC_URL to the address that people use, such as https://voice.example.';
  if (publicUrl === undefined) {
    if (proxies !== undefined) return [`Links begin with the daemon's own address instead of the proxy's. ${advice}`];
    return ['0.0.0.0', '::'].includes(host)
      ? [`Links would begin with http://${host}, which no browser opens. ${advice}`]
      : [];
  }
  const { protocol, hostname } = new URL(publicUrl);
  const warnings: string[] = [];
  if (!isLoopback(hostname) && isLoopback(settings.EARSHOT_MEDIA_HOST ?? ''))
    warnings.push(
      'EARSHOT_MEDIA_HOST is of this machine alone, and EARSHOT_PUBLIC_URL is not: people elsewhere open rooms and hear nobody. Unset EARSHOT_MEDIA_HOST.',
    );
  if (protocol === 'http:' && !isLoopback(hostname))
    warnings.push('EARSHOT_PUBLIC_URL begins with http: browsers allow the microphone only on https pages.');
  if (protocol === 'https:' && settings.EARSHOT_TLS_CERT === undefined && proxies === undefined)
    warnings.push(
      'EARSHOT_PUBLIC_URL is https but the daemon speaks http, so there is a proxy in between: add it to EARSHOT_TRUSTED_PROXIES (127.0.0.1 on the same machine). Otherwise all its clients share one address in limits and in the audit log.',
    );
  return warnings;
}

function riskyPairs(settings: Settings): string[] {
  const warnings: string[] = [];
  const open = !isLoopback(settings.EARSHOT_HOST);
  if (open && settings.EARSHOT_TLS_CERT === undefined && settings.EARSHOT_TRUSTED_PROXIES === undefined) {
    warnings.push(
      'EARSHOT_HOST is reachable from outside without TLS: set EARSHOT_TLS_CERT and EARSHOT_TLS_KEY, or put it behind a proxy and add that to EARSHOT_TRUSTED_PROXIES.',
    );
  }
  warnings.push(...addressWarnings(settings));
  if (settings.EARSHOT_CORS_ORIGINS?.includes('*')) {
    warnings.push('EARSHOT_CORS_ORIGINS contains *: every web page can call the API with any credential it has.');
  }
  if (settings.EARSHOT_TRUSTED_PROXIES?.some(isEverywhere)) {
    warnings.push(
      'EARSHOT_TRUSTED_PROXIES trusts every address: any client can forge its address in X-Forwarded-For, so limits by address and the audit log are worthless. List only the addresses of the proxies.',
    );
  }
  if (settings.EARSHOT_OUTBOUND_ALLOW?.some(isEverywhere)) {
    warnings.push('EARSHOT_OUTBOUND_ALLOW lets addresses that projects configure reach every private network.');
  }
  return warnings;
}
