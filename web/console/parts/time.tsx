/** Times as people read them: local, with UTC on hover. */
import { Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { spanOf } from '../../../src/text/span.js';
import { daemonNow } from '../session/session.js';
import { useWords } from '../words/words.js';

const isToday = (date: Date): boolean => date.toDateString() === new Date(daemonNow()).toDateString();

export function Time({ at }: { readonly at: string | null }) {
  if (at === null) return <>–</>;
  const date = new Date(at);
  const text = date.toLocaleString(document.documentElement.lang, {
    ...(isToday(date) ? { timeStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'short' }),
  });
  return (
    <Tooltip label={at.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')} openDelay={200}>
      <time dateTime={at}>{text}</time>
    </Tooltip>
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
      {span(Math.max(0, Math.round((daemonNow() - Date.parse(at)) / 1_000)))}
    </time>
  );
}
