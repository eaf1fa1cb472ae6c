import { useQuery } from '@tanstack/react-query';
import { figureRoutes, type ProjectFigures } from '../../../src/contract/figures/figures.js';
import { type Review, reviewRoutes } from '../../../src/contract/moderation/reviews.js';
import type { Sanction } from '../../../src/contract/moderation/sanction-record.js';
import { sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import { type Case, caseRoutes } from '../../../src/contract/reports/cases.js';
import { useProject } from '../frame/project.js';
import { useRefresh } from '../live/use-live.js';
import type { Reading } from '../parts/answer.js';
import { client, useSession } from '../session/session.js';
import type { FirstWords } from '../words/en.js';

/** As many cases, or reviews, are listed at once. */
export const casesMax = 200;
/** A claim ends by time too, without an event. */
const againMs = 60_000;
/** Sanctions leave the hour, and webhooks fail, without an event that says so. */
const figuresMs = 15_000;

/** What people call a category: projects name their own; those of cases without reports are ours. */
export function kindWord({ cases }: FirstWords, category: string): string {
  return new Map(Object.entries(cases.ownKinds)).get(category) ?? category;
}

export const useMe = (): string => {
  const session = useSession();
  return 'user' in session ? session.user.id : '';
};

/** Sanctions of the person whom a case is about, newest first. */
export function usePriors(person: string | null): Reading<readonly Sanction[]> {
  const { params } = useProject();
  return useQuery({
    queryKey: ['cases', params.projectId, 'priors', person],
    queryFn: () => client.call(sanctionRoutes.ofUser, { params: { ...params, externalUserId: person ?? '' } }),
    enabled: person !== null,
  });
}

interface Waiting {
  readonly id: string;
  readonly kind: string;
  /** External user id. */
  readonly person: string | null;
  /** What it is about, where that is no person. */
  readonly room: string | null;
  readonly since: string;
}

/** How much waits and fails in the project: of everything, and the same for everybody. */
export function useFigures(): Reading<ProjectFigures> {
  const { params } = useProject();
  const key = [figureRoutes.project.operationId, params];
  useRefresh(key, 'case.', 'review.', 'sanction.');
  return useQuery({
    queryKey: key,
    queryFn: () => client.call(figureRoutes.project, { params }),
    refetchInterval: figuresMs,
  });
}

/** The first that wait for a decision, heaviest first; of viewers, who see no cases, the reviews. */
export function useFirstWaiting(limit: number): Reading<readonly Waiting[]> {
  const { params, may } = useProject();
  const isModerator = may('moderator');
  const key = ['cases', params.projectId, 'waiting'];
  useRefresh(key, 'case.', 'review.');
  return useQuery({
    queryKey: key,
    queryFn: async () => {
      if (!isModerator) {
        const { reviews } = await client.call(reviewRoutes.list, { params, query: { status: 'open', limit } });
        return reviews.map(({ id, kind, externalUserId: person, createdAt: since }) => ({
          ...{ id, kind, person, room: null, since },
        }));
      }
      const { cases } = await client.call(caseRoutes.list, { params, query: { limit } });
      return cases.map(({ id, category, externalUserId: person, roomId: room, createdAt: since }) => ({
        ...{ id, kind: category, person, room, since },
      }));
    },
  });
}

/** The case that the caller has claimed and not decided yet, or else the review. */
export function useClaimed(): Case | Review | null {
  const { params, may } = useProject();
  const me = useMe();
  const key = ['cases', params.projectId, 'claimed', me];
  useRefresh(key, 'case.', 'review.');
  const { data } = useQuery({
    queryKey: key,
    queryFn: async () => {
      const query = { status: 'claimed', claimedByUserId: me, limit: 1 } as const;
      const [one] = (await client.call(caseRoutes.list, { params, query })).cases;
      if (one !== undefined) return one;
      return (await client.call(reviewRoutes.list, { params, query })).reviews[0] ?? null;
    },
    enabled: may('moderator'),
    refetchInterval: againMs,
  });
  return data ?? null;
}
