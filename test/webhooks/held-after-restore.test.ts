/** A backup that is restored elsewhere: webhooks wait there until somebody says that the other machine sends none. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { inSqlite } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { earshotd } from '../support/program.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { signIn } from '../support/room-client.js';

const settings = { ...inSqlite, EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' };
const before = new DaemonProcess(settings);
const after = new DaemonProcess(settings, { makesTables: true });
const folder = mkdtempSync(join(tmpdir(), 'earshot-held-'));
const [file, ring] = [join(folder, 'backup.db'), join(folder, 'ring.json')];
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  await before.start();
});
afterAll(async () => {
  await before.dispose();
  await after.dispose();
  await receiver.stop();
  rmSync(folder, { recursive: true, force: true });
});

const enter = async (daemon: DaemonProcess, externalUserId: string) => {
  const { client, projectId } = await signIn(daemon.url);
  await client.call(participantRoutes.create, { params: { projectId }, body: { externalUserId } });
};
const Ready = z.object({ warnings: z.array(z.unknown()).default([]) });
const warnings = async () => Ready.parse(await (await fetch(`${after.url}/health/ready`)).json()).warnings;
const operate = (...args: string[]) => earshotd(after.dataDir, args, { env: { EARSHOT_TRANSCRIBER: 'off' } });

describe('after a restore on another machine', { timeout: 120_000 }, () => {
  it('webhooks wait, and everything that shows the state says so', async () => {
    const { client, projectId } = await signIn(before.url);
    const body = { url: receiver.url, secret: 'a secret of enough length', events: ['participant.created'] };
    await client.call(webhookRoutes.create, { params: { projectId }, body });
    await enter(before, 'ann');
    await eventually(() => expect(receiver.received).toHaveLength(1));
    await earshotd(before.dataDir, ['backup', file]);
    writeFileSync(ring, (await earshotd(before.dataDir, ['key', 'export'])).stdout);

    const restored = await operate('restore', file, '--key-ring', ring);
    expect(restored).toMatchObject({ code: 0, stderr: expect.stringContaining('earshotd webhooks release') });
    await after.start();
    await enter(after, 'ben');
    expect(await warnings()).toEqual([expect.objectContaining({ part: 'webhooks' })]);
    expect(after.printed.join('\n')).toContain('webhooks wait since a restore');
    expect((await operate('doctor')).stdout).toMatch(/^warning {2}webhooks {5}wait since a restore/m);
    await after.end('SIGTERM');
    await after.start(); // a restart sends nothing either
    await enter(after, 'eve');
    expect(receiver.received).toHaveLength(1);
  });

  it('they are sent once somebody says go, and from then on at once', async () => {
    expect(await operate('webhooks', 'release')).toMatchObject({
      code: 0,
      stdout: 'webhooks are sent; 2 have waited\n',
    });
    await eventually(() => expect(receiver.received).toHaveLength(3));
    await enter(after, 'joe');
    await eventually(() => expect(receiver.received).toHaveLength(4));
    expect(await warnings()).toEqual([]);
    expect(await operate('webhooks', 'release')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No webhooks wait'),
    });
  });

  it('nothing waits where the database of the same machine was replaced, unless that is wanted', async () => {
    await after.end('SIGTERM');
    expect((await operate('restore', file)).stderr).not.toContain('webhooks release');
    expect((await operate('restore', file, '--hold-webhooks')).stderr).toContain('webhooks release');
    expect((await operate('webhooks', 'release')).stdout).toBe('webhooks are sent; 0 have waited\n');
  });
});
