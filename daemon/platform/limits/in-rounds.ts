/**
 * Chooses among work that lies in a table, where owners cannot queue: in rounds, first the work of which its owner has the
 * least under way.
 */

/** Returns the work in rounds, without what is beyond the limit of its owner; the given order breaks ties. */
export function inRounds<Work>(
  due: readonly Work[],
  ownerOf: (work: Work) => string,
  underWay: ReadonlyMap<string, number>,
  maxOf: (work: Work) => number,
): Work[] {
  const counts = new Map(underWay);
  return due
    .map((work) => {
      const owner = ownerOf(work);
      const round = counts.get(owner) ?? 0;
      counts.set(owner, round + 1);
      return { work, round };
    })
    .filter(({ work, round }) => round < maxOf(work))
    .sort((a, b) => a.round - b.round)
    .map(({ work }) => work);
}
