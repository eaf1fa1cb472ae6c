/** A project with a session, rules, and people who say things. */
import { expect } from 'vitest';
import type { z } from 'zod';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';
import { ruleDecisionRoutes } from '../../src/contract/rules/rule-decisions.js';
import type { RuleDefinition } from '../../src/contract/rules/rule-definition.js';
import { type CreateRuleRequest, ruleRoutes, type UpdateRuleRequest } from '../../src/contract/rules/rules.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import type { TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';

type Definition = z.input<typeof RuleDefinition>;

/** Warns who says `frog`, then mutes them for a minute. */
export const frog: Definition = {
  format: 1,
  mode: 'enforce',
  when: { all: [{ words: { any: ['frog'] } }] },
  steps: [[{ sanction: { type: 'warn' } }], [{ sanction: { type: 'mute', duration: 60 } }]],
};

export class RuleScene {
  constructor(
    readonly daemon: TestDaemon,
    readonly projectId = daemon.projectId,
  ) {}

  readonly params = () => ({ projectId: this.projectId });
  readonly item = (id: string) => ({ ...this.params(), id });
  readonly call: TestDaemon['client']['call'] = (route, input) => this.daemon.client.call(route, input);

  rule = (definition: Definition, more: Partial<z.input<typeof CreateRuleRequest>> = {}) =>
    this.call(ruleRoutes.create, { params: this.params(), body: { name: crypto.randomUUID(), ...more, definition } });

  change = (id: string, body: z.input<typeof UpdateRuleRequest>) =>
    this.call(ruleRoutes.update, { params: this.item(id), body });

  remove = (id: string) => this.call(ruleRoutes.remove, { params: this.item(id) });

  session = async (externalRoomId: string = crypto.randomUUID()): Promise<string> =>
    (
      await this.call(sessionRoutes.create, {
        params: this.params(),
        body: { title: 'Match', externalRoomId, autoStart: false },
      })
    ).id;

  say = (sessionId: string, externalUserId: string, content: string) =>
    this.call(sessionRoutes.say, { params: this.item(sessionId), body: { externalUserId, content, judged: true } });

  install = (pluginId: string, settings: Record<string, string | number | string[]> = {}) =>
    this.call(pluginInstanceRoutes.create, { params: this.params(), body: { pluginId, settings } });

  decisions = async (ruleId: string) =>
    (await this.call(ruleDecisionRoutes.list, { params: this.params(), query: { ruleId, limit: 200 } })).decisions;

  /** The decisions of the rule, the oldest first, once there are so many. */
  decided = (ruleId: string, count: number) =>
    eventually(async () => {
      const found = await this.decisions(ruleId);
      expect(found.length).toBeGreaterThanOrEqual(count);
      return found.reverse();
    });
}
