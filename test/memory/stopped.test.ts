/** Nothing of a daemon stays in memory once it has stopped: a program, or a suite, may start many. */
import { expect, it } from 'vitest';
import { survivors } from '../support/collect.js';
import { startDaemon } from '../support/daemon.js';

/** Starts a daemon and stops it; returns a reference to its clock, which all parts of it know. */
async function clockOfStopped(): Promise<WeakRef<object>> {
  const now = () => new Date();
  await (await startDaemon({ now })).stop();
  return new WeakRef(now);
}

it('frees the memory of a daemon that has stopped', async () => {
  await clockOfStopped(); // libraries may keep the stack of their first use
  expect(await survivors([await clockOfStopped(), await clockOfStopped()])).toBe(0);
});
