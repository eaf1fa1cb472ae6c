/** Decisions of the console that wait some seconds before they are sent. */
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';

let held: typeof import('../../web/console/parts/held.js');
let sent: string[] = [];

beforeAll(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('addEventListener', () => {});
  held = await import('../../web/console/parts/held.js');
});
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
beforeEach(() => {
  sent = [];
});

const decide = (about: string, label: string, refusal?: Error) =>
  held.hold({
    ...{ about, label, line: { parts: [], inProject: true }, onSettled: () => {} },
    send: async () => {
      if (refusal !== undefined) throw refusal;
      sent.push(label);
    },
  });

it('replace the one before about the same case, and send the one before about another', async () => {
  decide('one', 'no violation');
  decide('one', 'unfounded');
  decide('two', 'no violation of two');
  expect(sent).toEqual(['unfounded']);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent).toEqual(['unfounded', 'no violation of two']);
});

it('wait while nobody is signed in, whatever gets the focus, and go on with whoever decided', async () => {
  decide('one', 'no violation');
  held.goAway();
  held.goOn();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual([]);
  held.comeBack();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent).toEqual(['no violation']);
});

it('are sent before the session is ended, which waits for their answers', async () => {
  decide('one', 'no violation');
  expect(await held.settle()).toBe(true);
  expect(sent).toEqual(['no violation']);
  decide('two', 'late', new Error('A colleague was first.'));
  expect(await held.settle(), 'it is shown first').toBe(false);
  expect(await held.settle()).toBe(true);
});
