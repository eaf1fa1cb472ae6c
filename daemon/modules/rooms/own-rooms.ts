import { DomainError } from '../../../src/contract/errors.js';

export interface TokenSettings {
  open(projectId: string): Promise<{ readonly tokenProvider: string } | null>;
}

/**
 * Refuses what this daemon cannot do in rooms of another provider. `done`: as in "can be muted". Throws
 * settings_not_configured, provider_unsupported.
 */
export async function requireOwnRooms(settings: TokenSettings, projectId: string, done: string): Promise<void> {
  const found = await settings.open(projectId);
  if (found === null) throw new DomainError('settings_not_configured');
  if (found.tokenProvider !== 'embedded')
    throw new DomainError('provider_unsupported', {
      message: `Only rooms of this daemon can be ${done}. Do it with the project's provider (${found.tokenProvider}).`,
    });
}
