/** Every command that asks for the name of what will be gone, with something for it to act on. */
import type { CommandLine } from '../support/cli.js';

export interface Act {
  /** Below commands/. */
  readonly file: string;
  readonly line: string;
  readonly gone: string;
  /** Name that has to be typed. */
  readonly name: string;
  /** Command that reads it, before and after. */
  readonly read: string;
  /** Afterwards there is nothing to read. */
  readonly isGone: boolean;
}

export const words = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

const rule =
  'name: Newts\ndefinition:\n  format: 1\n  mode: dry-run\n  when:\n    all:\n      - words: { any: [newt] }\n  steps:\n    - - sanction: { type: mute, duration: 60 }\n';
const hook = 'https://hooks.example/earshot';
const kill = '--event-name kill-enemy';

const prepared: readonly (readonly [line: string, input?: string])[] = [
  ['participants create --user u_ann --name Ann'],
  ['participants create --user u_bob --name Bob'],
  ['sessions create --title Evening --room hall --no-auto-start'],
  ['sanctions apply --file - --batch spree', JSON.stringify({ type: 'warn', externalUserId: 'u_42' })],
  [`webhooks create --to ${hook} --events sanction.* --secrets-stdin`, '{"secret":"long enough for a secret"}'],
  ['api-keys create "game server" --scopes events'],
  ['projects create Staging'],
  ['challenge-categories create --name Daily --slug daily'],
  [`challenges create --name "Three down" ${kill} --goal 3`],
  ['players unlock u_42 "Three down"'],
  ['battle-passes create --name Winter'],
  ['battle-passes unlock u_42 Winter'],
  [`leaderboards create --name Kills ${kill}`],
  ['game-events send kill-enemy --user u_42 --amount 1'],
  ['gatherings create --name "Friday raid"'],
  ['plugins install sentiment'],
  ['rules create -f -', rule],
];

/** Makes all of it and returns the acts, in an order in which each still finds what it acts on. */
export async function irreversibleActs(cli: CommandLine): Promise<readonly Act[]> {
  for (const [line, input = ''] of prepared) {
    const { code, stderr } = await cli.run(words(line), { input });
    if (code !== 0) throw new Error(`${line}: ${stderr}`);
  }
  const made = async (line: string) => (await cli.json<{ id: string }>(words(line))).id;
  const level = await made('battle-passes levels create Winter --position 1');
  const task = await made(`battle-passes challenges create ${level} --name "Ten down" ${kill} --goal 10`);
  return acts.map(({ line, read, ...act }) => {
    const named = (text: string) => text.replace('LEVEL', level).replace('TASK', task);
    return { ...act, line: named(line), read: named(read) };
  });
}

const act = (file: string, line: string, name: string, gone: string, read: string, isGone = false): Act => ({
  ...{ file, line, name, gone, read, isGone },
});

export const acts: readonly Act[] = [
  act(
    'players/reset.ts',
    'players reset u_42 "Three down"',
    'u_42',
    'resets the challenge Three down for u_42',
    'players get u_42',
  ),
  act(
    'battle-passes/reset.ts',
    'battle-passes reset u_42 Winter',
    'u_42',
    'resets the battle pass Winter for u_42',
    'players get u_42',
  ),
  act(
    'settings/revoke-secret.ts',
    'settings revoke-secret --project default',
    'default',
    'the project secret',
    'settings get',
  ),
  act(
    'settings/delete.ts',
    'settings delete --project default',
    'default',
    'the settings of the project',
    'settings get',
    true,
  ),
  act(
    'leaderboards/remove-member.ts',
    'leaderboards remove-member Kills u_42',
    'u_42',
    'u_42 and the score',
    'leaderboards show Kills',
  ),
  act(
    'leaderboards/reset.ts',
    'leaderboards reset Kills',
    'Kills',
    'the current period of the leaderboard Kills',
    'leaderboards periods Kills',
  ),
  act(
    'challenges/delete.ts',
    'challenges delete "Three down"',
    'Three down',
    'the challenge Three down',
    'challenges get "Three down"',
    true,
  ),
  act(
    'challenge-categories/delete.ts',
    'challenge-categories delete Daily',
    'Daily',
    'the category Daily',
    'challenge-categories get Daily',
    true,
  ),
  act(
    'battle-passes/challenges/delete.ts',
    'battle-passes challenges delete LEVEL TASK',
    'Ten down',
    'the challenge Ten down',
    'battle-passes challenges get LEVEL TASK',
    true,
  ),
  act(
    'battle-passes/levels/delete.ts',
    'battle-passes levels delete Winter LEVEL',
    'Winter',
    'a level of the battle pass Winter',
    'battle-passes levels get Winter LEVEL',
    true,
  ),
  act(
    'battle-passes/delete.ts',
    'battle-passes delete Winter',
    'Winter',
    'the battle pass Winter',
    'battle-passes get Winter',
    true,
  ),
  act(
    'leaderboards/delete.ts',
    'leaderboards delete Kills',
    'Kills',
    'the leaderboard Kills',
    'leaderboards get Kills',
    true,
  ),
  act(
    'gatherings/cancel.ts',
    'gatherings cancel "Friday raid"',
    'Friday raid',
    'the gathering Friday raid',
    'gatherings get "Friday raid"',
  ),
  act(
    'plugins/uninstall.ts',
    'plugins uninstall sentiment',
    'sentiment',
    'the plugin sentiment',
    'plugins installed sentiment',
    true,
  ),
  act('rules/delete.ts', 'rules remove Newts', 'Newts', 'the rule Newts', 'rules get Newts', true),
  act(
    'sessions/delete.ts',
    'sessions delete hall',
    'Evening',
    'the session Evening of room hall',
    'sessions get hall',
    true,
  ),
  act('sanctions/undo.ts', 'sanctions undo --last', 'undo', 'undoes batch spree', 'sanctions batches'),
  act(
    'participants/move.ts',
    'participants move ann u_ann_2',
    'Ann',
    'moves Ann (u_ann) to u_ann_2',
    'participants get ann',
  ),
  act('participants/delete.ts', 'participants delete bob', 'Bob', 'erases Bob (u_bob)', 'participants get bob', true),
  act(
    'webhooks/rotate-secret.ts',
    'webhooks rotate-secret hooks.example',
    hook,
    'stops signing in a day',
    'webhooks get hooks.example',
  ),
  act(
    'webhooks/delete.ts',
    'webhooks delete hooks.example',
    hook,
    'the webhook to',
    'webhooks get hooks.example',
    true,
  ),
  act(
    'api-keys/revoke.ts',
    'api-keys revoke "game server"',
    'game server',
    'revokes the key game server',
    'api-keys list',
  ),
  act('projects/delete.ts', 'projects delete Staging', 'Staging', 'the project Staging', 'projects list'),
];
