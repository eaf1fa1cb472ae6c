/**
 * Runs one act of a person at a time: what is started again before it is answered, or by the second half of a double click,
 * is not sent. Every change that the console sends begins here. Its Idempotency-Key comes from `session/intents.ts`.
 */
import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

/** Systems take two clicks for a double click up to this long after the first. */
const doubleClickMs = 500;

interface IntentOptions<Result, Input> extends UseMutationOptions<Result, Error, Input> {
  readonly mutationFn: (input: Input) => Promise<Result>;
  /** False for what only reads and may follow at once, such as the way to the next case. */
  readonly rests?: boolean;
}

type Intent<Result, Input> = Pick<
  UseMutationResult<Result, Error, Input>,
  'error' | 'data' | 'variables' | 'isSuccess' | 'isIdle' | 'reset'
> & {
  readonly start: (input: Input) => void;
  /** Nothing more is taken at the moment: buttons and keys that start it are disabled. */
  readonly isPending: boolean;
};

export function useIntent<Result, Input = void>({
  mutationFn,
  rests = true,
  ...options
}: IntentOptions<Result, Input>): Intent<Result, Input> {
  /** The latest start that still holds the others off; null: the next is taken. */
  const latest = useRef<object>(null);
  const [isResting, setResting] = useState(false);
  const release = () => {
    latest.current = null;
    setResting(false);
  };
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const mutation = useMutation({
    ...options,
    mutationFn: async (input: Input) => {
      const own = latest.current;
      const startedAt = performance.now();
      const releaseAfter = (ms: number) => {
        timer.current = setTimeout(() => {
          if (latest.current === own) release();
        }, ms);
      };
      try {
        const result = await mutationFn(input);
        releaseAfter(rests ? Math.max(0, startedAt + doubleClickMs - performance.now()) : 0);
        return result;
      } catch (error) {
        releaseAfter(0); // A repeat of what was refused or lost is sent under the same key, so it changes nothing twice.
        throw error;
      }
    },
  });
  const { mutate, error, data, variables, isSuccess, isIdle } = mutation;
  const start = (input: Input) => {
    if (latest.current !== null) return;
    latest.current = {};
    setResting(true);
    mutate(input);
  };
  const reset = () => {
    release();
    mutation.reset();
  };
  return { start, reset, error, data, variables, isSuccess, isIdle, isPending: mutation.isPending || isResting };
}
