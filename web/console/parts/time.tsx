/** Times as people read them: local, with UTC on hover. */
import { useEffect, useState } from 'react';
import { spanOf } from '../../../src/text/span.js';
import { daemonNow } from '../session/session.js';
import { useWords } from '../words/words.js';

const styles = {
  hour: { hour: 'numeric', minute: 'numeric' },
  today: { timeStyle: 'medium' },
  anyDay: { dateStyle: 'medium', timeStyle: 'short' },
} as const;
/** Making a formatter takes a thousand times as long as using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** The reader's own kind of the language of the page, such as en-GB. */
const localeOf = (lang: string): string =>
  navigator.languages.find((one) => one === lang || one.startsWith(`${lang}-`)) ?? lang;

const isToday = (date: Date): boolean => date.toDateString() === new Date(daemonNow()).toDateString();

/** `14:00`, as the reader writes it. */
export const hourOf = (at: string): string => format(new Date(at), 'hour');

/** Of the language of the page, as the reader's browser has it. */
export const readerLocale = (): string => localeOf(document.documentElement.lang);

function format(date: Date, style: keyof typeof styles = isToday(date) ? 'today' : 'anyDay'): string {
  const locale = readerLocale();
  const key = `${style} ${locale}`;
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, styles[style]);
  formatters.set(key, formatter);
  return formatter.format(date);
}

export function Time({ at }: { readonly at: string | null }) {
  if (at === null) return <>–</>;
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <>{at}</>;
  return (
    <time dateTime={at} title={at.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')}>
      {format(date)}
    </time>
  );
}

const tickers = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;
function useSeconds(): void {
  const [, turn] = useState(0);
  useEffect(() => {
    const tick = () => turn((count) => count + 1);
    tickers.add(tick);
    ticking ??= setInterval(() => {
      for (const one of tickers) one();
    }, 1_000);
    return () => {
      tickers.delete(tick);
      if (tickers.size > 0) return;
      clearInterval(ticking);
      ticking = undefined;
    };
  }, []);
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

const secondsSince = (at: string): number => Math.max(0, Math.round((daemonNow() - Date.parse(at)) / 1_000));

/** The time since `at` in its largest unit, as people of the language write it: `3 hr`, `27 min`. */
export function roughlySince(at: string): string {
  const seconds = secondsSince(at);
  const [unit, length] = units.find(([, one]) => seconds >= one) ?? (['second', 1] as const);
  const style = { style: 'unit', unit, unitDisplay: unit === 'day' ? 'long' : 'short' } as const;
  return new Intl.NumberFormat(document.documentElement.lang, style).format(Math.floor(seconds / length));
}

/** `93784` → `1d 2h`. */
const span = (seconds: number): string => spanOf(seconds, ' ');

/** Time left until `at`; null: no end. */
export function Countdown({ at }: { readonly at: string | null }) {
  useSeconds();
  const words = useWords();
  if (at === null) return <>{words.never}</>;
  return (
    <time dateTime={at} className="number" title={at}>
      {span(Math.max(0, Math.round((Date.parse(at) - daemonNow()) / 1_000)))}
    </time>
  );
}

/** Time since `at`. */
export function Ago({ at }: { readonly at: string }) {
  useSeconds();
  return (
    <time dateTime={at} className="number" title={at}>
      {span(secondsSince(at))}
    </time>
  );
}
