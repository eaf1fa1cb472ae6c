/**
 * Finds the person a moderator means: by external user id, participant id, or a display name that only one person has.
 */
import type { EarshotClient } from '../client/earshot-client.js';
import { ApiError } from '../client/errors.js';
import { pageLimitMax } from '../contract/common.js';
import { type Participant, participantRoutes } from '../contract/people/participants.js';
import { harmless } from '../printable.js';
import { NotUnderstood } from './times.js';

const namedMax = 10;
const searchedMax = 10_000;

/**
 * The external user id. An unknown person may be named by external user id too; `toNobody` is called then, because it
 * may be a typing error. Throws NotUnderstood when ambiguous.
 */
export async function externalIdOf(
  client: EarshotClient,
  projectId: string,
  named: string,
  toNobody: (hint: string) => void = () => {},
): Promise<string> {
  const participant = await known(client, projectId, named);
  if (participant === null) toNobody(`Nobody here is ${harmless(named)} yet; it is taken as an external id.`);
  return participant?.externalUserId ?? named;
}

/** The participant's own id. Throws NotUnderstood when ambiguous or unknown. */
export async function participantIdOf(client: EarshotClient, projectId: string, named: string): Promise<string> {
  const participant = await known(client, projectId, named);
  if (participant === null)
    throw new NotUnderstood(`Nobody here is ${harmless(named)}. \`participants list --search\` finds people.`);
  return participant.id;
}

async function known(client: EarshotClient, projectId: string, named: string): Promise<Participant | null> {
  const found = await search(client, projectId, named);
  const exact = found.find(({ externalUserId }) => externalUserId === named) ?? (await byId(client, projectId, named));
  if (exact !== null) return exact;
  const alike = found.filter(({ displayName }) => displayName.toLowerCase() === named.toLowerCase());
  const [only, another] = alike;
  if (another === undefined) return only ?? null;
  const lines = alike
    .slice(0, namedMax)
    .map(({ externalUserId, displayName }) => `\n  ${harmless(externalUserId)}  ${harmless(displayName)}`);
  throw new NotUnderstood(`More than one person is called ${harmless(named)}; use the external id:${lines.join('')}`);
}

/** Everybody whose name or id contains the text. */
async function search(client: EarshotClient, projectId: string, text: string): Promise<Participant[]> {
  const found: Participant[] = [];
  for (let offset = 0; offset < searchedMax; offset += pageLimitMax) {
    const { participants, total } = await client.call(participantRoutes.list, {
      params: { projectId },
      query: { search: text, limit: pageLimitMax, offset },
    });
    found.push(...participants);
    if (found.length >= total) break;
  }
  return found;
}

const looksLikeId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

async function byId(client: EarshotClient, projectId: string, id: string): Promise<Participant | null> {
  if (!looksLikeId.test(id)) return null;
  return client.call(participantRoutes.get, { params: { projectId, id } }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });
}
