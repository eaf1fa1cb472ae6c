// Statistics of the benches.
const sorted = (values) => Float64Array.from(values).sort();

/** The value that the share `part` (0 to 1) of them do not pass. */
export const quantile = (values, part) => sorted(values)[Math.max(0, Math.ceil(values.length * part) - 1)];
export const median = (values) => quantile(values, 0.5);
export const round = (value, digits = 0) => Number(value.toFixed(digits));

/** Each value over the one of the same round: `0.61 (0.57–0.66)`, the median and the span. */
export function ratio(values, bareValues) {
  const ratios = values.map((value, index) => value / bareValues[index]);
  return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`;
}
