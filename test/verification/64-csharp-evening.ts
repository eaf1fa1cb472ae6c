import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { Compiled, hasMono } from '../peers/csharp/driver.js';
import { type Fault, FaultProxy } from '../support/fault-proxy.js';
import type { Scene } from './scene.js';

const identified = z.object({ id: z.string() });
const minted = z.object({ token: z.string() });
const program = fileURLToPath(new URL('../../examples/csharp/Evening.cs', import.meta.url));
/** What becomes of one request after the other, in turn; null: it passes. */
const course = ['cut after', null, 'cut before', null, 'cut within', null, null] as const;

export const scene: Scene = {
  title: 'A game in C# plays an evening on a bad network',
  isPlayable: hasMono,
  async play(stage) {
    stage.tell('A studio makes a challenge and a leaderboard. Its server makes a token for Ann.');
    const made = async (line: string) =>
      identified.parse(JSON.parse((await stage.run(`${line} --json`, { quiet: true })).stdout)).id;
    const challenge = await made(
      'earshot challenges create --name "Thirty down" --event-name kill-enemy --goal 30 --reward "a silver sword"',
    );
    const leaderboard = await made('earshot leaderboards create --name "Kills" --event-name kill-enemy');
    const { token } = minted.parse(
      JSON.parse((await stage.run('earshot player-tokens create ann --json', { quiet: true })).stdout),
    );
    await stage.run('earshot game-events send kill-enemy --user ben --amount 40', { quiet: true });
    const [project] = z
      .array(identified)
      .parse(JSON.parse((await stage.run('earshot projects list --json', { quiet: true })).stdout));

    const proxy = new FaultProxy(() => stage.url);
    const badly = (): Fault | null => {
      const kind = course[proxy.passed.length % course.length] ?? null;
      return kind === null ? null : { kind };
    };
    await proxy.start();
    const compiled = new Compiled();
    try {
      compiled.compile('Evening.exe', [program]);
      const env = {
        ...{ EARSHOT_URL: proxy.url, EARSHOT_PROJECT: project?.id ?? '' },
        ...{ PLAYER: 'ann', PLAYER_TOKEN: token, CHALLENGE: challenge, LEADERBOARD: leaderboard },
      };
      for (const name of ['Earshot.dll', 'Evening.exe'])
        copyFileSync(join(compiled.folder, name), join(stage.folder, name));
      const line = 'mono Evening.exe';
      proxy.otherwise = badly;
      stage.tell(
        'Her network loses requests, and answers to requests that were carried out. In the middle, it is gone for good.',
      );
      const game = stage.start(line, { env: { ...env, KILLS: '20' } });
      await game.prints(/The challenge: Thirty down/);
      await game.prints(/the network fails/);
      proxy.otherwise = () => ({ kind: 'cut before' });
      await game.prints(/20 kills played/);
      stage.tell('She ends the game. The daemon is restarted meanwhile.');
      await game.stop();
      await stage.daemon.end('SIGTERM');
      await stage.daemon.start();

      stage.tell('She plays on, with the network as bad as before.');
      proxy.otherwise = badly;
      const { stdout } = await stage.run(line, { env: { ...env, KILLS: '10' } });
      stage.check('kills of the first game were on disk', /\d+ kills wait from the last time/.test(stdout));
      stage.check('each of the 30 kills counts once in the challenge', stdout.includes('Thirty down: 30 of 30'));
      stage.check('and on the leaderboard, where she sees her neighbour', stdout.includes('1. ben 40\n2. ann 30'));
      stage.check('the reward is claimed once', stdout.match(/The reward: a silver sword/g)?.length === 1);
      stage.show(`${proxy.passed.length} requests came to the network in all.`);
    } finally {
      compiled.remove();
      await proxy.stop();
    }
  },
};
