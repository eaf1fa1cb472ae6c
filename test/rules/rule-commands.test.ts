/** Rules as people type them: made from a file, tried on stored transcripts, stopped, and asked why. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { RuleTestReport } from '../../src/client/rule-test.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';
import type { RuleReplay, SanctionChain } from '../../src/contract/rules/rule-decisions.js';
import type { RuleCondition } from '../../src/contract/rules/rule-definition.js';
import { ruleTestRoutes } from '../../src/contract/rules/rule-tests.js';
import type { Rule, RuleVersion } from '../../src/contract/rules/rules.js';
import type { RequiredScope } from '../../src/contract/scopes.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { frog, RuleScene } from './scene.js';

let daemon: TestDaemon;
let scene: RuleScene;
let folder: string;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
beforeAll(async () => {
  daemon = await startDaemon();
  scene = new RuleScene(daemon);
  folder = mkdtempSync(join(tmpdir(), 'earshot-rule-'));
});
afterAll(async () => {
  cli.dispose();
  await daemon.stop();
  rmSync(folder, { recursive: true, force: true });
});

const file = (name: string, word: string, mode = 'dry-run') => {
  const path = join(folder, `${word}.yaml`);
  writeFileSync(
    path,
    `name: ${name}\ndefinition:\n  format: 1\n  mode: ${mode}\n  when:\n    all:\n      - words: { any: [${word}] }\n  steps:\n    - - sanction: { type: mute, duration: 60 }\n`,
  );
  return path;
};

describe('examples/rule.schema.json', () => {
  it('is what the command prints, and examples/rule.yaml is a rule', async () => {
    expect((await cli.run(['rules', 'schema'])).stdout).toBe(readFileSync('examples/rule.schema.json', 'utf8'));
    const { id: plugin } = await scene.install('toxicity');
    const rule = await cli.json<Rule>(['rules', 'create', '-f', 'examples/rule.yaml']);
    expect(rule).toMatchObject({ name: 'Watch your language', enabled: true, version: 1 });
    expect(await cli.run(['rules', 'remove', 'Watch your language', '--yes'])).toMatchObject({ code: 0 });
    await scene.call(pluginInstanceRoutes.remove, { params: scene.item(plugin) });
  });

  it('is followed by the rules in docs/rules.md, which are taken as they stand', async () => {
    const { id: plugin } = await scene.install('toxicity');
    const rules = [...readFileSync('docs/rules.md', 'utf8').matchAll(/^```yaml\n(.*?)^```/gms)];
    expect(rules.length).toBeGreaterThan(0);
    for (const [index, [, text = '']] of rules.entries()) {
      const path = join(folder, `documented-${index}.yaml`);
      writeFileSync(path, text);
      const { name } = await cli.json<Rule>(['rules', 'create', '-f', path]);
      expect(await cli.run(['rules', 'remove', name, '--yes'])).toMatchObject({ code: 0 });
    }
    await scene.call(pluginInstanceRoutes.remove, { params: scene.item(plugin) });
  });
});

describe('a rule file', () => {
  it('takes durations as commands do, and names the line of one that it cannot read', async () => {
    const path = join(folder, 'durations.yaml');
    const text = (within: string) =>
      `name: durations\ndefinition:\n  format: 1\n  when:\n    all:\n      - count: { of: { words: { any: [olm] } }, within: ${within}, atLeast: 3 }\n  steps:\n    - []\n    - - sanction: { type: mute, duration: 1h 30m }\n  decay: 2 days\n`;
    writeFileSync(path, text('5m'));
    const { definition } = await cli.json<Rule>(['rules', 'create', '-f', path]);
    expect(definition.when.all[0]?.count).toMatchObject({ within: 300, by: 'person' });
    expect(definition).toMatchObject({ steps: [[], [{ sanction: { duration: 5_400 } }]], decay: 172_800 });
    writeFileSync(path, text('5 minuts'));
    const wrong = await cli.run(['rules', 'update', 'durations', '-f', path]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain(`${path}:6:`);
    expect(wrong.stderr).toContain('"5 minuts" is not a duration; write 30s, 10m, 2h30m or 7d.');
    await cli.run(['rules', 'delete', 'durations', '--yes']);
  });

  it('names the line of what is wrong', async () => {
    const path = join(folder, 'wrong.yaml');
    writeFileSync(path, 'name: x\ndefinition:\n  format: 1\n  when:\n    all:\n      - wordz: {}\n  steps: []\n');
    const { code, stderr } = await cli.run(['rules', 'create', '-f', path]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${path}:6:`);
    const event = 'gameEvents: { event: kil-enemy, within: 60, atLeast: 1 }';
    writeFileSync(path, `name: x\ndefinition:\n  format: 1\n  when:\n    all:\n      - ${event}\n  steps: []\n`);
    const unknown = await cli.run(['rules', 'create', '-f', path]);
    expect(unknown.stderr).toContain('event: is not an event of the catalogue. Did you mean kill-enemy?');
  });

  it('is refused where it reads a plugin that the project has not, at the line that names it', async () => {
    const path = join(folder, 'plugin.yaml');
    const on = (plugin: string) =>
      writeFileSync(
        path,
        `name: plugin\ndefinition:\n  format: 1\n  when:\n    any:\n      - annotation: { plugin: ${plugin} }\n  steps:\n    - - webhook: {}\n`,
      );
    on('toxcity');
    const mistyped = await cli.run(['rules', 'create', '-f', path]);
    expect(mistyped.code).toBe(5);
    expect(mistyped.stderr).toMatch(/plugin\.yaml:6:\d+ .*There is no plugin toxcity\. Did you mean toxicity\?/);
    on('toxicity');
    expect((await cli.run(['rules', 'create', '-f', path])).stderr).toContain('`plugins install toxicity`');
    // Plugins that are not installed any more have annotated what was said before.
    expect(await cli.run(['rules', 'test', '-f', path])).toMatchObject({ code: 0 });
    on('toxcity');
    expect((await cli.run(['rules', 'test', '-f', path])).stderr).toContain('Did you mean toxicity?');

    const { id } = await scene.install('toxicity');
    on('toxicity');
    const rule = await cli.json<Rule>(['rules', 'create', '-f', path]);
    const uninstalled = await cli.run(['plugins', 'uninstall', id, '--yes']);
    expect(uninstalled.stderr).toContain('no longer match: plugin');
    const back = await cli.run(['rules', 'rollback', rule.id, '1']);
    expect(back.stderr).toContain('`plugins install toxicity`');
    await scene.remove(rule.id);
  });
});

describe('rules', () => {
  it('are changed, rolled back, stopped, and say why', async () => {
    const { id } = await cli.json<Rule>(['rules', 'create', '-f', file('why', 'newt')]);
    expect(await cli.json<Rule>(['rules', 'update', 'why', '--mode', 'enforce'])).toMatchObject({ version: 2 });
    await cli.run(['rules', 'rollback', 'why', '1']);
    await cli.run(['rules', 'rollback', 'why', '2']);
    expect((await cli.json<RuleVersion[]>(['rules', 'versions', 'why'])).map(({ copyOf }) => copyOf)).toEqual([
      ...[2, 1, null, null],
    ]);
    await scene.say(await scene.session(), 'w1', 'a newt');
    const [decision] = await scene.decided(id, 1);
    expect(await cli.json<RuleReplay>(['rules', 'replay', decision?.id ?? ''])).toMatchObject({ identical: true });
    const sanctionId = decision?.sanctionIds[0] ?? '';
    const shown = await cli.run(['sanctions', 'get', sanctionId, '--evidence']);
    for (const part of ['mute of w1', `why (${id})`, 'version 4', 'holds  all.0', 'a newt'])
      expect(shown.stdout).toContain(part);
    expect(await cli.json<SanctionChain>(['sanctions', 'get', sanctionId, '--evidence'])).toMatchObject({
      decision: { id: decision?.id },
    });
    expect((await cli.run(['rules', 'stop-all'])).stdout).toMatch(/stopped\s+true/);
    expect((await cli.run(['rules', 'list'])).stderr).toContain('stopped');
    expect((await cli.run(['rules', 'stop-all', '--resume'])).stdout).toMatch(/stopped\s+false/);
    await cli.run(['rules', 'disable', 'why']);
    expect((await cli.run(['rules', 'decisions', '--rule', 'why'])).stdout).toContain('matched');
  });
});

describe('rules update -f', () => {
  it('leaves alone what the file does not state, the mode included', async () => {
    await cli.run(['rules', 'create', '-f', file('kept', 'newt', 'enforce')]);
    await cli.run(['rules', 'update', 'kept', '--sanctions-per-hour-max', '5', '--exempt', 'streamer']);
    await cli.run(['rules', 'disable', 'kept']);
    const path = join(folder, 'change.yaml');
    const change = (text: string, ...flags: string[]) => {
      writeFileSync(path, text);
      return cli.json<Rule>(['rules', 'update', 'kept', '-f', path, ...flags]);
    };
    const written = (mode: string) =>
      `definition:\n  format: 1\n${mode}  when:\n    all:\n      - words: { any: [eft] }\n  steps:\n    - - webhook: {}\n`;
    const kept = { enabled: false, sanctionsPerHourMax: 5, exempt: ['streamer'] };
    expect(await change(written(''))).toMatchObject({
      ...{ ...kept, version: 2, definition: { mode: 'enforce', when: { all: [{ words: { any: ['eft'] } }] } } },
    });
    expect(await change('sanctionsPerHourMax: 6\n')).toMatchObject({ ...kept, sanctionsPerHourMax: 6, version: 2 });
    expect(await change(written('  mode: dry-run\n'))).toMatchObject({ version: 3, definition: { mode: 'dry-run' } });
    expect(await change(written(''), '--mode', 'enforce')).toMatchObject({ definition: { mode: 'enforce' } });
  });
});

describe('rules test', () => {
  it('compares with what people decided and with the version that judges, and is a gate', async () => {
    const sessionId = await scene.session();
    const says = async (user: string, words: string) => (await scene.say(sessionId, user, words)).id;
    const punish = async (externalUserId: string, messageId: string, by = daemon.admin) =>
      by.call(sanctionRoutes.create, {
        params: scene.params(),
        body: { type: 'mute', externalUserId, evidence: { messageIds: [messageId] } },
      });
    const right = await punish('t1', await says('t1', 'a frog'));
    const key = daemon.client;
    await punish('t2', await says('t2', 'a frog'), key);
    const wrong = await punish('t3', await says('t3', 'a frog'));
    await daemon.admin.call(sanctionRoutes.revoke, { params: scene.item(wrong.id), body: {} });
    await punish('t4', await says('t4', 'a toad'));
    // Actions of keys are nobody's decision.
    await punish('t5', await says('t5', 'a newt'), key);
    await key.call(sanctionRoutes.revoke, { params: scene.item(right.id), body: {} });
    await cli.run(['rules', 'create', '-f', file('amphibians', 'toad')]);
    const path = file('amphibians', 'frog');

    const report = await cli.json<RuleTestReport>(['rules', 'test', '-f', path, '--against', 'sessions:1h']);
    expect(report).toMatchObject({
      pairs: { confirmed: 1, refuted: 1, missed: 1, undecided: 1 },
      precision: 0.5,
      recall: 0.5,
      diff: { added: [{ externalUserId: 't1' }, {}, {}], removed: [{ externalUserId: 't4' }], changed: [] },
    });
    const gate = (...flags: string[]) => cli.run(['rules', 'test', '-f', path, '--against', 'sessions:1h', ...flags]);
    expect(await gate('--min-precision', '0.5', '--min-recall', '0.5', '--max-new', '3')).toMatchObject({ code: 0 });
    const failed = await gate('--min-precision', '0.9', '--max-new', '2');
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('Precision is 0.50');
    expect(failed.stderr).toContain('It acts 3 times where the current version does not');
    expect(failed.stdout).toContain('1 confirmed, 1 refuted, 1 missed, 1 undecided');
  });

  it('says why nothing matched', async () => {
    const sessionId = await scene.session();
    await scene.say(sessionId, 'n1', 'nothing special');
    const line = ['rules', 'test', '-f', file('unmatched', 'axolotl'), '--against'];
    expect((await cli.run([...line, 'sessions:1h'])).stdout).toMatch(
      /0 matches\n(None of the lines had an annotation|\d+ of the lines had annotations, and none met)/,
    );
    expect((await cli.run([...line, 'sessions:0s'])).stdout).toContain('Nothing was said in this time');
  });

  it('does not tell API keys what they may not read', async () => {
    const sessionId = await scene.session();
    const { id } = await scene.say(sessionId, 'r1', 'a secret');
    await daemon.admin.call(sanctionRoutes.create, {
      params: scene.params(),
      body: { type: 'mute', externalUserId: 'r1', evidence: { messageIds: [id] } },
    });
    const asked = async (scopes: RequiredScope[], condition: z.input<typeof RuleCondition>) => {
      const client = await daemon.clientWith(scopes);
      const definition = { format: 1 as const, when: { all: [condition] }, steps: [[{ webhook: {} }]] };
      const body = { definition, since: '2020-01-01T00:00:00Z', until: new Date(Date.now() + 1_000).toISOString() };
      return client.call(ruleTestRoutes.run, { params: scene.params(), body });
    };
    const refusal = { status: 403, code: 'insufficient_scope' };
    const words = { words: { any: ['secret'] } };
    const sanctions = { sanctions: { within: 60 } };
    await expect(asked(['plugins:read', 'sanctions:read'], words)).rejects.toMatchObject(refusal);
    await expect(asked(['plugins:read', 'messages:read'], sanctions)).rejects.toMatchObject(refusal);
    const read = await asked(['plugins:read', 'messages:read'], words);
    expect(read).toMatchObject({ tested: [{ externalUserId: 'r1' }], people: [] });
    const all = await asked(['plugins:read', 'messages:read', 'sanctions:read'], words);
    expect(all.people.map(({ externalUserId }) => externalUserId)).toContain('r1');
  });

  it('climbs the steps across pages', async () => {
    const sessionId = await scene.session();
    const began = Date.now();
    for (let count = 0; count < 3; count += 1) await scene.say(sessionId, 'p1', 'salamander');
    const definition = {
      ...{ format: 1 as const, when: { all: [{ words: { any: ['salamander'] } }] } },
      steps: [[{ sanction: { type: 'warn' as const } }], [{ review: {} }]],
    };
    const ask = (more: object) =>
      scene.call(ruleTestRoutes.run, {
        params: scene.params(),
        body: {
          ...{ definition, sanctionsPerHourMax: 3, ...more },
          ...{ since: '2020-01-01T00:00:00Z', until: new Date(Date.now() + 1_000).toISOString() },
        },
      });
    expect((await ask({})).tested.map(({ step }) => step)).toEqual([1, 2, 2]);
    const before = [{ externalUserId: 'p1', at: new Date(began - 1_000).toISOString(), sanctions: ['warn'] }];
    const place = { after: '', from: '2020-01-01T00:00:00.000Z', tested: before, live: [] };
    expect((await ask({ place })).tested.map(({ step }) => step)).toEqual([2, 2]);
  });

  it('leaves out what the rule of that name imposed itself, and nothing that others did', async () => {
    const sessionId = await scene.session();
    const live = await scene.rule({ ...frog, when: { all: [{ words: { any: ['axolotl'] } }] } });
    await scene.say(sessionId, 's1', 'axolotl');
    await scene.decided(live.id, 1);
    for (const evidence of [undefined, { messageIds: [] }])
      await scene.call(sanctionRoutes.create, {
        params: scene.params(),
        body: { type: 'warn', externalUserId: 's2', ...(evidence && { evidence }) },
      });
    for (const user of ['s1', 's2']) await scene.say(sessionId, user, 'olm');
    const tested = async (atLeast: number, more: { ruleId?: string } = {}) => {
      const when = { all: [{ words: { any: ['olm'] } }, { sanctions: { within: 3_600, atLeast } }] };
      const definition = { format: 1 as const, when, steps: [[{ webhook: {} }]] };
      const until = new Date(Date.now() + 1_000).toISOString();
      const body = { definition, since: '2020-01-01T00:00:00Z', until, ...more };
      const answer = await scene.call(ruleTestRoutes.run, { params: scene.params(), body });
      return answer.tested.map(({ externalUserId }) => externalUserId);
    };
    expect(await tested(1)).toEqual(['s1', 's2']);
    expect(await tested(1, { ruleId: live.id })).toEqual(['s2']);
    expect(await tested(2, { ruleId: live.id })).toEqual(['s2']);
  });
});
