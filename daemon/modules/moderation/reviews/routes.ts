import { reviewRoutes } from '../../../../src/contract/moderation/reviews.js';
import { atLeast } from '../../../../src/contract/route.js';
import { opens } from '../../../../src/contract/scopes.js';
import { hasScope, mayActAs } from '../../../platform/http/authorisation.js';
import { bind } from '../../../platform/http/bind.js';
import type { Member, ProjectGrant } from '../../../platform/http/caller.js';
import type { ReviewService } from './service.js';

const reader = (caller: Member, project: ProjectGrant) => ({
  words: hasScope(caller, 'messages:read'),
  notes: mayActAs('moderator', caller, project, 'plugins'),
  sanctionNotes: mayActAs('moderator', caller, project, 'sanctions'),
  reports: caller.kind === 'user' ? atLeast(project.role, 'moderator') : opens(caller.scopes, 'reports:read'),
  accounts: hasScope(caller, 'users:read'),
});

export const reviewRouter = (reviews: ReviewService) =>
  bind(reviewRoutes, {
    list: ({ project, caller, query }) => reviews.list(project.projectId, reader(caller, project), query),
    get: ({ project, caller, params }) => reviews.get(project.projectId, params.id, reader(caller, project)),
    update: ({ project, caller, params, body }) => reviews.update(project.projectId, params.id, caller, body),
    appeal: ({ project, caller, params, body }) =>
      reviews.appeal(project.projectId, params.id, caller.id, body.statement),
  });
