/** Whom a moderator means: an external id, a participant id, or a display name that only one person has. */
import type { ApiClient } from '../client/api-client.js';
import { participantRoutes } from '../contract/participants.js';
import { harmless } from './output.js';
import { NotUnderstood } from './times.js';

const candidatesMax = 10;

/** The external id. Somebody who has never been here may be named by external id too. Throws NotUnderstood when ambiguous. */
export async function externalIdOf(client: ApiClient, projectId: string, named: string): Promise<string> {
  const { participants } = await client.call(participantRoutes.list, {
    params: { projectId },
    query: { search: named, limit: 200 },
  });
  const exact = participants.find(({ externalUserId, id }) => externalUserId === named || id === named);
  if (exact !== undefined) return exact.externalUserId;
  const alike = participants.filter(({ displayName }) => displayName.toLowerCase() === named.toLowerCase());
  const [only, another] = alike;
  if (only === undefined) return named;
  if (another === undefined) return only.externalUserId;
  const lines = alike
    .slice(0, candidatesMax)
    .map(({ externalUserId, displayName }) => `\n  ${harmless(externalUserId)}  ${harmless(displayName)}`);
  throw new NotUnderstood(`More than one person is called ${harmless(named)}; use the external id:${lines.join('')}`);
}
