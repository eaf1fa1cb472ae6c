import { roomRoutes } from '../../src/contract/rooms/rooms.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { CrashLoad, kinds, readLedger } from '../support/crash-load.js';
import { eventually } from '../support/eventually.js';
import { startReceiver } from '../support/receiver.js';
import type { Scene } from './scene.js';

const rounds = 2;
const ofEachKind = 50;
const arrivesMs = 120_000;

export const scene: Scene = {
  title: 'kill -9 in the middle of everything',
  long: true,
  settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' },
  async play(stage) {
    const { daemon } = stage;
    const receiver = await startReceiver();
    try {
      const load = await CrashLoad.prepare(daemon, receiver.url);
      const { projectId, sessionId: id, acknowledged } = load;
      const listening = () =>
        eventually(async () => {
          const rooms = await load.client.call(roomRoutes.list, { params: { projectId } });
          if (!rooms.some(({ peers }) => peers.some(({ bot }) => bot))) throw new Error('There is no bot.');
        });
      stage.tell(
        'Many clients at once write messages, issue sanctions and send game events; a bot listens in a room; a webhook receiver takes what happens. Each client remembers what was acknowledged to it. Then the daemon is killed, and started again.',
      );
      for (let round = 0; round < rounds; round += 1) {
        await listening();
        await load.round(ofEachKind);
        stage.show(
          `$ kill -9 …   # ${kinds.map((kind) => `${acknowledged[kind].size} ${kind}s`).join(', ')} acknowledged`,
        );
      }
      await listening();
      await stage.run(`earshot sessions get ${id}`);
      const { bot } = await load.client.call(sessionRoutes.get, { params: { projectId, id } });
      stage.check('the bot is back in its room', bot.state === 'listening');

      const delivered = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
      const { events } = await readLedger(daemon.dataDir);
      const awaited = [...events.message, ...events.sanction, ...events['game event'].slice(2)];
      await eventually(() => {
        const ids = delivered();
        const missing = awaited.filter((event) => !ids.has(event));
        if (missing.length > 0) throw new Error(`${missing.length} of ${awaited.length} deliveries are missing.`);
      }, arrivesMs);
      await daemon.end('SIGKILL');

      const ledger = await readLedger(daemon.dataDir);
      const line = (...cells: (string | number)[]) =>
        cells
          .map((one) => String(one).padEnd(14))
          .join('')
          .trimEnd();
      const figures = kinds.map((kind) =>
        line(kind, acknowledged[kind].size, ledger.rows[kind].length, ledger.events[kind].length),
      );
      stage.show([line('', 'acknowledged', 'rows', 'events'), ...figures].join('\n'));
      for (const kind of kinds) {
        const stored = new Set(ledger.rows[kind]);
        const isThere = [...acknowledged[kind]].every((one) => stored.has(one));
        stage.check(
          `every acknowledged ${kind} is there exactly once`,
          isThere && stored.size === ledger.rows[kind].length,
        );
      }
      stage.check('each row is announced once', ledger.notAnnouncedOnce.length === 0);
      stage.check('each announcement stands in the webhook outbox once', ledger.notInOutboxOnce.length === 0);
      stage.check(
        'the receiver has all of them',
        awaited.every((event) => delivered().has(event)),
      );
      const played = ledger.rows['game event'].length;
      stage.check(`the counter says ${played}, as many as there are game events`, ledger.counter === played);
    } finally {
      await receiver.stop();
    }
  },
};
