/** Cases, and reporters. */
import { randomUUID } from 'node:crypto';
import { reviewRoutes } from '../../../../src/contract/moderation/reviews.js';
import { sanctionRoutes } from '../../../../src/contract/moderation/sanctions.js';
import { caseRoutes } from '../../../../src/contract/reports/cases.js';
import { orderRoutes } from '../../../../src/contract/reports/orders.js';
import { reportSettingsRoutes } from '../../../../src/contract/reports/report-settings.js';
import { reporterRoutes } from '../../../../src/contract/reports/reporters.js';
import { reportRoutes } from '../../../../src/contract/reports/reports.js';
import { apiKey, bearer, type Case, type Cases, elsewhere, just, type SceneOf } from '../case.js';
import type { World } from '../world.js';

const projectOf = ({ projectId }: World) => ({ projectId });
const noAction = { decision: 'no_action', reasonCode: 'no_violation' } as const;
const ban = { decision: 'sanction', reasonCode: 'violation', sanction: { type: 'perm_ban' } } as const;

async function opened(world: World, who: object = { externalUserId: randomUUID() }) {
  const body = { ...who, category: 'spam' };
  const { caseId, id } = await world.client.call(reportRoutes.create, { params: projectOf(world), body });
  return { ...projectOf(world), id: caseId ?? '', reportId: id };
}
const open: SceneOf = async (world) => ({ params: { id: (await opened(world)).id } });
const decided: SceneOf = async (world) => {
  const params = await opened(world);
  await world.client.call(caseRoutes.decide, { params, body: noAction });
  return { params: { id: params.id } };
};
const claimed: SceneOf = async (world) => {
  const { id } = await opened(world);
  const moderator = world.clientOf((await world.person('moderator')).token);
  await moderator.call(caseRoutes.claim, { params: { ...projectOf(world), id } });
  return { params: { id } };
};
const escalated: SceneOf = async (world) => {
  const { id } = await opened(world);
  const body = { role: 'owner' } as const;
  await world.client.call(caseRoutes.escalate, { params: { ...projectOf(world), id }, body });
  return { params: { id } };
};
/** A ban that a moderator has proposed; the caller is that moderator, another one, or the key. */
const proposed =
  (caller: 'proposer' | 'another' | 'key'): SceneOf =>
  async (world) => {
    const { id } = await opened(world);
    const { token } = await world.person('moderator');
    const set = (confirmPermanentBans: boolean) =>
      world.client.call(reportSettingsRoutes.update, { params: projectOf(world), body: { confirmPermanentBans } });
    await set(true);
    await world.clientOf(token).call(caseRoutes.decide, { params: { ...projectOf(world), id }, body: ban });
    await set(false);
    if (caller === 'key') return { params: { id }, headers: apiKey(world.daemon.apiKey) };
    return { params: { id }, headers: bearer(caller === 'proposer' ? token : (await world.person('moderator')).token) };
  };
const undecided: Case['refuses'] = {
  case_decided: decided,
  case_claimed: claimed,
  insufficient_role: escalated,
  case_unconfirmed: proposed('key'),
};
const withBody =
  (scene: SceneOf, body: object): SceneOf =>
  async (world) => ({ ...(await scene(world)), body: just(body) });
const allWith = (body: object): Case['refuses'] =>
  Object.fromEntries(Object.entries(undecided).map(([code, scene]) => [code, withBody(scene as SceneOf, body)]));
const inRoom: SceneOf = async (world) => ({ params: { id: (await opened(world, { roomId: randomUUID() })).id } });
const appealed: SceneOf = async (world) => {
  const externalUserId = randomUUID();
  const { id } = await world.client.call(sanctionRoutes.create, {
    params: projectOf(world),
    body: { type: 'mute', externalUserId },
  });
  const body = { statement: 'Not me.' };
  await world.client.call(reviewRoutes.appeal, { params: { ...projectOf(world), id }, body });
  return { params: { id: (await opened(world, { externalUserId })).id } };
};
const sanctionOf = (fields: object) => ({ ...ban, sanction: { type: 'mute', ...fields } });
const tested = elsewhere('test/reports/cases.test.ts', 'insufficient_scope');

const held: SceneOf = async (world) => {
  const { id } = await opened(world);
  const administrator = world.clientOf((await world.person('admin')).token);
  await administrator.call(caseRoutes.hold, { params: { ...projectOf(world), id }, body: { reason: 'A court.' } });
  return { params: { id } };
};

