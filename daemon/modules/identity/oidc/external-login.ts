/** The identity provider of the settings. */
import type { Settings } from '../../../platform/config/schema.js';
import { createLogger } from '../../../platform/observability/logger.js';
import { Outbound } from '../../../platform/outbound/outbound.js';
import type { Platform } from '../../../platform/platform.js';
import { systemClock } from '../../../platform/time/clock.js';
import type { ExternalLogin } from '../accounts/service.js';
import { type OidcOptions, OidcProvider } from './provider.js';

/** null: people sign in by password only. */
export function externalLogin(
  platform: Pick<Platform, 'settings' | 'outbound' | 'outsideWaits' | 'logger' | 'now'>,
): (ExternalLogin & { readonly problem: () => Promise<string | null> }) | null {
  const { settings, outbound, outsideWaits, logger, now } = platform;
  const options = oidcOptions(settings);
  if (options === null) return null;
  const provider = new OidcProvider(options, outbound, logger, now);
  const waiting = <T>(ask: () => Promise<T>) => outsideWaits.run('identity provider', ask);
  return {
    provider: {
      identify: (token, nonce) => waiting(() => provider.identify(token, nonce)),
      byCode: (request) => waiting(() => provider.byCode(request)),
      startDevice: () => waiting(() => provider.startDevice()),
      byDevice: (deviceCode) => waiting(() => provider.byDevice(deviceCode)),
      describe: () => waiting(() => provider.describe()),
    },
    problem: () => provider.problem(),
    autoCreate: settings.EARSHOT_IDENTITY_AUTO_CREATE,
    roles: settings.EARSHOT_IDENTITY_ROLES ?? null,
  };
}

/** What the operator has to mend before people can sign in at the provider of the settings; null: nothing, or none is set. */
export async function identityProviderProblem(settings: Settings): Promise<string | null> {
  const options = oidcOptions(settings);
  if (options === null) return null;
  const outbound = new Outbound(settings.EARSHOT_OUTBOUND_ALLOW ?? []);
  try {
    return await new OidcProvider(options, outbound, createLogger('silent'), systemClock).problem();
  } finally {
    outbound.close();
  }
}

function oidcOptions(settings: Settings): OidcOptions | null {
  const {
    EARSHOT_IDENTITY: kind,
    EARSHOT_IDENTITY_URL: issuer = '',
    EARSHOT_IDENTITY_CLIENT_ID: id = '',
    EARSHOT_IDENTITY_CLIENT_SECRET: secret,
    EARSHOT_IDENTITY_DEVICE_CLIENT_ID: deviceId,
    EARSHOT_IDENTITY_DEVICE_CLIENT_SECRET: deviceSecret,
    EARSHOT_IDENTITY_AUDIENCE: audience = id,
  } = settings;
  if (kind === 'none') return null;
  const client = { id, secret: secret?.reveal() ?? null };
  return {
    ...{ issuer, client, audience },
    deviceClient: deviceId === undefined ? client : { id: deviceId, secret: deviceSecret?.reveal() ?? null },
    scope: settings.EARSHOT_IDENTITY_SCOPE,
    redirectUri: settings.EARSHOT_IDENTITY_REDIRECT_URI,
    groupsClaim: settings.EARSHOT_IDENTITY_ROLES === undefined ? null : settings.EARSHOT_IDENTITY_GROUPS_CLAIM,
    trustsEmails: settings.EARSHOT_IDENTITY_TRUST_EMAILS,
    publicUrl: settings.EARSHOT_PUBLIC_URL ?? null,
  };
}
