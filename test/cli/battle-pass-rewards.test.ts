/** Rewards on the free and the premium track, in the words that are typed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandLine, commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
let cli: CommandLine;
beforeAll(async () => {
  daemon = await startDaemon();
  cli = commandLine(() => ({
    EARSHOT_URL: daemon.url,
    EARSHOT_API_KEY: daemon.apiKey,
    EARSHOT_PROJECT: daemon.projectId,
  }));
  await cli.run(['battle-passes', 'create', 'Winter']);
  for (const position of ['1', '2'])
    await cli.run(['battle-passes', 'levels', 'create', 'Winter', '--position', position]);
});
afterAll(async () => {
  cli?.dispose();
  await daemon.stop();
});

interface Level {
  readonly id: string;
  readonly position: number;
}
const passes = (...args: string[]) => cli.run(['battle-passes', ...args]);
const levelsOf = async () =>
  (await cli.json<{ levels: Level[] }>(['battle-passes', 'levels', 'list', 'Winter'])).levels;

describe('earshot battle-passes rewards', () => {
  it('sets the rewards of several levels on both tracks, and leaves the track that is not named', async () => {
    const set = await passes('rewards', 'Winter', '--free', '1=coin:100,2=coin:200', '--premium', '1=item:cape');
    expect(set).toMatchObject({ code: 0, stderr: '' });
    await passes('rewards', 'Winter', '--premium', '2=coin:500');
    await passes('rewards', 'Winter', '--free', '2=nothing');
    expect(await levelsOf()).toMatchObject([
      { rewardType: 'coin', rewardAmount: '100', premiumRewardType: 'item', premiumRewardAmount: 'cape' },
      { rewardType: 'nothing', rewardAmount: null, premiumRewardType: 'coin', premiumRewardAmount: '500' },
    ]);
    expect((await passes('levels', 'list', 'Winter')).stdout).toMatch(/coin +100 +item cape/);
    const exported = await cli.run(['gameplay', 'export']);
    expect(exported.stdout).toContain('premiumRewardAmount: cape\n        premiumRewardType: item\n');
  });

  it.each([
    [['--free', '1:coin'], '--free: "1:coin" is no reward; write the level, the type and the amount as 1=coin:100.'],
    [['--premium', '1=coin:1,1=coin:2'], '--premium: level 1 has two rewards; a level has one.'],
    [[], 'Name at least one reward: --free 1=coin:100, or --premium 1=item:cape.'],
    [['--free', '1=gem:1,7=gem:1'], 'the pass has no level 7'],
  ])('refuses %j and changes nothing', async (flags, message) => {
    const before = await levelsOf();
    const refused = await passes('rewards', 'Winter', ...flags);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain(message);
    expect(await levelsOf()).toEqual(before);
  });

  it('gives a player premium, whose claim then gives the premium reward', async () => {
    const [first] = await levelsOf();
    await passes('unlock', 'ann', 'Winter');
    await passes('activate', 'ann', first?.id ?? '');
    await passes('claim', 'ann', first?.id ?? '');
    expect((await cli.run(['players', 'get', 'ann'])).stdout).toMatch(
      /Battle pass Winter, completed\n.*\n1 +claimed *\n/,
    );
    const granted = await cli.json(['battle-passes', 'premium', 'ann', 'Winter', '--purchase-price', '9.99']);
    expect(granted).toMatchObject({ purchasePrice: 9.99, premiumAt: expect.any(String) });
    const claimed = await cli.json(['battle-passes', 'claim', 'ann', first?.id ?? '']);
    expect(claimed).toMatchObject({ premiumClaimedAt: expect.any(String) });
    expect((await cli.run(['players', 'get', 'ann'])).stdout).toMatch(
      /Winter, premium, completed\n.*\n1 +claimed with premium/,
    );
    expect((await passes('premium', 'ann', 'Winter')).stderr).toContain('already has premium in this battle pass');
  });
});
