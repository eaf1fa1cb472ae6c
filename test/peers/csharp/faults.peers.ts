/** kits/csharp on a bad network: lost requests and answers, refusals that pass, tokens that end, a daemon that restarts. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routes } from '../../../src/contract/routes.js';
import type { Fault } from '../../support/fault-proxy.js';
import { type Driver, hasMono, runtimes, thrownBy } from './driver.js';
import { openStage, type Stage } from './stage.js';

const hour = 3_600_000;
const refused = (status: number, retryAfter?: number): Fault => ({
  kind: 'answer',
  status,
  ...(retryAfter === undefined ? {} : { headers: { 'Retry-After': String(retryAfter) } }),
});

describe.skipIf(!hasMono).each(runtimes)('a call of the kit for C# on $name', { timeout: 60_000 }, (runtime) => {
  let stage: Stage;
  let player: Driver;
  let server: Driver;
  let now = Date.now();
  beforeAll(async () => {
    stage = await openStage({ now: () => new Date(now) }, runtime);
    player = await stage.player('ann');
    server = await stage.server();
    await player.call('player', 'GetUserInfo');
  }, 60_000);
  afterAll(() => stage?.stop());
  beforeEach(() => {
    stage.proxy.passed.length = 0;
    stage.proxy.next.length = 0;
    stage.proxy.otherwise = () => null;
  });

  const fail = (...faults: (Fault | null)[]) => stage.proxy.next.push(...faults);
  const sent = () => stage.proxy.passed.length;
  const gather = (name: string) => server.call('server', 'CreateGathering', { body: { Name: name } });
  const gathered = async (name: string) => {
    const { gatherings } = await stage.daemon.client.call(routes.gatherings.list, {
      params: { projectId: stage.daemon.projectId },
    });
    return gatherings.filter((one) => one.name === name).length;
  };

  it.each(['cut before', 'cut after', 'cut within'] as const)(
    'is carried out once after a connection that is %s the answer',
    async (kind) => {
      fail({ kind });
      expect(await gather(kind)).toMatchObject({ Name: kind });
      expect(await gathered(kind)).toBe(1);
      expect(new Set(stage.proxy.passed.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    },
  );

  it.each<Fault>([{ kind: 'cut after' }, refused(502)])(
    'is not repeated without a key where its answer was lost, and says that it may be done: %o',
    async (fault) => {
      const { Id: id } = z.object({ Id: z.string() }).parse(await gather('bare'));
      stage.proxy.passed.length = 0;
      fail(fault);
      const error = await thrownBy(server.call('server', 'DeleteGathering', { id }));
      expect(error).toMatchObject({
        fields: { MayBeDone: true, Message: expect.stringContaining('may have been done') },
      });
      expect(sent()).toBe(1);
    },
  );

  it('says nothing of the kind where no connection was made', async () => {
    const away = stage.start();
    await away.ask('server', { url: 'http://127.0.0.1:1', project: 'p', key: 'k', attempts: 1 });
    const error = await thrownBy(away.call('server', 'DeleteGathering', { id: 'g' }));
    expect(error).toMatchObject({ type: 'UnreachableException', fields: { MayBeDone: false } });
  });

  it.each([301, 307])('is not sent on by a redirect: %i', async (status) => {
    fail({ kind: 'answer', status, headers: { Location: `${stage.daemon.url}/api/projects` } });
    const thrown = await thrownBy(gather(`moved ${status}`));
    expect(thrown).toMatchObject({
      type: 'UnreadableAnswerException',
      message: expect.stringContaining('redirects to'),
    });
    expect([sent(), await gathered(`moved ${status}`)]).toEqual([1, 0]);
  });

  it.each([429, 503])('waits after %i for as long as the daemon asks', async (status) => {
    fail(refused(status, 2));
    await gather(`after ${status}`);
    const [first, second] = stage.proxy.passed.map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(2_000);
    expect(await gathered(`after ${status}`)).toBe(1);
  });

  it('does not wait for an hour', async () => {
    fail(refused(429, 3_600));
    const error = await thrownBy(gather('late'));
    expect(error).toMatchObject({ type: 'RateLimitedException', fields: { RetryAfter: 3_600, IsPassing: true } });
    expect(sent()).toBe(1);
  });

  it('gives up after its tries, each later than the one before', async () => {
    stage.proxy.otherwise = () => ({ kind: 'cut before' });
    expect(await thrownBy(gather('never'))).toMatchObject({
      type: 'UnreachableException',
      fields: { MayBeDone: true },
    });
    expect(new Set(stage.proxy.passed.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    const times = stage.proxy.passed.map(({ at }) => at);
    expect(times).toHaveLength(4);
    const waits = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    for (const [index, step] of [500, 1_000, 2_000].entries())
      expect(waits[index]).toBeGreaterThanOrEqual(step * 0.75 - 20);
  });

  it('tells a proxy and a portal from a daemon', async () => {
    stage.proxy.otherwise = () => ({ kind: 'answer', status: 502, body: '<html>Bad gateway</html>' });
    const quick = await stage.server({ attempts: 1 });
    const list = () => thrownBy(quick.call('server', 'ListGatherings'));
    expect(await list()).toMatchObject({ type: 'UnavailableException', code: 'unknown', fields: { Status: 502 } });
    stage.proxy.otherwise = () => ({ kind: 'answer', status: 200, body: '<html>Sign in to the network</html>' });
    expect(await list()).toMatchObject({ type: 'UnreadableAnswerException' });
    stage.proxy.otherwise = () => ({ kind: 'answer', status: 200, body: '[1, 2]' });
    expect(await list()).toMatchObject({ type: 'UnreadableAnswerException' });
  });

  it('reads a list to its end where an answer holds a part of it', async () => {
    const part = (name: string, headers: Readonly<Record<string, string>> = {}): Fault => {
      const body = JSON.stringify([{ battle_pass_name: name }]);
      return { kind: 'answer', status: 200, headers, body };
    };
    fail(part('first', { Link: '</api/v1/battle-passes/p?language=en&offset=1>; rel="next"' }), part('second'));
    const passes = await player.call('player', 'GetBattlePasses');
    expect(passes).toMatchObject([{ BattlePassName: 'first' }, { BattlePassName: 'second' }]);
    expect(stage.proxy.passed[1]?.path).toBe('/api/v1/battle-passes/p?language=en&offset=1');
    stage.proxy.passed.length = 0;
    const below = await stage.player('bea', { url: `${stage.proxy.url}/earshot` }, runtime);
    fail(part('first', { Link: '</earshot/api/v1/battle-passes/p?offset=1>; rel="next"' }), part('second'));
    expect(await below.call('player', 'GetBattlePasses')).toHaveLength(2);
    expect(stage.proxy.passed.map(({ path }) => path)).toEqual([
      expect.stringMatching(/^\/earshot\/api\/v1\/battle-passes\//),
      '/earshot/api/v1/battle-passes/p?offset=1',
    ]);
  });

  it('ends where nothing answers in time, and at once when it is cancelled', async () => {
    stage.proxy.otherwise = () => ({ kind: 'silence' });
    const quick = await stage.server({ attempts: 1, timeoutMs: 700 });
    const began = performance.now();
    expect((await thrownBy(quick.call('server', 'ListGatherings'))).type).toBe('UnreachableException');
    expect(performance.now() - began).toBeLessThan(10_000);
    const cancelled = thrownBy(server.call('server', 'ListGatherings', {}, { cancel: 'list' }));
    await server.ask('cancel', { name: 'list' });
    expect((await cancelled).type).toMatch(/^(Operation|Task)CanceledException$/);
  });

  it('claims a reward once when the answer is lost, and still refuses what is not reached', async () => {
    const params = { projectId: stage.daemon.projectId };
    const body = { name: 'One down', eventName: 'kill-enemy', goal: 1 } as const;
    const { id: challengeId } = await stage.daemon.client.call(routes.challenges.create, { params, body });
    const act = (name: string) =>
      player.call('player', `${name}PersonalChallenge${name === 'Claim' ? 'Reward' : ''}`, { challengeId });
    fail({ kind: 'cut after' });
    expect(await act('Unlock')).toMatchObject({ Status: 201, Challenge: { Type: 'unlocked' } });
    fail({ kind: 'cut after' });
    expect(await act('Activate')).toMatchObject({ Challenge: { Type: 'in-progress' } });
    fail({ kind: 'cut before' });
    expect(await thrownBy(act('Claim'))).toMatchObject({ type: 'ConflictException', code: 'action_not_possible' });
    await player.call('player', 'SendEvents', {
      body: { Events: [{ EventName: 'kill-enemy', Metadata: { amount: 1 } }] },
    });
    fail({ kind: 'cut after' });
    expect(await act('Claim')).toMatchObject({ Status: 200, Challenge: { Type: 'finished' } });
    expect(await thrownBy(act('Claim'))).toMatchObject({ code: 'action_not_possible' });
  });

  it('goes on after a restart of the daemon', async () => {
    const patient = await stage.server({ attempts: 10 });
    const restarted = stage.daemon.restart();
    expect(await patient.call('server', 'ListGatherings')).toMatchObject({ Offset: 0 });
    await restarted;
    expect(await patient.call('server', 'ListGatherings')).toMatchObject({ Offset: 0 });
  });

  describe('with a player token that is over', () => {
    it('asks for another one once, however many calls find out', async () => {
      now += 25 * hour;
      stage.setToken('ann', await stage.tokenOf('ann'));
      const before = player.noticed('refresh').length;
      const calls = Array.from({ length: 8 }, () => player.call('player', 'GetUserInfo'));
      expect(await Promise.all(calls)).toHaveLength(8);
      expect(player.noticed('refresh').length - before).toBe(1);
    });

    it('asks for the first one where it has none', async () => {
      const fresh = await stage.player('ben');
      expect(await fresh.call('player', 'GetUserInfo')).toEqual({ Username: null, AvatarImage: null });
      expect(fresh.noticed('refresh')).toHaveLength(1);
    });

    it('fails where the callback gives the same one again, gives none, or is not there', async () => {
      now += 25 * hour;
      const before = player.noticed('refresh').length;
      expect(await thrownBy(player.call('player', 'GetUserInfo'))).toMatchObject({
        ...{ type: 'CredentialException', code: 'player_token_invalid' },
      });
      expect(player.noticed('refresh').length - before).toBe(1);
      const lost = await stage.player('cid', { attempts: 1 });
      rmSync(join(stage.folder, 'cid.token'));
      expect(await thrownBy(lost.call('player', 'GetUserInfo'))).toMatchObject({ type: 'TokenRefreshException' });
      const bare = stage.start();
      await bare.ask('player', { url: stage.proxy.url, project: stage.daemon.projectId, token: 'over' });
      expect((await thrownBy(bare.call('player', 'GetUserInfo'))).type).toBe('CredentialException');
    });
  });
});
