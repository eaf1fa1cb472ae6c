/** Rules, their versions, the switch, and decisions. */
import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { sanctionRoutes } from '../../../../src/contract/moderation/sanctions.js';
import { ruleRoutes, rulesPerProjectMax, versionsPerRuleMax } from '../../../../src/contract/rules/rules.js';
import { type Cases, just, type SceneOf } from '../case.js';
import type { World } from '../world.js';

const definition = {
  ...{ format: 1 as const, when: { all: [{ words: { any: ['frog'] } }] } },
  steps: [[{ sanction: { type: 'warn' as const } }]],
};
const bending = (sanction: Record<string, unknown>) => ({ ...definition, steps: [[{ sanction }]] });
const bannedForNoTime = bending({ type: 'temp_ban' });
const slowMute = bending({ type: 'mute', parameters: { delaySeconds: 5 } });

const onNothing = { ...definition, when: { all: [{ annotation: { plugin: 'nothing' } }] } };

const aDay = { since: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' };

/** A project has so many rules and no more. */
const clear = async ({ client, projectId }: World) => {
  for (const { id } of await client.call(ruleRoutes.list, { params: { projectId } }))
    await client.call(ruleRoutes.remove, { params: { projectId, id } });
};
const rule = async (world: World, name: string = randomUUID()) => {
  await clear(world);
  const { client, projectId } = world;
  const { id } = await client.call(ruleRoutes.create, { params: { projectId }, body: { name, definition } });
  return { projectId, id };
};
const one: SceneOf = async (world) => ({ params: await rule(world) });
const another = async (world: World) => {
  const params = await rule(world, 'taken');
  const body = { name: randomUUID(), definition };
  const { id } = await world.client.call(ruleRoutes.create, { params, body });
  return { ...params, id };
};
/** Decisions name all the versions that it may have. */
const old: SceneOf = async (world) => {
  const params = await rule(world);
  const now = new Date();
  const { projectId, id: ruleId } = params;
  const numbers = Array.from({ length: versionsPerRuleMax }, (_, index) => index + 1);
  const row = { ruleId, definition: JSON.stringify(definition), copyOf: null, createdByUserId: 'u', createdAt: now };
  const named = {
    ...{ projectId, tenantId: 'tenant', ruleId, mode: 'dry-run', outcome: 'not_matched', sanctions: 0 },
    ...{ saidAt: now, decidedAt: now },
  };
  await world.rows(async (tx) => {
    await tx.ruleVersion.createMany({ data: numbers.slice(1).map((version) => ({ ...row, version })) });
    await tx.ruleDecision.createMany({
      data: numbers.map((version) => ({ ...named, id: uuidv7(), eventId: uuidv7(), version })),
    });
  });
  return { params };
};

/** A rule decided once. */
const decided: SceneOf = async (world) => {
  const { projectId, id: ruleId } = await rule(world);
  const id = uuidv7();
  const now = new Date();
  const data = {
    ...{ id, projectId, tenantId: 'tenant', ruleId, version: 1, mode: 'dry-run', eventId: uuidv7(), sanctions: 0 },
    ...{ outcome: 'not_matched', facts: null, verdict: null, saidAt: now, decidedAt: now },
  };
  await world.rows((tx) => tx.ruleDecision.create({ data }));
  return { params: { projectId, id } };
};

export const ruleCases: Cases = {
  createRule: {
    works: async (world) => {
      await clear(world);
      return { body: just({ name: randomUUID(), definition }) };
    },
    refuses: {
      sanction_time_invalid: () => ({ body: just({ name: 'a', definition: bannedForNoTime }) }),
      sanction_parameters_invalid: () => ({ body: just({ name: 'a', definition: slowMute }) }),
      rule_name_taken: async (world) => {
        await rule(world, 'taken');
        return { body: just({ name: 'taken', definition }) };
      },
      rule_plugin_not_installed: () => ({ body: just({ name: 'a', definition: onNothing }) }),
      rule_limit: async (world) => {
        const params = { projectId: await world.project() };
        const { id } = await world.client.call(ruleRoutes.create, { params, body: { name: randomUUID(), definition } });
        await world.rows(async (tx) => {
          const rule = await tx.rule.findUniqueOrThrow({ where: { id } });
          const version = await tx.ruleVersion.findFirstOrThrow({ where: { ruleId: id } });
          const ids = Array.from({ length: rulesPerProjectMax - 1 }, () => uuidv7());
          await tx.rule.createMany({ data: ids.map((copy) => ({ ...rule, id: copy })) });
          await tx.ruleVersion.createMany({ data: ids.map((ruleId) => ({ ...version, ruleId })) });
        });
        return { params, body: just({ name: randomUUID(), definition }) };
      },
    },
  },
  getRule: { works: one },
  updateRule: {
    works: async (world) => ({ params: await rule(world), body: just({ enabled: false, definition }) }),
    refuses: {
      sanction_time_invalid: () => ({ body: just({ definition: bannedForNoTime }) }),
      sanction_parameters_invalid: () => ({ body: just({ definition: slowMute }) }),
      rule_name_taken: async (world) => ({ params: await another(world), body: just({ name: 'taken' }) }),
      rule_plugin_not_installed: async (world) => ({
        params: await rule(world),
        body: just({ definition: onNothing }),
      }),
      rule_limit: async (world) => ({
        ...(await old(world)),
        body: just({ definition: { ...definition, decay: 60 } }),
      }),
    },
  },
  deleteRule: { works: one },
  listRuleVersions: { works: one },
  undoRule: { works: one },
  rollBackRule: {
    works: async (world) => ({ params: await rule(world), body: just({ version: 1 }) }),
    refuses: {
      rule_version_not_found: () => ({ body: just({ version: 9 }) }),
      rule_plugin_not_installed: async (world) => {
        const params = await rule(world);
        const row = { ruleId: params.id, version: 2, definition: JSON.stringify(onNothing), copyOf: null };
        const made = { createdByUserId: 'u', createdAt: new Date() };
        await world.rows((tx) => tx.ruleVersion.create({ data: { ...row, ...made } }));
        return { params, body: just({ version: 2 }) };
      },
      rule_limit: old,
    },
  },
  testRule: {
    works: () => ({ body: just({ definition, ...aDay }) }),
    refuses: {
      rule_not_found: () => ({ body: just({ definition, ...aDay, ruleId: 'x' }) }),
      rule_plugin_not_installed: () => ({ body: just({ definition: onNothing, ...aDay }) }),
      sanction_time_invalid: () => ({ body: just({ definition: bannedForNoTime, ...aDay }) }),
      sanction_parameters_invalid: () => ({ body: just({ definition: slowMute, ...aDay }) }),
    },
  },
  getRuleDecision: { works: decided },
  replayRuleDecision: { works: decided },
  getSanctionEvidence: {
    works: async ({ client, projectId }) => {
      const body = { type: 'mute' as const, externalUserId: randomUUID() };
      const { id } = await client.call(sanctionRoutes.create, { params: { projectId }, body });
      return { params: { projectId, id } };
    },
  },
};
