/** Work that may have crashed a daemon is retried one piece at a time, in all queues together. */
import { expect, it } from 'vitest';
import { SuspectTurns } from '../../daemon/platform/turns/suspect-turns.js';

const work = (...names: string[]) => names.map((id) => ({ id, suspect: id.startsWith('s') }));
const ids = (admitted: readonly { readonly id: string }[]) => admitted.map(({ id }) => id);

it('admits one suspect piece, and everything that is not suspect', () => {
  const turns = new SuspectTurns(() => 0);
  expect(ids(turns.admit(work('a', 's1', 's2', 'b')))).toEqual(['a', 's1', 'b']);
  expect(ids(turns.admit(work('s2', 'c')))).toEqual(['c']);
});

it('admits the next when the one before has ended, or has run for a second', () => {
  let now = 0;
  const turns = new SuspectTurns(() => now);
  turns.admit(work('s1'));
  turns.end('another');
  expect(ids(turns.admit(work('s2')))).toEqual([]);
  turns.end('s1');
  expect(ids(turns.admit(work('s2')))).toEqual(['s2']);
  now = 1_000;
  expect(ids(turns.admit(work('s3')))).toEqual(['s3']);
  turns.end('s2');
  expect(ids(turns.admit(work('s4')))).toEqual([]);
});
