import { tokenRoutes } from '../../../../src/contract/rooms/tokens.js';
import { bind } from '../../../platform/http/bind.js';
import type { TokenService } from './service.js';

export const tokenRouter = (tokens: TokenService) =>
  bind(tokenRoutes, {
    generate: ({ project, body }) => tokens.generate(project, body),
    generateForProject: ({ project, body }) => tokens.generate(project, body),
    observe: ({ project, params }) => tokens.observe(project, params.roomId),
  });
