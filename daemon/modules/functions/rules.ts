/** Requirements of functions before they can be activated, and changes that their settings allow. Pure. */
import { DomainError } from '../../../src/contract/errors.js';
import {
  environmentNamesMax,
  type FunctionSettings,
  type UpdateFunctionSettingsRequest,
} from '../../../src/contract/functions/functions.js';
import { ownValue } from '../../../src/names/own-value.js';
import { timeOrNull } from '../../platform/database/column-values.js';
import { leadsElsewhere } from '../../platform/secrets/origin.js';
import type { FunctionRow } from './store.js';

/** Two calls to the hosting API, each with its own time limit, and some time between. */
const changeMaxMs = 60_000;

/** True while the hosting API is being asked. A daemon that stopped meanwhile leaves this status for a minute. */
export const isChanging = ({ state, changingSince }: FunctionRow, now: Date): boolean =>
  state === 'changing' && changingSince !== null && now.getTime() - changingSince.getTime() < changeMaxMs;

const needed = [
  ['provider', 'the provider of the functions'],
  ['address', 'the address of the hosting API'],
  ['credentials', 'the credential for the hosting API'],
  ['resourcePackageId', 'the machine that the functions get'],
  ['locationId', 'where they run'],
] as const;

/** Lists settings still missing before the hosting API can be asked (`reach`) or functions can be activated. */
export function missing(row: FunctionRow, purpose: 'reach' | 'activation'): { path: string; message: string }[] {
  const fields = purpose === 'reach' ? needed.slice(0, 3) : needed;
  const absent = fields
    .filter(([name]) => row[name] === null)
    .map(([name, meaning]) => ({ path: name, message: `is missing (${meaning})` }));
  if (purpose === 'reach' || row.enabled) return absent;
  return [{ path: 'enabled', message: 'is false' }, ...absent];
}

const interrupted = 'The last change was interrupted. Activate again, or deactivate: both are safe to repeat.';

export function toSettings(row: FunctionRow, now: Date): FunctionSettings {
  const absent = missing(row, 'activation');
  const wasInterrupted = row.state === 'changing' && !isChanging(row, now);
  const isIncomplete = !row.isHosted && row.state !== 'changing' && absent.length > 0;
  const status = isIncomplete
    ? 'incomplete'
    : wasInterrupted
      ? 'failed'
      : row.state === 'inactive'
        ? 'ready'
        : row.state;
  const lacks = absent.map(({ path, message }) => `${path} ${message}`).join('; ');
  return {
    enabled: row.enabled,
    provider: row.provider === 'http' ? row.provider : null,
    address: row.address,
    credentialsConfigured: row.credentials !== null,
    resourcePackageId: row.resourcePackageId,
    locationId: row.locationId,
    environment: Object.keys(row.environment).sort(),
    status,
    statusMessage: isIncomplete ? lacks : wasInterrupted ? interrupted : row.message,
    activatedAt: timeOrNull(row.activatedAt),
  };
}

type Seal = (value: string, field: string) => string;
export const environmentField = (name: string): string => `environment:${name}`;

/**
 * The row with the fields that are sent. Throws functions_active, secret_needed_again, functions_environment_full.
 */
export function changed(
  before: FunctionRow,
  request: UpdateFunctionSettingsRequest,
  seal: Seal,
  now: Date,
): FunctionRow {
  const { credentials, environment = {} } = request;
  const after: FunctionRow = {
    ...before,
    enabled: request.enabled ?? before.enabled,
    provider: request.provider === undefined ? before.provider : request.provider,
    address: request.address === undefined ? before.address : request.address,
    resourcePackageId: request.resourcePackageId === undefined ? before.resourcePackageId : request.resourcePackageId,
    locationId: request.locationId === undefined ? before.locationId : request.locationId,
    credentials: credentials === undefined ? before.credentials : credentials && seal(credentials.token, 'credentials'),
    environment: merged(before.environment, environment, seal),
    updatedAt: now,
  };
  const isReachChanged = after.provider !== before.provider || after.address !== before.address;
  if (before.isHosted && (isReachChanged || after.credentials === null)) throw new DomainError('functions_active');
  refuseElsewhere(before, after);
  const isSame =
    after.resourcePackageId === before.resourcePackageId &&
    after.locationId === before.locationId &&
    Object.keys(environment).length === 0;
  if (before.state === 'failed' && !before.isHosted) return { ...after, state: 'inactive', message: null };
  return { ...after, state: before.state === 'active' && !isSame ? 'outdated' : before.state };
}

function merged(before: FunctionRow['environment'], sent: Readonly<Record<string, string | null>>, seal: Seal) {
  const values = Object.entries(before).filter(([name]) => !Object.hasOwn(sent, name));
  for (const [name, value] of Object.entries(sent))
    if (value !== null) values.push([name, seal(value, environmentField(name))]);
  if (values.length > environmentNamesMax) throw new DomainError('functions_environment_full');
  return Object.fromEntries(values);
}

/** A stored secret, values of variables included, is sent only to the server that it was given for. */
function refuseElsewhere(before: FunctionRow, after: FunctionRow): void {
  // Without an address nothing may be kept either: the next address could be anybody's.
  if (before.address === null) return;
  if (after.address !== null && !leadsElsewhere(before.address, after.address)) return;
  const keepsToken = after.credentials !== null && after.credentials === before.credentials;
  const keepsValue = Object.entries(after.environment).some(
    ([name, value]) => ownValue(before.environment, name) === value,
  );
  if (keepsToken || keepsValue) throw new DomainError('secret_needed_again');
}
