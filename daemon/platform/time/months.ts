/** The same day and time some months later; the last day of that month where it has no such day. */
export function afterMonths(time: Date, months: number): Date {
  const later = new Date(time);
  later.setUTCMonth(later.getUTCMonth() + months);
  if (later.getUTCDate() !== time.getUTCDate()) later.setUTCDate(0);
  return later;
}

/** Months in which somebody can appeal or complain: Regulation (EU) 2022/2065, Article 20(1). */
export const complaintMonths = 6;
