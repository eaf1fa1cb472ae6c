/** Durations as counts by bucket: enough for a median and other quantiles within 5 %, and no more than some hundred rows. */
const ratio = 1.1;

/** Name of the bucket of a duration in seconds. */
export const bucketOf = (seconds: number): string =>
  String(Math.max(0, Math.round(Math.log(Math.max(seconds, 1)) / Math.log(ratio))));

/** Returns the duration, in seconds, that this share of the counted ones does not exceed; null where none was counted. */
export function quantile(counts: ReadonlyMap<string, number>, share: number): number | null {
  const buckets = [...counts].map(([name, count]) => ({ at: Number(name), count })).sort((a, b) => a.at - b.at);
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  if (total <= 0) return null;
  let passed = 0;
  for (const { at, count } of buckets) {
    passed += count;
    if (passed >= share * total) return Math.round(ratio ** at);
  }
  return null;
}
