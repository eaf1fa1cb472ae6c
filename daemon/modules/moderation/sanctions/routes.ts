import { sanctionBatchRoutes } from '../../../../src/contract/moderation/sanction-batches.js';
import type { Sanction } from '../../../../src/contract/moderation/sanction-record.js';
import { sanctionTemplateRoutes } from '../../../../src/contract/moderation/sanction-templates.js';
import { sanctionRoutes } from '../../../../src/contract/moderation/sanctions.js';
import { hasScope, mayActAs } from '../../../platform/http/authorisation.js';
import { bind } from '../../../platform/http/bind.js';
import type { Member, ProjectGrant } from '../../../platform/http/caller.js';
import { totalHeader } from '../../../platform/http/total.js';
import type { SanctionBatches } from './batches.js';
import type { SanctionErasure } from './erasure.js';
import type { SanctionService } from './service.js';
import type { SanctionTemplates } from './templates.js';

const reader = (caller: Member, project: ProjectGrant) => ({
  moderator: mayActAs('moderator', caller, project, 'sanctions'),
  accounts: hasScope(caller, 'users:read'),
});

const authorOf = (caller: Member) => ({ id: caller.id, isPerson: caller.kind === 'user' });

/** Returns the sanctions, with how many there are in the header. */
async function stated(
  response: { setHeader(name: string, value: number): unknown },
  part: ReturnType<SanctionService['part']>,
): Promise<Sanction[]> {
  const { sanctions, total } = await part;
  response.setHeader(totalHeader, total);
  return sanctions;
}

export const sanctionRouter = (sanctions: SanctionService, erasure: SanctionErasure) =>
  bind(sanctionRoutes, {
    create: ({ project, caller, body }) => sanctions.create(project, authorOf(caller), body),
    list: ({ project, caller, query }) => sanctions.list(project.projectId, reader(caller, project), query),
    get: ({ project, caller, params }) => sanctions.get(project.projectId, params.id, reader(caller, project)),
    update: ({ project, caller, params, body }) => sanctions.update(project.projectId, params.id, caller.id, body),
    revoke: ({ project, caller, params, body }) =>
      sanctions.revoke(project.projectId, params.id, caller.id, body.reason ?? null),
    undo: ({ project, caller, params, body }) =>
      sanctions.undo(project.projectId, params.id, caller.id, body.reason ?? null),
    undoActs: ({ project, caller, body }) => sanctions.undoActs(project.projectId, caller.id, body),
    ofUser: ({ project, caller, params, query }, { response }) =>
      stated(
        response,
        sanctions.part(project.projectId, { externalUserId: params.externalUserId }, reader(caller, project), query),
      ),
    ofParticipant: ({ project, caller, params, query }, { response }) =>
      stated(
        response,
        sanctions.part(project.projectId, { participantId: params.participantId }, reader(caller, project), query),
      ),
    activeOfUser: ({ project, caller, params: { externalUserId }, query: { type, ...part } }, { response }) => {
      const active = { externalUserId, type, isInForce: true };
      return stated(response, sanctions.part(project.projectId, active, reader(caller, project), part));
    },
    liftErasedBans: async ({ project, params }) => ({ lifted: await erasure.lift(project, params.externalUserId) }),
  });

export const sanctionBatchRouter = (batches: SanctionBatches) =>
  bind(sanctionBatchRoutes, {
    apply: ({ project, caller, body }) => batches.apply(project, authorOf(caller), body),
    list: ({ project, query }) => batches.list(project.projectId, query),
    undo: ({ project, caller, params, body }) =>
      batches.undo(project.projectId, params.id, caller.id, body.reason ?? null),
  });

export const sanctionTemplateRouter = (templates: SanctionTemplates) =>
  bind(sanctionTemplateRoutes, {
    list: ({ project, query }) => templates.list(project.projectId, query.search),
    set: ({ project, params, body }) => templates.set(project.projectId, params.name, body),
    remove: ({ project, params }) => templates.remove(project.projectId, params.name),
  });
