/** Decisions of the console that wait some seconds before they are sent. */
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';

interface Action {
  readonly about: string;
  readonly label: string;
  readonly line: object;
  readonly send: () => Promise<unknown>;
  readonly onSettled: () => void;
}
/** As far as it is used here: the types of React are for files of the console alone. */
interface Held {
  hold(action: Action): void;
  revise(action: Action, next: Action | null): Action | null;
  takeBackAbout(id: string): void;
  decidedIds(): ReadonlySet<string>;
  goOn(): void;
  goAway(): void;
  comeBack(): void;
  settle(): Promise<boolean>;
}

const file = new URL('../../web/console/parts/held.ts', import.meta.url).pathname;
let held: Held;
let sent: string[] = [];

beforeAll(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('addEventListener', () => {});
  held = await import(file);
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

it('are taken back by another act on the same case alone', async () => {
  decide('one', 'no violation');
  held.takeBackAbout('two');
  held.takeBackAbout('one');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent).toEqual([]);
});

it('send what is there when they are sent, and nothing where that cannot be sent', async () => {
  const action = (label: string) => ({
    ...{ about: 'one', label, line: { parts: [], inProject: true }, onSettled: () => {} },
    send: async () => void sent.push(label),
  });
  const [first, second] = [action('a note'), action('a longer note')];
  held.hold(first);
  expect(held.revise(first, second)).toBe(second);
  expect(held.revise(first, action('of another page')), 'it does not wait any more').toBeNull();
  await vi.advanceTimersByTimeAsync(5_000);
  held.hold(first);
  held.revise(first, null);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent).toEqual(['a longer note']);
});

it('name their cases until the daemon has answered', async () => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  held.hold({
    ...{ about: 'one', label: 'slow', line: { parts: [], inProject: true }, onSettled: () => {} },
    send: () => answered,
  });
  decide('two', 'no violation');
  expect([...held.decidedIds()].toSorted()).toEqual(['one', 'two']);
  answer();
  await vi.advanceTimersByTimeAsync(5_000);
  expect([...held.decidedIds()]).toEqual([]);
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
