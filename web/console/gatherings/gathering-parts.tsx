/** What the list of gatherings and an open gathering share. */
import type { Gathering, gatheringStatuses } from '../../../src/contract/gatherings/gatherings.js';
import { Countdown } from '../parts/time.js';
import type { Words } from '../words/all-words.js';

const tones: Readonly<Partial<Record<(typeof gatheringStatuses)[number], string>>> = {
  CREATED: 'accent',
  STARTED: 'good',
};
export const StatusBadge = ({ status }: Pick<Gathering, 'status'>) => (
  <span className={`badge ${tones[status] ?? ''}`}>{status.toLowerCase()}</span>
);

export const isOver = ({ status }: Gathering): boolean => status !== 'CREATED' && status !== 'STARTED';

/** Shows what the gathering comes to next by itself, and the time until then. */
export const nextMoment = (words: Words) => (gathering: Gathering) => {
  const { status, startsAt, endsAt, expiresAt } = gathering;
  if (isOver(gathering)) return null;
  const moments = [
    [words.gatherings.startsIn, status === 'CREATED' ? startsAt : null],
    [words.gatherings.endsIn, endsAt],
    [words.gatherings.expiresIn, expiresAt],
  ] as const;
  const [next] = moments
    .flatMap(([label, at]) => (at === null ? [] : [{ label, at }]))
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return next === undefined ? null : (
    <>
      {next.label} <Countdown at={next.at} />
    </>
  );
};
