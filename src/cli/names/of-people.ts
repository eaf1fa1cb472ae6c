/** Cases that are known by the person they are about, while there is one. */
import { pageLimitMax } from '../../contract/common.js';
import { type ReviewStatus, reviewRoutes } from '../../contract/moderation/reviews.js';
import { sanctionRoutes } from '../../contract/moderation/sanctions.js';
import { caseRoutes } from '../../contract/reports/cases.js';
import type { Candidate } from './candidates.js';
import type { Lookup } from './lookup.js';

export async function sanctionsInForceOf(lookup: Lookup, externalUserId: string): Promise<Candidate[]> {
  const params = { projectId: await lookup.projectId(), externalUserId };
  const active = await lookup.client.call(sanctionRoutes.activeOfUser, { params });
  return active.map(({ id, type, endAt, reason }) => {
    const end = endAt === null ? 'until revoked' : `until ${endAt}`;
    const says = `${externalUserId}, ${type}, ${end}${reason ? `, ${reason}` : ''}`;
    return { id, names: [externalUserId], says };
  });
}

const undecided: readonly ReviewStatus[] = ['claimed', 'open'];

export async function openReviewsOf(lookup: Lookup, externalUserId: string): Promise<Candidate[]> {
  const params = { projectId: await lookup.projectId() };
  const found: Candidate[] = [];
  for (const status of undecided) {
    const query = { externalUserId, status, limit: pageLimitMax };
    const { reviews } = await lookup.client.call(reviewRoutes.list, { params, query });
    for (const { id, kind, createdAt } of reviews)
      found.push({ id, names: [externalUserId], says: `${externalUserId}, ${kind}, ${status}, since ${createdAt}` });
  }
  return found;
}

/** Undecided cases about a person, or about a room. */
export async function openCasesOf({ client, projectId }: Lookup, about: string): Promise<Candidate[]> {
  const params = { projectId: await projectId() };
  const query = { externalUserId: about, limit: pageLimitMax };
  const { cases } = await client.call(caseRoutes.list, { params, query });
  const found = cases.length > 0 ? cases : (await client.call(caseRoutes.list, { params })).cases;
  return found.flatMap(({ id, externalUserId, roomId, category, status, createdAt }) => {
    const name = externalUserId ?? roomId;
    return name === null ? [] : [{ id, names: [name], says: `${name}, ${category}, ${status}, since ${createdAt}` }];
  });
}
