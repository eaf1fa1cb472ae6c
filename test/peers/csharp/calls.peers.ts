/** kits/csharp, compiled by Mono: its JSON, its operations for players and servers, and its errors, against a daemon. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../../src/contract/routes.js';
import { deliveryHeaders } from '../../../src/signing/signing.js';
import { type Driver, hasMono, runtimes, thrownBy } from './driver.js';
import { openStage, type Stage } from './stage.js';

/** Mono's own reader of fractions errs in their last digits, and in more of them below 2.2e-308. */
const roughly = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, one: unknown) => (typeof one === 'number' ? Number(one.toPrecision(12)) : one));

describe.skipIf(!hasMono).each(runtimes)('the kit for C# on $name', { timeout: 60_000 }, (runtime) => {
  let stage: Stage;
  let player: Driver;
  let server: Driver;
  let projectId: string;
  beforeAll(async () => {
    stage = await openStage({}, runtime);
    player = await stage.player('ann');
    server = await stage.server();
    ({ projectId } = stage.daemon);
  }, 60_000);
  afterAll(() => stage?.stop());

  describe('JSON', () => {
    it('is read and written as JavaScript does', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.json({ maxDepth: 6 }).filter((text) => !/e-3\d\d/.test(text)),
          async (text) => {
            const value = roughly(JSON.parse(text));
            expect(roughly(await player.ask('json', { text }))).toEqual(value);
            expect(roughly(JSON.parse(String(await player.ask('write', { text }))))).toEqual(value);
          },
        ),
        { numRuns: 300, seed: 1 },
      );
    });

    it.each([
      ['escapes', '"\\u0041\\ud83d\\ude00\\n\\/\\\\ \u2028 ü"'],
      ['numbers', '[0,-0.5,1e3,1E-3,9007199254740991,3000000000,1.7976931348623157e308]'],
      ['spaces', ' \t\r\n{ "a" : [ ] , "b":{ } } '],
      ['a repeated name', '{"a":1,"a":2}'],
    ])('reads %s', async (_, text) => {
      expect(await player.ask('json', { text })).toEqual(JSON.parse(text));
    });

    it.each([
      '',
      '{',
      '[1',
      '[1,]',
      '{"a":1,}',
      '{a:1}',
      '01',
      '1.',
      '.5',
      '+1',
      '1e',
      '-',
      'nul',
      'true1',
      '"',
      '"\\x"',
      '"\\u12g4"',
      '"\n"',
      '[1] 2',
      'NaN',
      '1e999',
      '['.repeat(101),
      "'a'",
    ])('refuses %j', async (text) => {
      expect((await thrownBy(player.ask('json', { text }))).type).toBe('FormatException');
    });

    it('refuses to write what JSON has no form for', async () => {
      expect((await thrownBy(player.ask('fraction'))).type).toBe('ArgumentException');
    });
  });

  describe('a player', () => {
    it('says who they are, and reads it back', async () => {
      const info = { Username: 'Änn "the fox"', AvatarImage: 'fox.png' };
      expect(await player.call('player', 'SetUserInfo', { body: info })).toEqual(info);
      expect(await player.call('player', 'GetUserInfo')).toEqual(info);
    });

    it('takes a challenge from unlocking to its reward', async () => {
      const body = {
        name: { en: 'Three down', de: 'Drei erledigt' },
        eventName: 'kill-enemy',
        goal: 3,
        durationMinutes: 60,
      } as const;
      const { id } = await stage.daemon.client.call(routes.challenges.create, { params: { projectId }, body });
      const act = (name: string) => player.call('player', `${name}PersonalChallenge`, { challengeId: id });
      expect(await act('Unlock')).toMatchObject({ Status: 201, Challenge: { Type: 'unlocked', ChallengeGoal: 3 } });
      expect(await act('Activate')).toMatchObject({ Challenge: { Type: 'in-progress' } });
      const events = {
        Events: [
          { EventName: 'kill-enemy', Metadata: { amount: 2 } },
          { EventName: 'kill-enemy', Metadata: { amount: 1 } },
        ],
      };
      expect(await player.call('player', 'SendEvents', { body: events })).toMatchObject({
        Results: [{ Status: 200, Code: null }, { Status: 200 }],
      });
      const [category] = (await player.call('player', 'GetPersonalChallenges')) as [{ Challenges: object[] }];
      expect(category.Challenges).toEqual([
        expect.objectContaining({
          ...{
            ChallengeName: 'Three down',
            ChallengeDescription: null,
            ChallengeDurationTime: 60,
            UserChallengeCurrentScore: 3,
          },
          ...{ Type: 'unclaimed', UserChallengeActivatedAt: expect.stringMatching(/^20\d\d-.*Z$/), LiveDate: null },
        }),
      ]);
      const claim = player.call('player', 'ClaimPersonalChallengeReward', { challengeId: id });
      expect(await claim).toMatchObject({ Challenge: { Type: 'finished' } });
    });

    it('takes a battle pass to the reward of its first level', async () => {
      const { client } = stage.daemon;
      const pass = await client.call(routes.battlePasses.create, {
        params: { projectId },
        body: { name: { en: 'Season' } },
      });
      const challenge = { name: { en: 'One' }, eventName: 'kill-enemy', goal: 1 } as const;
      const level = { position: 1, rewardType: 'coin', rewardAmount: '100', challenges: [challenge] };
      const { id } = await client.call(routes.battlePassLevels.create, {
        params: { projectId, id: pass.id },
        body: level,
      });
      const at = { battlePassId: pass.id };
      expect(await player.call('player', 'GetActiveBattlePasses')).toMatchObject([
        { BattlePassName: 'Season', UnlockedAt: null },
      ]);
      const paid = { ...at, body: { PurchasePrice: 9.99, PurchaseCurrency: 'EUR' } };
      expect(await player.call('player', 'UnlockBattlePass', paid)).toMatchObject({
        PurchasePrice: 9.99,
        UserId: 'ann',
      });
      await player.call('player', 'ActivateBattlePassLevel', { levelId: id });
      await player.call('player', 'SendEvents', {
        body: { Events: [{ EventName: 'kill-enemy', Metadata: { amount: 1 } }] },
      });
      const levels = await player.call('player', 'GetBattlePassLevels', at);
      expect(levels).toMatchObject([
        { LevelCompleted: true, RewardClaimed: false, Challenges: [{ UserChallengeCurrentScore: 1 }] },
      ]);
      await player.call('player', 'ClaimBattlePassLevelReward', { levelId: id });
      expect(await player.call('player', 'GetBattlePassLevels', at)).toMatchObject([{ RewardClaimed: true }]);
    });

    it('finds their place on a board, with the neighbours and scores beyond 32 bits', async () => {
      const body = { name: { en: 'Points' }, eventName: 'earn-points' } as const;
      const { id } = await stage.daemon.client.call(routes.leaderboards.create, { params: { projectId }, body });
      const send = (userId: string, amount: number) =>
        stage.daemon.client.call(routes.players.sendEvent, {
          params: { projectId, userId },
          body: { event_name: 'earn-points', meta_data: { amount } },
        });
      await send('ann', 3_000_000_000);
      await send('a/b c?%2F', 4_000_000_000);
      await send('cid', 5);
      const ranking = { memberType: 'user', memberId: 'ann', leaderboardId: id, around: 1 };
      expect(await player.call('player', 'GetLeaderboardRanking', ranking)).toMatchObject({
        Member: { Rank: 2, Score: 3_000_000_000, AdditionalInfo: { Username: 'Änn "the fox"' } },
        Around: [{ MemberId: 'a/b c?%2F', Score: 4_000_000_000 }, { MemberId: 'ann' }, { MemberId: 'cid', Rank: 3 }],
      });
      const other = { memberType: 'user', memberId: 'a/b c?%2F', leaderboardId: id };
      expect(await player.call('player', 'GetLeaderboardRanking', other)).toMatchObject({ Member: { Rank: 1 } });
      const page = { leaderboardId: id, currentPage: 2, pageSize: 2 };
      expect(await player.call('player', 'GetLeaderboard', page)).toMatchObject({
        NumUsers: 3,
        GroupedByUsers: [{ MemberId: 'cid' }],
      });
      expect(await player.call('player', 'GetLeaderboardPeriods', { leaderboardId: id })).toMatchObject({
        Periods: [{ IsCurrent: true }],
      });
    });
  });

  describe('a server', () => {
    it('makes tokens, and a room token', async () => {
      expect(await server.call('server', 'CreatePlayerToken', { userId: 'bob' })).toEqual({
        Token: expect.stringMatching(/^ey.{64}/),
      });
      const room = { RoomId: 'raid', UserId: 'bob', Permissions: { Publish: true, Subscribe: true } };
      expect(await server.call('server', 'GenerateProjectToken', { body: room })).toMatchObject({
        Provider: 'embedded',
        E2ee: null,
      });
    });

    it('lets people gather, be ready, be invited and leave', async () => {
      const person = async (name: string) =>
        (await server.call('server', 'CreateParticipant', {
          body: { ExternalUserId: name, UserData: { level: 12 } },
        })) as { Id: string };
      const [ann, bob, cid] = [await person('ann'), await person('bob'), await person('cid')];
      const body = {
        Name: 'Raid',
        Description: 'Bring potions',
        OwnerId: ann.Id,
        MaxMembers: 3,
        SearchProperties: { mode: 'ranked' },
        StartsAt: '2031-01-01T20:00:00Z',
      };
      const made = (await server.call('server', 'CreateGathering', { body })) as { Id: string; JoinCode: string };
      expect(made).toMatchObject({
        Status: 'CREATED',
        MemberCount: 1,
        Members: null,
        StartsAt: '2031-01-01T20:00:00.000Z',
      });
      const join = { JoinCode: made.JoinCode, ParticipantId: bob.Id };
      expect(await server.call('server', 'JoinGathering', { body: join })).toMatchObject({
        Success: true,
        Member: { Role: 'member' },
      });
      const ready = { id: made.Id, memberId: bob.Id, body: { Ready: true } };
      expect(await server.call('server', 'UpdateGatheringMember', ready)).toMatchObject({ Status: 'ready' });
      const [sent] = (await server.call('server', 'SendGatheringInvitations', {
        id: made.Id,
        body: { ParticipantIds: [cid.Id] },
      })) as [{ Id: string }];
      expect(await server.call('server', 'DeclineGatheringInvitation', { invitationId: sent.Id })).toBeNull();
      const cleared = { id: made.Id, body: { Name: 'Late raid', Cleared: ['description'] } };
      expect(await server.call('server', 'UpdateGathering', cleared)).toMatchObject({
        Name: 'Late raid',
        Description: null,
        MaxMembers: 3,
      });
      const found = { searchProperties: '{"mode":"ranked"}', limit: 10, listed: false };
      expect(await server.call('server', 'ListGatherings', found)).toMatchObject({
        Total: 1,
        Gatherings: [{ Id: made.Id }],
      });
      expect(await server.call('server', 'StartGathering', { id: made.Id })).toMatchObject({ Status: 'STARTED' });
      await server.call('server', 'RemoveGatheringMember', { id: made.Id, memberId: bob.Id });
      expect(await server.call('server', 'GetGathering', { id: made.Id, includeMembers: true })).toMatchObject({
        Members: [{ Role: 'owner' }],
      });
      expect(await server.call('server', 'EndGathering', { id: made.Id })).toMatchObject({ Status: 'ENDED' });
    });

    it('knows who is sanctioned', async () => {
      const ban = {
        type: 'temp_ban',
        externalUserId: 'zed',
        duration: 600,
        reason: 'cheating',
        scope: 'team',
      } as const;
      await stage.daemon.client.call(routes.sanctions.create, { params: { projectId }, body: ban });
      const standing = await server.call('server', 'ListActiveUserSanctions', { externalUserId: 'zed' });
      expect(standing).toMatchObject([
        { Type: 'temp_ban', Reason: 'cheating', Duration: 600, Scope: 'team', IsActive: true },
      ]);
      expect(await server.call('server', 'ListActiveUserSanctions', { externalUserId: 'nobody' })).toEqual([]);
    });

    it('believes a webhook that the secret signed, for five minutes', async () => {
      const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
      const body = '{"text":"ü"}';
      const sent: Record<string, string> = { secret, body, ...deliveryHeaders(secret, 'id-1', body, new Date()) };
      expect(await server.ask('webhook', sent)).toBe(true);
      expect(await server.ask('webhook', { ...sent, later: 301 })).toBe(false);
      expect(await server.ask('webhook', { ...sent, later: -310 })).toBe(false);
      expect(await server.ask('webhook', { ...sent, body: '{"text":"u"}' })).toBe(false);
      expect(await server.ask('webhook', { ...sent, secret: 'another' })).toBe(false);
      expect(await server.ask('webhook', { ...sent, 'webhook-id': 'id-2' })).toBe(false);
      expect(await server.ask('webhook', { ...sent, 'webhook-signature': null })).toBe(false);
      expect(
        await server.ask('webhook', { ...sent, 'webhook-signature': `v1,AAAA ${sent['webhook-signature']}` }),
      ).toBe(true);
    });
  });

  describe('errors', () => {
    it('have a type and a code, and say what to do', async () => {
      const unknown = await thrownBy(player.call('player', 'GetPersonalChallengeById', { challengeId: 'none' }));
      expect(unknown).toMatchObject({ type: 'NotFoundException', code: 'challenge_not_found' });
      expect(unknown.fields).toMatchObject({
        Status: 404,
        IsPassing: false,
        RequestId: expect.any(String),
        Message: expect.stringContaining('challenge'),
      });

      const body = { name: 'Hard', eventName: 'kill-enemy', goal: 3 } as const;
      const { id } = await stage.daemon.client.call(routes.challenges.create, { params: { projectId }, body });
      const early = await thrownBy(player.call('player', 'ClaimPersonalChallengeReward', { challengeId: id }));
      expect(early).toMatchObject({ type: 'ConflictException', code: 'action_not_possible' });

      const wrong = await thrownBy(server.call('server', 'CreateGathering', { body: { Name: 'x', MaxMembers: 1 } }));
      expect(wrong).toMatchObject({ type: 'InvalidRequestException', code: 'validation_failed' });
      expect(wrong.fields).toMatchObject({ Details: [{ Path: expect.stringContaining('maxMembers') }] });
    });

    it('tell a wrong key from one that may not', async () => {
      const other = stage.start();
      const at = { url: stage.proxy.url, project: projectId };
      await other.ask('server', { ...at, key: 'earshot_live_wrong' });
      const list = () => other.call('server', 'ListGatherings');
      expect(await thrownBy(list())).toMatchObject({ type: 'CredentialException', code: 'credential_invalid' });
      const { credential } = await stage.daemon.clientWith(['participants']);
      await other.ask('server', { ...at, key: credential?.kind === 'apiKey' ? credential.key : '' });
      expect(await thrownBy(list())).toMatchObject({ type: 'ForbiddenException', code: 'insufficient_scope' });
    });

    it('come before anything is sent where an id or an address is none', async () => {
      const before = stage.proxy.passed.length;
      for (const challengeId of ['', '..', null])
        expect((await thrownBy(player.call('player', 'GetPersonalChallengeById', { challengeId }))).type).toBe(
          'ArgumentException',
        );
      const other = stage.start();
      expect((await thrownBy(other.ask('player', { url: 'localhost:8080', project: 'p', token: 't' }))).type).toBe(
        'ArgumentException',
      );
      expect((await thrownBy(other.ask('player', { url: 'http://x', project: '', token: 't' }))).type).toBe(
        'ArgumentException',
      );
      expect((await thrownBy(other.ask('player', { url: 'http://x', project: 'p' }))).type).toBe('ArgumentException');
      expect(stage.proxy.passed.length).toBe(before);
    });
  });

  it('names no reflection that IL2CPP would strip', () => {
    for (const path of stage.sources) {
      expect(readFileSync(path, 'utf8'), path).not.toMatch(
        /System\.Reflection|Activator\.|\.GetProperty|\.GetMethod|dynamic |Emit/,
      );
    }
  });

  it('runs what comes from other threads on the main one, in order, and passes on what it throws', async () => {
    expect(await player.ask('frames')).toEqual(Array.from({ length: 50 }, (_, at) => at));
    expect(await thrownBy(player.ask('loud'))).toMatchObject({ type: 'InvalidOperationException' });
  });
});
