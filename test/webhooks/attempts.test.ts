/** What an attempt sends to a chat, and what holds attempts back after a restore. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Attempts } from '../../daemon/modules/webhooks/delivery/attempt.js';
import { DeliveryHold } from '../../daemon/modules/webhooks/delivery/hold.js';

const now = () => new Date('2026-01-01T00:00:00Z');
const envelope = {
  ...{ id: 'e1', type: 'sanction.created', source: 'earshot:api', tenantId: 't', projectId: 'p' },
  ...{ timestamp: now().toISOString(), resourceId: 'sanction:s1' },
  payload: { action: 'created', data: { type: 'warn', externalUserId: 'u_42' } },
};

/** Makes an attempt whose event concerns a person; returns what was sent. */
async function sent(subjectUserId: string | null, known: readonly object[]): Promise<string> {
  const bodies: string[] = [];
  const outbound = {
    postForStatus: async (_url: string, _headers: object, body: string) => {
      bodies.push(body);
      return { status: 200, body: '', retryAfter: null };
    },
  };
  const open = () => ({ url: 'https://chat.example', secret: 'a secret', payloadFormat: 'slack', headers: {} });
  const people = { byExternalIds: async (_project: string, ids: readonly string[]) => (ids.length === 0 ? [] : known) };
  const needs = [outbound, open, async () => ({}), people, () => 'https://voice.example', now];
  const attempts = new Attempts(...(needs as unknown as ConstructorParameters<typeof Attempts>));
  const delivery = {
    ...{ projectId: 'p', eventId: 'e1', subscription: {} },
    content: { payload: JSON.stringify(envelope), subjectUserId },
  };
  const outcome = await attempts.make(
    delivery as unknown as Parameters<Attempts['make']>[0],
    AbortSignal.timeout(5_000),
  );
  expect(outcome).toMatchObject({ error: null });
  return bodies.join('');
}

describe('an attempt at a chat', () => {
  it('names whom the event concerns, where that is somebody with a name', async () => {
    const mateo = { externalUserId: 'u_42', displayName: 'Mateo Wolf' };
    expect(await sent('u_42', [mateo])).toContain('Person: Mateo Wolf (u_42)');
    expect(await sent('u_42', [])).toContain('Person: u_42');
    expect(await sent(null, [mateo])).toContain('Person: u_42');
  });
});

describe('the hold after a restore', () => {
  it('lasts until it is released, over a new start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'earshot-hold-'));
    const file = join(folder, 'held');
    expect([new DeliveryHold(file).isHeld, await new DeliveryHold(file).probe.check()]).toEqual([false, null]);
    writeFileSync(file, '');
    const hold = new DeliveryHold(file);
    expect([hold.isHeld, new DeliveryHold(file).isHeld]).toEqual([true, true]);
    expect(await hold.probe.check()).toContain('earshotd webhooks release');
    expect([hold.release(), hold.release(), hold.isHeld, existsSync(file)]).toEqual([true, false, false, false]);
    rmSync(folder, { recursive: true });
  });
});
