/** A rule that is changed more often than it may have versions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ruleRoutes, versionsPerRuleMax } from '../../src/contract/rules/rules.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { frog, RuleScene } from './scene.js';

let daemon: TestDaemon;
let scene: RuleScene;
beforeAll(async () => {
  daemon = await startDaemon();
  scene = new RuleScene(daemon);
});
afterAll(() => daemon.stop());

describe('a rule with as many versions as it may have', () => {
  it('is changed and rolled back still: versions that no decision names give way', { timeout: 60_000 }, async () => {
    const { id } = await scene.rule(frog);
    await scene.say(await scene.session(), 'u', 'frog');
    await scene.decided(id, 1);
    const more = 3;
    for (let version = 2; version <= versionsPerRuleMax + more; version += 1)
      expect(await scene.change(id, { definition: { ...frog, decay: version } })).toMatchObject({ version });
    const versions = await scene.call(ruleRoutes.versions, { params: scene.item(id) });
    expect(versions).toHaveLength(versionsPerRuleMax);
    expect(versions.map(({ version }) => version).slice(-2)).toEqual([2 + more, 1]);
    const last = versionsPerRuleMax + more;
    const back = await scene.call(ruleRoutes.rollBack, { params: scene.item(id), body: { version: last } });
    expect(back).toMatchObject({ version: last + 1, definition: { decay: last } });
  });
});
