/** Names and marks of people. What many places of a page ask at once is one question to the daemon. */
import { useQuery } from '@tanstack/react-query';
import { type ListedParticipant, participantRoutes } from '../../../src/contract/people/participants.js';
import { useProject } from '../frame/project.js';
import { useRefresh } from '../live/use-live.js';
import { client } from '../session/session.js';

/** As many ids fit in one address. */
const askedMax = 50;
const gatherMs = 20;
/** No event says that somebody speaks. */
const againMs = 10_000;

type OnMarks = (found: Promise<ReadonlyMap<string, ListedParticipant>>) => void;
const waiting = new Map<string, Map<string, OnMarks[]>>();

async function ask(projectId: string, ids: readonly string[]): Promise<ReadonlyMap<string, ListedParticipant>> {
  const query = { externalUserIds: ids.map(encodeURIComponent).join(), marks: true, limit: askedMax };
  const { participants } = await client.call(participantRoutes.list, { params: { projectId }, query });
  return new Map(participants.map((one) => [one.externalUserId, one]));
}

function send(projectId: string): void {
  const asked = [...(waiting.get(projectId) ?? [])];
  waiting.delete(projectId);
  for (let first = 0; first < asked.length; first += askedMax) {
    const part = asked.slice(first, first + askedMax);
    const found = ask(
      projectId,
      part.map(([id]) => id),
    );
    for (const [, answered] of part) for (const answer of answered) answer(found);
  }
}

async function read(projectId: string, id: string): Promise<ListedParticipant | null> {
  const found = await new Promise<ReadonlyMap<string, ListedParticipant>>((resolve) => {
    const asked = waiting.get(projectId) ?? new Map<string, OnMarks[]>();
    if (asked.size === 0) setTimeout(() => send(projectId), gatherMs);
    waiting.set(projectId, asked.set(id, [...(asked.get(id) ?? []), resolve]));
  });
  return found.get(id) ?? null;
}

const keyOf = (projectId: string) => ['person-marks', projectId];

/** Returns the person with their marks; null: no participant; undefined: not read yet. */
export function useMarked(id: string | null): ListedParticipant | null | undefined {
  const { project } = useProject();
  return useQuery({
    queryKey: [...keyOf(project.id), id],
    queryFn: () => read(project.id, id ?? ''),
    enabled: id !== null,
    staleTime: againMs,
    refetchInterval: againMs,
  }).data;
}

/** Keeps the marks of the people on the page as they are; once a page. */
export function useMarksKept(): void {
  const { project } = useProject();
  useRefresh(keyOf(project.id), 'sanction.', 'participant.', 'report.');
}
