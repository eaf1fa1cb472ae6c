/** Requests of an attacker who stays within what one network may have open: beyond that the daemon disconnects. */

/** Fewer than a third of the HTTP connections of a daemon that may open 1,024 files. */
export const connectionsOfOne = 60;

/** Does the work `count` times, `places` at once; the results in the order of the calls. */
export async function someAtOnce<T>(count: number, work: (index: number) => Promise<T>, places = connectionsOfOne) {
  const results: T[] = [];
  let begun = 0;
  const next = async (): Promise<void> => {
    while (begun < count) {
      const index = begun;
      begun += 1;
      results[index] = await work(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(places, count) }, next));
  return results;
}
