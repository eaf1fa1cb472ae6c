/**
 * Things created only to cause events. All have a name by which they are found and deleted again, so that a recipe can
 * be repeated with the same seed.
 */
import type { EarshotClient } from '../../client/earshot-client.js';
import {
  type BattlePass,
  battlePassRoutes,
  type CreateBattlePassRequest,
} from '../../contract/gameplay/battle-passes.js';
import { challengeRoutes } from '../../contract/gameplay/challenges.js';
import { leaderboardRoutes } from '../../contract/gameplay/leaderboards.js';
import { type CreateGatheringRequest, type Gathering, gatheringRoutes } from '../../contract/gatherings/gatherings.js';
import { type Participant, participantRoutes } from '../../contract/people/participants.js';
import { ruleRoutes } from '../../contract/rules/rules.js';
import { type Session, sessionRoutes } from '../../contract/sessions/sessions.js';
import { type WebhookSubscription, webhookRoutes } from '../../contract/webhooks/webhooks.js';

const pageSize = 200;

export class Scratch {
  constructor(
    readonly client: EarshotClient,
    readonly projectId: string,
    readonly seed: number,
  ) {}

  /** Prefix of every name. */
  get name(): string {
    return `trigger-${this.seed}`;
  }

  get inProject(): { params: { projectId: string } } {
    return { params: { projectId: this.projectId } };
  }

  at(id: string): { params: { projectId: string; id: string } } {
    return { params: { projectId: this.projectId, id } };
  }

  person(which = 'a'): Promise<Participant> {
    const body = { externalUserId: `${this.name}-${which}`, displayName: `Somebody ${which} of ${this.name}` };
    return this.client.call(participantRoutes.create, { ...this.inProject, body });
  }

  session(autoStart = false): Promise<Session> {
    const body = { title: this.name, externalRoomId: this.name, autoStart };
    return this.client.call(sessionRoutes.create, { ...this.inProject, body });
  }

  gathering(fields: Partial<CreateGatheringRequest> = {}): Promise<Gathering> {
    return this.client.call(gatheringRoutes.create, { ...this.inProject, body: { ...fields, name: this.name } });
  }

  battlePass(fields: Partial<CreateBattlePassRequest> = {}): Promise<BattlePass> {
    const body = { ...fields, name: { en: this.name } };
    return this.client.call(battlePassRoutes.create, { ...this.inProject, body });
  }

  webhook(url: string): Promise<WebhookSubscription> {
    const body = { url, secret: `secret of ${this.name}`, events: ['webhook.test'], description: this.name };
    return this.client.call(webhookRoutes.create, { ...this.inProject, body });
  }

  /** Deletes what an earlier use of the seed has left. Returns how many things. */
  async sweep(): Promise<number> {
    const { client, inProject, name } = this;
    const query = { limit: pageSize };
    const isOurs = (text: string | null | undefined) => text === name || text?.startsWith(`${name}-`) === true;
    const sessions = (await client.call(sessionRoutes.list, { ...inProject, query })).filter((one) =>
      isOurs(one.title),
    );
    for (const { id } of sessions) await client.call(sessionRoutes.remove, this.at(id));
    const { gatherings } = await client.call(gatheringRoutes.list, { ...inProject, query });
    const open = gatherings.filter((one) => isOurs(one.name) && ['CREATED', 'STARTED'].includes(one.status));
    for (const { id } of open) await client.call(gatheringRoutes.cancel, this.at(id));
    const hooks = (await client.call(webhookRoutes.list, inProject)).filter((one) => isOurs(one.description));
    for (const { id } of hooks) await client.call(webhookRoutes.remove, this.at(id));
    const { challenges } = await client.call(challengeRoutes.list, { ...inProject, query });
    const ours = challenges.filter((one) => isOurs(one.name.en));
    for (const { id } of ours) await client.call(challengeRoutes.delete, this.at(id));
    const { battlePasses } = await client.call(battlePassRoutes.list, { ...inProject, query });
    const passes = battlePasses.filter((one) => isOurs(one.name.en));
    for (const { id } of passes) await client.call(battlePassRoutes.delete, this.at(id));
    const { leaderboards } = await client.call(leaderboardRoutes.list, { ...inProject, query });
    const boards = leaderboards.filter((one) => isOurs(one.name.en));
    for (const { id } of boards) await client.call(leaderboardRoutes.delete, this.at(id));
    const rules = (await client.call(ruleRoutes.list, inProject)).filter((one) => isOurs(one.name));
    for (const { id } of rules) await client.call(ruleRoutes.remove, this.at(id));
    const found = await client.call(participantRoutes.list, { ...inProject, query: { ...query, search: name } });
    const people = found.participants.filter((one) => isOurs(one.externalUserId));
    for (const { id } of people) await client.call(participantRoutes.remove, this.at(id));
    const swept = [sessions, open, hooks, ours, passes, boards, rules, people];
    return swept.reduce((sum, { length }) => sum + length, 0);
  }
}
