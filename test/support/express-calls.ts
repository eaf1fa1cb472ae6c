/** Counts the requests that Express handles in this process, for tests of the way past it. */
import express from 'express';

type Handle = (this: unknown, ...call: unknown[]) => void;

export interface ExpressCalls {
  readonly count: number;
  stop(): void;
}

export function countExpressCalls(): ExpressCalls {
  const handle: Handle = Reflect.get(express.application, 'handle');
  let count = 0;
  Reflect.set(express.application, 'handle', function counted(this: unknown, ...call: unknown[]) {
    count += 1;
    handle.apply(this, call);
  });
  return {
    get count() {
      return count;
    },
    stop: () => void Reflect.set(express.application, 'handle', handle),
  };
}

const hidden = [
  [/^(Date|X-Request-Id|RateLimit-Remaining|RateLimit-Reset): .*$/gm, '$1: *'],
  [/"requestId":"[^"]*"/g, '"requestId":"*"'],
] as const;

/** An answer without what differs between two equal ones. */
export const masked = (text: string): string =>
  hidden.reduce((shown, [pattern, instead]) => shown.replaceAll(pattern, instead), text);
