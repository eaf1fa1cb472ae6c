/** Acknowledged is durable: a daemon killed under load has lost nothing that it said it had, and goes on where it was. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { CrashLoad, killsPerLevel, kinds, readLedger } from '../support/crash-load.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { scale } from '../support/scale.js';

const rounds = scale(2, 20);
const ofEachKind = scale(10, 30);
/** Daemons are started one after the other, beside whatever else the machine does. */
const patienceMs = 180_000 + rounds * 30_000;

let daemon: DaemonProcess;
let receiver: Receiver;
beforeEach(async () => {
  daemon = new DaemonProcess({ EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' });
  receiver = await startReceiver();
});
afterEach(async () => {
  await daemon.dispose();
  await receiver.stop();
});

describe('kill -9 under load', () => {
  it('leaves all that was acknowledged exactly once, in rows, counters, boards, log and outbox, and the bot goes on', {
    timeout: patienceMs,
  }, async () => {
    await daemon.start();
    const load = await CrashLoad.prepare(daemon, receiver.url);
    const { projectId, sessionId: id, acknowledged } = load;
    const listening = () =>
      eventually(async () => {
        const { bot } = await load.client.call(sessionRoutes.get, { params: { projectId, id } });
        expect(bot.state).toBe('listening');
      });
    for (let round = 0; round < rounds; round += 1) {
      await listening();
      await load.round(ofEachKind);
    }
    await listening();
    await daemon.end('SIGKILL');

    const ledger = await readLedger(daemon.dataDir);
    for (const kind of kinds) {
      const stored = new Set(ledger.rows[kind]);
      expect(stored.size).toBe(ledger.rows[kind].length);
      expect([...acknowledged[kind]].filter((one) => !stored.has(one))).toEqual([]);
    }
    expect(ledger.notAnnouncedOnce).toEqual([]);
    expect(ledger.notInOutboxOnce).toEqual([]);
    const played = ledger.rows['game event'].length;
    expect(ledger.counter).toBe(played);
    // Unlocked, activated, then each event by itself, in order and without a gap.
    expect(ledger.countersTold).toEqual([0, 0, ...Array.from({ length: played }, (_, index) => index + 1)]);
    // The same kills, one level after the other: all but the last are full.
    const full = Math.floor(played / killsPerLevel);
    expect(ledger.levelCounters).toEqual([
      ...Array.from({ length: full }, () => killsPerLevel),
      played % killsPerLevel,
    ]);
    expect(ledger.levelCountersTold).toEqual(ledger.levelCounters);
    expect(ledger.levelsCompleted).toBe(full);
    expect(ledger.score).toBe(played);
    expect(ledger.scoresTold).toEqual(Array.from({ length: played }, (_, index) => index + 1));
    // Nobody was told that a bot listens while it had to come back first.
    expect(ledger.botStates).toEqual(Array.from({ length: rounds + 1 }, () => ['joining', 'listening']).flat());
  });
});
