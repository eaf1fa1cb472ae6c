import { reviewRoutes } from '../../../src/contract/reviews.js';
import { opens } from '../../../src/contract/scopes.js';
import { bind } from '../../http/bind.js';
import type { Member } from '../../http/caller.js';
import type { ReviewService } from './service.js';

const mayRead = (caller: Member): boolean => caller.kind === 'user' || opens(caller.scopes, 'messages:read');

export const reviewRouter = (reviews: ReviewService) =>
  bind(reviewRoutes, {
    list: ({ project, query }) => reviews.list(project.projectId, query),
    get: ({ project, caller, params }) => reviews.get(project.projectId, params.id, mayRead(caller)),
    update: ({ project, caller, params, body }) => reviews.update(project.projectId, params.id, caller.id, body),
    appeal: ({ project, caller, params, body }) =>
      reviews.appeal(project.projectId, params.id, caller.id, body.statement),
  });
