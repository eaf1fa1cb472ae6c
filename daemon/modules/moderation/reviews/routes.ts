import { reviewRoutes } from '../../../../src/contract/moderation/reviews.js';
import { opens } from '../../../../src/contract/scopes.js';
import { mayActAs } from '../../../platform/http/authorisation.js';
import { bind } from '../../../platform/http/bind.js';
import type { Member, ProjectGrant } from '../../../platform/http/caller.js';
import type { ReviewService } from './service.js';

const reader = (caller: Member, project: ProjectGrant) => ({
  words: caller.kind === 'user' || opens(caller.scopes, 'messages:read'),
  notes: mayActAs('moderator', caller, project, 'plugins'),
  sanctionNotes: mayActAs('moderator', caller, project, 'sanctions'),
});

export const reviewRouter = (reviews: ReviewService) =>
  bind(reviewRoutes, {
    list: ({ project, caller, query }) => reviews.list(project.projectId, reader(caller, project), query),
    get: ({ project, caller, params }) => reviews.get(project.projectId, params.id, reader(caller, project)),
    update: ({ project, caller, params, body }) => reviews.update(project.projectId, params.id, caller, body),
    appeal: ({ project, caller, params, body }) =>
      reviews.appeal(project.projectId, params.id, caller.id, body.statement),
  });
