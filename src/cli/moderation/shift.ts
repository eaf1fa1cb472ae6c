/** A moderator's handover: notes of those before, what is still open, and what others did in the meantime. */
import type { EarshotClient } from '../../client/earshot-client.js';
import { pageLimitMax } from '../../contract/common.js';
import { type Review, reviewRoutes } from '../../contract/moderation/reviews.js';
import type { Sanction } from '../../contract/moderation/sanction-record.js';
import { sanctionRoutes } from '../../contract/moderation/sanctions.js';
import { type ShiftNote, shiftNoteRoutes } from '../../contract/moderation/shift-notes.js';
import { type Case, caseRoutes } from '../../contract/reports/cases.js';
import { type Room, roomRoutes } from '../../contract/rooms/rooms.js';
import { isClosed, noneWhere } from '../command/refusals.js';
import { everyRow } from '../names/candidates.js';

/** Notes that are shown even if they are older. */
const notesMin = 3;
const notesMax = 20;

export interface Shift {
  readonly since: string;
  /** Newest first. */
  readonly notes: readonly ShiftNote[];
  /** Claimed by the caller and not decided. */
  readonly cases: readonly Case[];
  readonly reviews: readonly Review[];
  /** Muted or closed at the moment, by whomever. */
  readonly rooms: readonly Room[];
  readonly others: {
    readonly sanctions: readonly Sanction[];
    readonly cases: readonly Case[];
    readonly reviews: readonly Review[];
  };
}

/** `own`: the id of the caller. What a key may not read is left out. */
export async function shiftOf(client: EarshotClient, projectId: string, own: string, since: string): Promise<Shift> {
  const params = { projectId };
  const isOther = (id: string | null) => id !== own;
  const [{ notes }, cases, reviews, rooms, sanctions, decidedCases, decidedReviews] = await Promise.all([
    client.call(shiftNoteRoutes.list, { params, query: { limit: notesMax } }),
    everyCase(client, projectId, { claimedByUserId: own }),
    everyReview(client, projectId, { claimedByUserId: own, status: 'claimed' }),
    client.call(roomRoutes.list, { params }).catch(noneWhere(isClosed)),
    everyRow(
      client,
      (page) => client.call(sanctionRoutes.list, { params, query: { since, ...page } }),
      ({ sanctions }) => sanctions,
    ),
    everyCase(client, projectId, { status: 'decided', decidedSince: since }),
    everyReview(client, projectId, { status: 'decided', decidedSince: since }),
  ]);
  return {
    since,
    notes: notes.filter(({ createdAt }, index) => index < notesMin || Date.parse(createdAt) >= Date.parse(since)),
    cases,
    reviews,
    rooms: rooms.filter(({ muted, closed }) => muted !== null || closed !== null),
    others: {
      sanctions: sanctions.filter(({ createdByUserId }) => isOther(createdByUserId)),
      cases: decidedCases.filter(({ decidedByUserId }) => isOther(decidedByUserId)),
      reviews: decidedReviews.filter(({ decidedByUserId }) => isOther(decidedByUserId)),
    },
  };
}

async function everyCase(
  client: EarshotClient,
  projectId: string,
  filter: { claimedByUserId: string } | { status: 'decided'; decidedSince: string },
): Promise<Case[]> {
  const found: Case[] = [];
  for (let after: string | undefined; ; ) {
    const query = { ...filter, limit: pageLimitMax, ...(after === undefined ? {} : { after }) };
    const page = await client.call(caseRoutes.list, { params: { projectId }, query }).catch((error: unknown) => {
      if (isClosed(error)) return { cases: [], next: null };
      throw error;
    });
    found.push(...page.cases);
    if (page.next === null) return found;
    after = page.next;
  }
}

const everyReview = (
  client: EarshotClient,
  projectId: string,
  filter: { claimedByUserId: string; status: 'claimed' } | { status: 'decided'; decidedSince: string },
): Promise<Review[]> =>
  everyRow(
    client,
    (page) => client.call(reviewRoutes.list, { params: { projectId }, query: { ...filter, ...page } }),
    ({ reviews }) => reviews,
  ).catch(noneWhere(isClosed));
