/** Lists the names that people may type for something of a kind; the first page where there are many. */
import { pageLimitMax } from '../../contract/common.js';
import { reviewRoutes } from '../../contract/moderation/reviews.js';
import { sanctionBatchRoutes } from '../../contract/moderation/sanction-batches.js';
import { sanctionTemplateRoutes } from '../../contract/moderation/sanction-templates.js';
import { sanctionRoutes } from '../../contract/moderation/sanctions.js';
import { participantRoutes } from '../../contract/people/participants.js';
import { roomRoutes } from '../../contract/rooms/rooms.js';
import { sessionRoutes } from '../../contract/sessions/sessions.js';
import { webhookRoutes } from '../../contract/webhooks/webhooks.js';
import { ownValue } from '../../names/own-value.js';
import { isKind } from '../names/kinds.js';
import type { Lookup } from '../names/lookup.js';
import { sourceOf } from '../names/sources.js';

type List = (lookup: Lookup) => Promise<readonly (string | null)[]>;

const inProject = async ({ projectId }: Lookup) => ({ projectId: await projectId() });
const limit = pageLimitMax;

const people: List = async (lookup) => {
  const params = await inProject(lookup);
  const { participants } = await lookup.client.call(participantRoutes.list, { params, query: { limit } });
  return participants.flatMap(({ displayName, externalUserId }) => [displayName, externalUserId]);
};

const lists: Readonly<Record<string, List>> = {
  person: people,
  personById: people,
  participant: people,
  player: people,
  session: async (lookup) => {
    const sessions = await lookup.client.call(sessionRoutes.list, { params: await inProject(lookup) });
    return sessions.flatMap(({ externalRoomId, title }) => [externalRoomId, title]);
  },
  room: async (lookup) =>
    (await lookup.client.call(roomRoutes.list, { params: await inProject(lookup) })).map(({ roomId }) => roomId),
  template: async (lookup) =>
    (await lookup.client.call(sanctionTemplateRoutes.list, { params: await inProject(lookup) })).map(
      ({ name }) => name,
    ),
  batch: async (lookup) => {
    const { batches } = await lookup.client.call(sanctionBatchRoutes.list, {
      params: await inProject(lookup),
      query: { limit },
    });
    return batches.map(({ batchId }) => batchId);
  },
  sanction: async (lookup) => {
    const query = { activeOnly: true, limit };
    const { sanctions } = await lookup.client.call(sanctionRoutes.list, { params: await inProject(lookup), query });
    return sanctions.map(({ externalUserId }) => externalUserId);
  },
  review: async (lookup) => {
    const { reviews } = await lookup.client.call(reviewRoutes.list, {
      params: await inProject(lookup),
      query: { limit },
    });
    return reviews.filter(({ status }) => status !== 'decided').map(({ externalUserId }) => externalUserId);
  },
  // An address may have a secret in it.
  webhook: async (lookup) => {
    const webhooks = await lookup.client.call(webhookRoutes.list, { params: await inProject(lookup) });
    return webhooks.map(({ description, url }) => description ?? new URL(url).host);
  },
};

/** The first name of each, other than its id. */
async function firstNames(kind: string, lookup: Lookup): Promise<readonly (string | null)[]> {
  if (!isKind(kind)) return [];
  const { find } = await sourceOf(kind);
  return (await find(lookup, '')).map(({ names: [name] }) => name ?? null);
}

export async function namesOfKind(kind: string, lookup: Lookup): Promise<string[]> {
  const found = await (ownValue(lists, kind)?.(lookup) ?? firstNames(kind, lookup));
  return [...new Set(found.filter((name) => name !== null))].filter((name) => name !== '' && !name.includes('\n'));
}