const order = (fields: object = {}) => ({
  ...({ kind: 'act', authority: 'Amtsgericht Bonn', memberState: 'DE', reference: randomUUID() } as const),
  ...{ category: 'spam', legalGround: '§ 130 StGB', externalUserId: randomUUID(), ...fields },
});
const ordered: SceneOf = async (world) => {
  const { id } = await world.client.call(orderRoutes.create, { params: projectOf(world), body: order() });
  return { params: { id } };
};
const answered: SceneOf = async (world) => {
  const { params } = await ordered(world);
  const body = { outcome: 'no_effect' } as const;
  await world.client.call(orderRoutes.update, { params: { ...projectOf(world), id: params?.id ?? '' }, body });
  return { params: params ?? {} };
};

export const caseCases: Cases = {
  createOrder: {
    works: () => ({ body: just(order()) }),
    refuses: { report_category_unknown: () => ({ body: just(order({ category: 'nothing-like-it' })) }) },
  },
  getOrder: { works: ordered },
  updateOrder: {
    works: withBody(ordered, { outcome: 'effect_given' }),
    refuses: { order_decided: withBody(answered, { outcome: 'effect_given' }) },
  },
  getCase: { works: open },
  claimCase: { works: open, refuses: undecided },
  releaseCase: {
    works: open,
    refuses: { case_decided: decided, case_claimed: claimed, case_unconfirmed: proposed('key') },
  },
  reopenCase: {
    works: decided,
    refuses: {
      case_not_reopenable: open,
      case_appeal_undecided: elsewhere('test/reports/reopened-cases.test.ts', 'case_appeal_undecided'),
      insufficient_role: elsewhere('test/reports/reopened-cases.test.ts', 'insufficient_role'),
    },
  },
  decideCase: {
    works: withBody(open, noAction),
    refuses: {
      ...allWith(noAction),
      case_without_person: withBody(inRoom, ban),
      case_appeal_undecided: withBody(appealed, noAction),
      case_ground_mismatch: withBody(open, { ...sanctionOf({}), reasonCode: 'illegal_content' }),
      insufficient_scope: tested,
      ban_needs_second_person: elsewhere('test/moderation/second-pair-of-eyes.test.ts', 'ban_needs_second_person'),
      sanction_time_invalid: withBody(open, { ...ban, sanction: { type: 'temp_ban' } }),
      sanction_parameters_invalid: withBody(open, sanctionOf({ parameters: { delaySeconds: 3 } })),
      sanction_template_not_found: withBody(open, sanctionOf({ template: 'nothing' })),
    },
  },
  confirmCase: {
    works: withBody(proposed('another'), { agree: true }),
    refuses: {
      case_decided: withBody(decided, { agree: false }),
      case_not_proposed: withBody(open, { agree: true }),
      case_same_moderator: withBody(proposed('proposer'), { agree: true }),
      case_person_required: withBody(proposed('key'), { agree: true }),
      insufficient_role: tested,
      insufficient_scope: tested,
    },
  },
  escalateCase: { works: open, refuses: undecided },
  holdCase: {
    works: withBody(open, { reason: 'A court.' }),
    refuses: { case_held: withBody(held, { reason: 'Again.' }) },
  },
  liftCaseHold: { works: held, refuses: { case_not_held: open } },
  mergeCase: {
    works: async (world) => ({ ...(await open(world)), body: just({ intoId: (await opened(world)).id }) }),
    refuses: {
      ...Object.fromEntries(
        Object.entries(undecided).map(([code, scene]): [string, SceneOf] => [
          code,
          async (world) => ({
            ...(await (scene as SceneOf)(world)),
            body: just({ intoId: (await opened(world)).id }),
          }),
        ]),
      ),
      case_not_found: async (world) => ({ ...(await open(world)), body: just({ intoId: randomUUID() }) }),
      case_merge_into_self: async (world) => {
        const { id } = await opened(world);
        return { params: { id }, body: just({ intoId: id }) };
      },
    },
  },
  splitCase: {
    works: async (world) => {
      const { id, reportId } = await opened(world);
      const { externalUserId } = await world.client.call(reportRoutes.get, {
        params: { ...projectOf(world), id: reportId },
      });
      await opened(world, { externalUserId: externalUserId ?? '' });
      return { params: { id }, body: just({ reportIds: [reportId] }) };
    },
    refuses: { ...allWith({ reportIds: ['x'] }), case_split_invalid: withBody(open, {}) },
  },
  listReporters: { works: () => ({ query: { status: 'proposed' } }) },
  updateReporter: {
    works: (world) => ({ body: just({ suspendedUntil: world.inSeconds(600), decidedBy: 'person' }) }),
    refuses: { suspension_person_required: (world) => ({ body: just({ suspendedUntil: world.inSeconds(600) }) }) },
  },
};

/** Somebody whose reports are suspended. */
export async function suspended(world: World): Promise<string> {
  const externalUserId = randomUUID();
  const params = { ...projectOf(world), externalUserId };
  await world.client.call(reporterRoutes.update, {
    params,
    body: { suspendedUntil: world.inSeconds(600), decidedBy: 'person' },
  });
  return externalUserId;
}
