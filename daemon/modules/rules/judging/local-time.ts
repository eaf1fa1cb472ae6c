/** Hours and weekdays of a condition, as clocks of its time zone show them. Pure. */
import { LRUCache } from 'lru-cache';
import { type TimeCondition, weekdays } from '../../../../src/contract/rules/rule-definition.js';

const zonesMax = 1_000;
const minutesPerHour = 60;

/** Making a format takes longer than all that is done with it here. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({
  max: zonesMax,
  memoMethod: (timeZone) =>
    new Intl.DateTimeFormat('en', {
      ...{ timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    }),
});

const minuteOf = (time: string): number => {
  const [hours, minutes] = time.split(':');
  return Number(hours) * minutesPerHour + Number(minutes);
};

function clockAt(timeZone: string, at: Date): { readonly day: number; readonly minute: number } {
  const parts = new Map(
    formats
      .memo(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const name = parts.get('weekday')?.toLowerCase();
  return {
    day: weekdays.findIndex((weekday) => weekday === name),
    minute: minuteOf(`${parts.get('hour')}:${parts.get('minute')}`),
  };
}

/** Hours that go over midnight belong to the day on which they begin. */
export function isWithin({ from, to, weekdays: days, timeZone }: TimeCondition, at: Date): boolean {
  const { day, minute } = clockAt(timeZone, at);
  const isOn = (index: number): boolean =>
    days === undefined || days.some((name) => name === weekdays[index % weekdays.length]);
  if (from === undefined || to === undefined) return isOn(day);
  const [first, end] = [minuteOf(from), minuteOf(to)];
  if (first < end) return first <= minute && minute < end && isOn(day);
  if (minute >= first) return isOn(day);
  return minute < end && isOn(day + weekdays.length - 1);
}
