import { tokenRoutes } from '../../../../src/contract/rooms/tokens.js';
import { mayActAs } from '../../../platform/http/authorisation.js';
import { bind } from '../../../platform/http/bind.js';
import type { Member, ProjectGrant } from '../../../platform/http/caller.js';
import type { TokenService } from './service.js';

/** Nobody hands out more than they may do themselves. */
const rights = (caller: Member, project: ProjectGrant) => ({
  mayImpose: mayActAs('moderator', caller, project, 'sanctions'),
  accountId: caller.kind === 'user' ? caller.id : null,
});

export const tokenRouter = (tokens: TokenService) =>
  bind(tokenRoutes, {
    generate: ({ project, caller, body }) => tokens.generate(project, body, rights(caller, project)),
    generateForProject: ({ project, caller, body }) => tokens.generate(project, body, rights(caller, project)),
    observe: ({ project, params }) => tokens.observe(project, params.roomId),
  });
