/** Cases that are known by the person they are about, while there is one. */
import { pageLimitMax } from '../../contract/common.js';
import { reviewRoutes } from '../../contract/moderation/reviews.js';
import { sanctionRoutes } from '../../contract/moderation/sanctions.js';
import { type Candidate, namedBy } from './candidates.js';
import { peopleWho } from './people.js';
import type { Lookup } from './sources.js';

/** The external ids of whom the text names. */
const idsOf = async (lookup: Lookup, typed: string): Promise<string[]> =>
  namedBy(typed, await peopleWho('externalUserId')(lookup, typed)).map(({ id }) => id);

export async function sanctionsInForceOf(lookup: Lookup, typed: string): Promise<Candidate[]> {
  const projectId = await lookup.projectId();
  const found: Candidate[] = [];
  for (const externalUserId of await idsOf(lookup, typed)) {
    const active = await lookup.client.call(sanctionRoutes.activeOfUser, { params: { projectId, externalUserId } });
    for (const { id, type, endAt, reason } of active) {
      const end = endAt === null ? 'until revoked' : `until ${endAt}`;
      found.push({ id, names: [typed], says: `${externalUserId}, ${type}, ${end}${reason ? `, ${reason}` : ''}` });
    }
  }
  return found;
}

export async function openReviewsOf(lookup: Lookup, typed: string): Promise<Candidate[]> {
  const params = { projectId: await lookup.projectId() };
  const found: Candidate[] = [];
  for (const externalUserId of await idsOf(lookup, typed)) {
    const query = { externalUserId, limit: pageLimitMax };
    const { reviews } = await lookup.client.call(reviewRoutes.list, { params, query });
    for (const { id, kind, status, createdAt } of reviews)
      if (status !== 'decided')
        found.push({ id, names: [typed], says: `${externalUserId}, ${kind}, ${status}, since ${createdAt}` });
  }
  return found;
}
