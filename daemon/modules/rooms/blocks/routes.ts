import {
  blockRoutes,
  type PlayerBlock,
  playerBlockRoutes,
  roomBlockRoutes,
} from '../../../../src/contract/people/blocks.js';
import type { RowPage } from '../../../platform/database/row-page.js';
import { bind } from '../../../platform/http/bind.js';
import type { BlockService } from './service.js';

const own = ({ blockedUserId, createdAt }: PlayerBlock) => ({ blockedUserId, createdAt });

export const blockRouter = (blocks: BlockService) => {
  const ofCaller = {
    create: async ({ project, caller, body }: OwnCall<{ body: { blockedUserId: string } }>) =>
      own(await blocks.create(project, caller.externalUserId, body.blockedUserId)),
    list: async ({ project, caller, query }: OwnCall<{ query: RowPage }>) => {
      const { blocks: found, ...page } = await blocks.list(project, caller.externalUserId, query);
      return { ...page, blocks: found.map(own) };
    },
    remove: ({ project, caller, params }: OwnCall<{ params: { blockedUserId: string } }>) =>
      blocks.remove(project, caller.externalUserId, params.blockedUserId),
  };
  return [
    ...bind(blockRoutes, {
      create: async ({ project, params, body }) =>
        blocks.create(
          project,
          await blocks.named(project.projectId, params.user),
          await blocks.named(project.projectId, body.blockedUserId),
        ),
      list: async ({ project, params, query }) =>
        blocks.list(project, await blocks.named(project.projectId, params.user), query),
      remove: async ({ project, params }) =>
        blocks.remove(
          project,
          await blocks.named(project.projectId, params.user),
          await blocks.named(project.projectId, params.blockedUserId),
        ),
    }),
    ...bind(playerBlockRoutes, ofCaller),
    ...bind(roomBlockRoutes, ofCaller),
  ];
};

type OwnCall<Request> = Request & {
  readonly project: { readonly tenantId: string; readonly projectId: string };
  readonly caller: { readonly externalUserId: string };
};
