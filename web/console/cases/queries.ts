import { useQuery } from '@tanstack/react-query';
import { reviewRoutes } from '../../../src/contract/moderation/reviews.js';
import { caseRoutes } from '../../../src/contract/reports/cases.js';
import { useProject } from '../frame/project.js';
import { useRefresh } from '../live/use-live.js';
import { client, useSession } from '../session/session.js';

/** As many cases, or reviews, are listed at once. */
export const casesMax = 200;
/** A claim ends by time too, without an event. */
const againMs = 60_000;

export const useMe = (): string => {
  const session = useSession();
  return 'user' in session ? session.user.id : '';
};

interface Waiting {
  readonly id: string;
  readonly kind: string;
  readonly who: string | null;
  readonly since: string;
}

/** What waits for a decision, heaviest first; of viewers, who see no cases, the reviews. */
export function useWaiting(): { readonly count: string; readonly items: readonly Waiting[] } | null {
  const { params, may } = useProject();
  const isModerator = may('moderator');
  const key = ['cases', params.projectId, 'waiting'];
  useRefresh(key, 'case.', 'review.');
  const { data } = useQuery({
    queryKey: key,
    queryFn: async () => {
      if (!isModerator) {
        const { reviews, total } = await client.call(reviewRoutes.list, {
          params,
          query: { status: 'open', limit: casesMax },
        });
        const items = reviews.map(({ id, kind, externalUserId: who, createdAt: since }) => ({ id, kind, who, since }));
        return { count: `${total}`, items };
      }
      const { cases, next } = await client.call(caseRoutes.list, { params, query: { limit: casesMax } });
      const items = cases.map(({ id, category, externalUserId, roomId, createdAt: since }) => ({
        ...{ id, kind: category, who: externalUserId ?? roomId, since },
      }));
      return { count: next === null ? `${items.length}` : `${casesMax}+`, items };
    },
  });
  return data ?? null;
}

/** The case that the caller has claimed and not decided yet, or else the review. */
export function useClaimed(): Omit<Waiting, 'since'> | null {
  const { params, may } = useProject();
  const me = useMe();
  const key = ['cases', params.projectId, 'claimed', me];
  useRefresh(key, 'case.', 'review.');
  const { data } = useQuery({
    queryKey: key,
    queryFn: async () => {
      const query = { status: 'claimed', claimedByUserId: me, limit: 1 } as const;
      const [one] = (await client.call(caseRoutes.list, { params, query })).cases;
      if (one !== undefined) return { id: one.id, kind: one.category, who: one.externalUserId ?? one.roomId };
      const [review] = (await client.call(reviewRoutes.list, { params, query })).reviews;
      return review === undefined
        ? null
        : { id: review.id, kind: review.kind, who: review.externalUserId ?? review.participantId };
    },
    enabled: may('moderator'),
    refetchInterval: againMs,
  });
  return data ?? null;
}
