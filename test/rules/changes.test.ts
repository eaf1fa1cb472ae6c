/** Time at which a change of rules takes effect, and rules that sanctions may name. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { frog, RuleScene } from './scene.js';

let daemon: TestDaemon;
let scene: RuleScene;
let sessionId: string;
beforeAll(async () => {
  daemon = await startDaemon();
  scene = new RuleScene(daemon);
  sessionId = await scene.session();
});
afterAll(() => daemon.stop());
afterEach(async () => {
  for (const { id } of await scene.call(ruleRoutes.list, { params: scene.params() })) await scene.remove(id);
});

describe('a change of rules', () => {
  it('counts from the answer on: disabled, enabled, another version', async () => {
    const rule = await scene.rule(frog);
    await scene.change(rule.id, { enabled: false });
    await scene.say(sessionId, 'u9', 'frog while it is disabled');
    await scene.change(rule.id, { enabled: true });
    const second = await scene.change(rule.id, {
      definition: { ...frog, when: { all: [{ words: { any: ['toad'] } }] } },
    });
    expect(second.version).toBe(2);
    await scene.say(sessionId, 'u9', 'frog');
    await scene.say(sessionId, 'u9', 'toad');
    const decisions = await scene.decided(rule.id, 1);
    expect(decisions).toMatchObject([{ version: 2, outcome: 'matched' }]);
  });

  it('judges nothing by a new version that was said before it, though its place in the log lies further back', async () => {
    const rule = await scene.rule(frog);
    const toad = { ...frog, when: { all: [{ words: { any: ['toad'] } }] } };
    await scene.say(sessionId, 'u17', 'toad');
    await scene.change(rule.id, { definition: toad });
    await scene.say(sessionId, 'u18', 'toad');
    expect((await scene.decided(rule.id, 1)).map(({ externalUserId }) => externalUserId)).toEqual(['u18']);
    await scene.say(sessionId, 'u17', 'frog');
    await scene.call(ruleRoutes.rollBack, { params: scene.item(rule.id), body: { version: 1 } });
    await scene.say(sessionId, 'u18', 'frog');
    const decisions = await scene.decided(rule.id, 2);
    expect(decisions.map(({ externalUserId, version }) => [externalUserId, version])).toEqual([
      ['u18', 2],
      ['u18', 3],
    ]);
  });

  it('stops all rules at once, and forgets what was said meanwhile', async () => {
    const rule = await scene.rule(frog);
    const set = (stopped: boolean) => scene.call(ruleRoutes.setSwitch, { params: scene.params(), body: { stopped } });
    expect(await set(true)).toMatchObject({ stopped: true });
    await scene.say(sessionId, 'u10', 'frog');
    expect(await set(false)).toMatchObject({ stopped: false });
    await scene.say(sessionId, 'u11', 'frog');
    expect((await scene.decided(rule.id, 1)).map(({ externalUserId }) => externalUserId)).toEqual(['u11']);
  });
});

describe('a sanction by a person', () => {
  it('names a rule and a version that the project has, or none', async () => {
    const own = await scene.rule(frog);
    const other = await daemon.admin.call(projectRoutes.create, { body: { name: crypto.randomUUID() } });
    const foreign = await scene.call(ruleRoutes.create, {
      params: { projectId: other.id },
      body: { name: 'foreign', definition: frog },
    });
    const impose = (evidence: { ruleId?: string; ruleVersion?: number }) =>
      scene.call(sanctionRoutes.create, {
        params: scene.params(),
        body: { type: 'warn', externalUserId: 'u19', evidence },
      });
    const refused = [
      [{ ruleId: crypto.randomUUID() }, 'ruleId'],
      [{ ruleId: foreign.id, ruleVersion: 1 }, 'ruleId'],
      [{ ruleId: own.id, ruleVersion: 2 }, 'ruleVersion'],
      [{ ruleVersion: 1 }, 'ruleId'],
    ] as const;
    for (const [evidence, field] of refused)
      await expect(impose(evidence)).rejects.toMatchObject({
        ...{ status: 400, code: 'validation_failed', message: expect.stringContaining('omit it') },
        details: [{ path: `body.evidence.${field}` }],
      });
    const evidence = { ruleId: own.id, ruleVersion: 1 };
    expect(await impose(evidence)).toMatchObject({ evidence });
  });
});
