/**
 * The power fails between a commit and its answer: the disk keeps what was synced and any part of what was not, torn at
 * sectors. What was acknowledged is there after the next start, and the file is whole.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import BetterSqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { Chance } from '../fuzz/engine/chance.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { inSqlite } from '../support/database.js';
import { Disk, hasCompiler } from '../support/power-cut.js';
import { recordProgress, recordProof } from '../support/reliability.js';
import { signIn } from '../support/room-client.js';
import { isTimeUp, published, seedOr } from '../support/scale.js';

const seed = seedOr(20_261_202);
const cuts = published(4, 100);
const failures = published(1, 20);
const senders = 6;
/** Writes, truncations and syncs of some dozen messages. */
const stepsMax = 1_500;
const patienceMs = 120_000 + (cuts + failures) * 30_000;

describe.skipIf(!hasCompiler)(`loss of power (EARSHOT_FUZZ_SEED=${seed})`, { timeout: patienceMs }, () => {
  let scratch: string;
  let daemon: DaemonProcess;
  let disk: Disk;
  let client: EarshotClient;
  let params: { projectId: string; id: string };
  const acknowledged = new Set<string>();
  let sent = 0;

  beforeEach(async () => {
    acknowledged.clear();
    scratch = mkdtempSync(join(tmpdir(), 'earshot-power-'));
    const dataDir = mkdtempSync(join(tmpdir(), 'earshot-daemon-'));
    disk = new Disk(dataDir, scratch);
    const unlimited = { EARSHOT_RATE_LIMIT_CREDENTIAL: '0', EARSHOT_RATE_LIMIT_ADDRESS: '0' };
    daemon = new DaemonProcess({ ...inSqlite, ...unlimited, ...disk.environment, EARSHOT_DATA_DIR: dataDir });
    await daemon.start();
    const { client: admin, projectId } = await signIn(daemon.url);
    client = admin;
    const body = { title: 'Power', externalRoomId: 'power', autoStart: false };
    params = { projectId, id: (await client.call(sessionRoutes.create, { params: { projectId }, body })).id };
    await daemon.end('SIGTERM');
    disk.begin();
    await daemon.start();
  }, patienceMs);
  afterEach(async () => {
    await daemon.dispose();
    rmSync(scratch, { recursive: true, force: true });
  });

  const say = async () => {
    sent += 1;
    const body = { externalUserId: `u${sent % 20}`, content: `message ${sent} ${'x'.repeat(sent % 400)}` };
    acknowledged.add((await client.call(sessionRoutes.say, { params, body })).id);
  };
  const sayOnUntilDead = () =>
    Promise.all(
      Array.from({ length: senders }, async () => {
        while (daemon.running) await say().catch(() => sleep(50));
      }),
    );
  const sayOnUntilRefused = () =>
    Promise.all(
      Array.from({ length: senders }, async () => {
        for (;;) await say();
      }).map((one) => one.catch(() => {})),
    );
  const lost = async () => {
    const stored = new Set((await client.call(sessionRoutes.messages, { params })).map(({ id }) => id));
    return [...acknowledged].filter((id) => !stored.has(id));
  };
  const restart = async () => {
    const file = new BetterSqlite(join(daemon.dataDir, 'earshot.db'));
    expect(file.pragma('integrity_check', { simple: true })).toBe('ok');
    file.close();
    disk.begin();
    await daemon.start();
  };

  it('loses nothing that was acknowledged', async () => {
    const chance = new Chance(seed);
    let made = 0;
    const all = { unsynced: 0, torn: 0, unsyncedMost: 0, acknowledged: 0 };
    for (let cut = 1; cut <= cuts && !isTimeUp(); cut += 1) {
      made += 1;
      disk.endAfter(1 + chance.below(stepsMax));
      await sayOnUntilDead();
      const { unsynced, torn } = disk.cutPower(chance);
      all.unsynced += unsynced;
      all.torn += torn;
      all.unsyncedMost = Math.max(all.unsyncedMost, unsynced);
      await restart();
      expect(await lost()).toEqual([]);
      recordProgress('power-cuts', cut, cuts + failures);
    }
    expect(all.unsynced).toBeGreaterThan(0);
    recordProof({
      promise: 'power-cuts',
      count: made,
      seed,
      worst: `0 of ${acknowledged.size.toLocaleString('en')} acknowledged messages lost; ${all.unsynced.toLocaleString('en')} writes were not synced (${all.unsyncedMost} at once), ${all.torn.toLocaleString('en')} of them torn`,
    });
  });

  it('acknowledges nothing that a failing disk did not keep', async () => {
    const chance = new Chance(seed + 1);
    for (let failure = 1; failure <= failures; failure += 1) {
      await Promise.all(Array.from({ length: senders }, say));
      disk.breakSyncs();
      await sayOnUntilRefused();
      await daemon.end('SIGKILL');
      disk.cutPower(chance);
      await restart();
      expect(await lost()).toEqual([]);
      recordProgress('power-cuts', cuts + failure, cuts + failures);
    }
    recordProof({
      promise: 'failed-syncs',
      count: failures,
      seed,
      worst: `0 of ${acknowledged.size.toLocaleString('en')} acknowledged messages lost`,
    });
  });

  it('on a disk that says it has synced and has not, loses what such a disk loses', async () => {
    await Promise.all(Array.from({ length: senders }, say));
    await daemon.end('SIGKILL');
    disk.cutPower(new Chance(seed), { ignoresSyncs: true });
    await restart();
    expect(await lost()).toHaveLength(senders);
  });
});
