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

/** Arrays in answers that are no lists, with what bounds each. */
const bounded: Readonly<Record<string, string>> = {
  getSettings: 'one project, its settings by the requests that set them',
  getParticipant: '256 KiB of data of their own',
  getSanction: '256 KiB of data of its own, and of its person',
  getMyStanding: '50 statements of one person, 30 KiB each',
  getReportSettings: '50 categories',
  getModerationStats: 'lists of 20 to 1,100 rows of figures',
  getTransparencyFigures: 'rows by the categories of the template and the Member States',
  getEventSchema: 'the contract',
  getOwnApiKey: 'scopes there are',
  getFunctionSettings: 'variables by the size of the request that sets them',
  getRoom: '100 people of a room, the bot and observers',
  getGathering: 'members by the limit of the gathering',
  lookupGathering: 'members by the limit of the gathering',
  previewPersonMove: 'fields of one person',
  getPlugin: 'its manifest',
  getPluginInstance: 'its manifest',
  listSessionActions: '2 MiB',
  getRule: '1,000 exempt people',
  getRuleDecision: 'conditions and actions of one rule',
  replayRuleDecision: 'conditions and actions of one rule',
  getWebhookSubscription: 'the request that made it',
  getWebhookEvent: 'attempts of one delivery',
  getLiveFigures: 'the busiest few',
  getProjectDay: '24 hours',
  countWebhookAttempts: 'a row for each of 100 webhooks',
  getProjectFigures: 'a count for each of twelve parts of an hour',
  getInstallation: '50 daemons, 50 backups, 20 parts of the data folder, and the settings there are',
  traceEvent: 'webhooks and plugins of one project',
  getChallenge: 'the request that made it',
  getBattlePassLevel: '10 challenges of a level',
  listLevelChallenges: '10 challenges of a level',
  getLevelChallenge: 'the request that made it',
  getLeaderboardSettings: 'the request that made it',
  getLeaderboardMember: 'the few around a member',
  listLeaderboardExclusions: '1,000 ids of users',
  getLeaderboardRebuild: '100 changes and 1,000 ids of users',
  getLeaderboard: 'the page that is asked for',
  getLeaderboardRanking: 'the few around a member',
  getSeason: '4 MiB of a season file',
};

describe('an answer that contains arrays', () => {
  const contains = (schema: unknown): boolean =>
    typeof schema === 'object' &&
    schema !== null &&
    (Reflect.get(schema, 'type') === 'array' || Object.values(schema).some(contains));
  const parts = allRoutes.filter(({ method, success, path }) => {
    if (method !== 'get' || success.body === undefined || success.body.type === 'array') return false;
    const fields = (paths[path]?.[method]?.parameters ?? []).flatMap((one) => (one.in === 'query' ? one.name : []));
    const schema = z.toJSONSchema(success.body, { io: 'output', unrepresentable: 'any' });
    return !fields.includes('offset') && !fields.includes('after') && contains(schema);
  });

  it.each(parts.map(({ operationId, success }) => [operationId, success.body] as const))(
    '%s is bounded, or ends at 2 MiB and says what is cut',
    (operationId, body) => {
      const isCut = body instanceof z.ZodObject && 'cut' in body.shape;
      expect(isCut !== operationId in bounded).toBe(true);
    },
  );
});
