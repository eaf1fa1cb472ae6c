/** Every list goes on where an answer ended, whatever it is a list of: a new one cannot forget it. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from '../../src/contract/openapi.js';
import { allRoutes } from '../../src/contract/routes.js';

/** Lists of which all are few: an object of a fixed size contains them, or a season has at most so many. */
const short = new Set([
  'listSessionActions', // the newest of each plugin, up to 2 MiB
  'listLevelChallenges', // 10 of a level
  'listLeaderboardExclusions', // 1,000 ids of users
]);
const isNamedList = (operationId: string) => /^(list|search)[A-Z]/.test(operationId);

const Parameter = z.object({ in: z.string().optional(), name: z.string().optional() });
const Documented = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ parameters: z.array(Parameter).default([]) }))),
});
const { paths } = Documented.parse(openApiDocument(allRoutes, '1.2.3', 'http://127.0.0.1:8080'));

describe('an operation that answers a list', () => {
  const lists = allRoutes.filter(
    ({ method, success, operationId }) =>
      method === 'get' && (success.body?.type === 'array' || (success.body !== undefined && isNamedList(operationId))),
  );

  it.each(lists.map(({ operationId, path, method }) => [operationId, path, method] as const))(
    '%s says by which query field it goes on',
    (operationId, path, method) => {
      const fields = (paths[path]?.[method]?.parameters ?? []).flatMap((one) => (one.in === 'query' ? one.name : []));
      const goesOn = fields.includes('offset') || fields.includes('after');
      expect(goesOn || short.has(operationId)).toBe(true);
    },
  );
});
