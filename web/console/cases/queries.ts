import { useQuery } from '@tanstack/react-query';
import { type Review, reviewRoutes } from '../../../src/contract/moderation/reviews.js';
import { useProject } from '../frame/project.js';
import { useRefresh } from '../live/use-live.js';
import { client, useSession } from '../session/session.js';

/** As many cases are listed; those that wait longest come first. */
export const casesMax = 200;

export const useMe = (): string => {
  const session = useSession();
  return 'user' in session ? session.user.id : '';
};

/** The case that the caller has claimed and not decided yet; the oldest of several. */
export function useClaimed(): Review | null {
  const { params, may } = useProject();
  const me = useMe();
  const key = ['reviews', params.projectId];
  useRefresh(key, 'review.');
  const { data } = useQuery({
    queryKey: [...key, 'claimed', me],
    queryFn: () =>
      client.call(reviewRoutes.list, { params, query: { status: 'claimed', claimedByUserId: me, limit: 1 } }),
    enabled: may('moderator'),
    staleTime: 60_000,
  });
  return data?.reviews[0] ?? null;
}
