/** Random lives of gatherings, step by step against the plain model, and what followers of the log are told of them. */
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatheringsModule } from '../../daemon/modules/gatherings/module.js';
import { gatheringRecords } from '../../daemon/modules/gatherings/records.js';
import { peopleRecords } from '../../daemon/modules/people/records.js';
import { webhookRecords } from '../../daemon/modules/webhooks/records.js';
import type { Database } from '../../daemon/platform/database/database.js';
import { EventLog } from '../../daemon/platform/events/log.js';
import { LocalWakeUps } from '../../daemon/platform/events/wake-ups.js';
import { noMail } from '../../daemon/platform/mail/mail.js';
import { MailAllowance } from '../../daemon/platform/mail/mail-allowance.js';
import { createLogger } from '../../daemon/platform/observability/logger.js';
import { unnotedJobs } from '../../daemon/platform/scheduler/jobs.js';
import { DomainError } from '../../src/contract/errors.js';
import { Membership } from '../../src/contract/events.js';
import { CreateGatheringRequest, Gathering } from '../../src/contract/gatherings/gatherings.js';
import { databases, type TestDatabase } from '../support/database.js';
import { scale } from '../support/scale.js';
import { type ExpectedOutcome, hourMs, Model, type Step } from './model.js';

const runs = scale(6, 5_000);
const stepsMax = scale(40, 100);
const patienceMs = scale(120_000, 3_600_000);
const crowd = 5;
const start = Date.UTC(2026, 0, 1);

/** The services on one database; each run has a project of its own. */
async function openReal(database: Database) {
  const time = { now: start };
  const now = () => new Date(time.now);
  const log = new EventLog(database, new LocalWakeUps(), now);
  await log.start();
  const tenantId = uuidv7();
  await database.transaction((tx) => tx.tenant.create({ data: { id: tenantId, name: 'Studio', createdAt: now() } }));
  const platform = {
    database,
    log,
    mail: noMail,
    mailAllowance: new MailAllowance(0),
    logger: createLogger('error'),
    jobs: unnotedJobs(createLogger('error')),
    now,
  };
  const { services } = gatheringsModule(
    platform,
    { gatherings: gatheringRecords(platform), people: peopleRecords(platform), webhooks: webhookRecords(platform) },
    {
      moderation: { inForce: { inForceAgainst: async () => new Map() } },
      sessions: {
        service: { gateway: async () => null, openIn: () => Promise.reject(new Error('no session is asked for')) },
      },
    },
  );
  return { database, time, log, tenantId, ...services, services };
}
type Services = Awaited<ReturnType<typeof openReal>>;

class Real {
  private readonly groups: string[] = [];
  private readonly codes: string[] = [];
  private readonly invitations: string[] = [];
  private readonly invitees: string[] = [];

  private constructor(
    private readonly services: Services,
    private readonly projectId: string,
    private readonly people: readonly string[],
  ) {}

  static async open(services: Services): Promise<Real> {
    const { database, tenantId, time } = services;
    time.now = start;
    const at = new Date(start);
    const projectId = uuidv7();
    const people = Array.from({ length: crowd }, uuidv7);
    await database.transaction(async (tx) => {
      const project = { id: projectId, tenantId, name: projectId, billingProjectId: projectId, createdAt: at };
      await tx.project.create({ data: project });
      const rows = people.map((id, index) => {
        const name = `p${index}`;
        const names = { externalUserId: name, displayName: name, searchKey: name, userData: '{}' };
        return { id, tenantId, projectId, ...names, joinedAt: at, updatedAt: at };
      });
      await tx.participant.createMany({ data: rows });
      // Jobs are everybody's: what an earlier life has left behind would fall due in this one.
      await tx.gathering.deleteMany();
    });
    return new Real(services, projectId, people);
  }

  async do(step: Step): Promise<ExpectedOutcome> {
    this.services.time.now += 1;
    try {
      await this.call(step);
      return 'ok';
    } catch (error) {
      if (error instanceof DomainError) return error.code;
      throw error;
    }
  }

  async seen(at: number) {
    const { gatherings, invitations } = this.services.services;
    const id = this.nth(this.groups, at);
    const {
      status,
      maxMembers,
      memberCount,
      ownerId,
      expiresAt,
      members = [],
    } = await gatherings.get(this.projectId, id, true);
    for (const { participantId, role, ready, status: now } of members) {
      expect(role).toBe(participantId === ownerId ? 'owner' : 'member');
      expect(ready).toBe(now === 'ready');
    }
    return {
      status,
      maxMembers,
      memberCount,
      owner: ownerId === null ? null : this.people.indexOf(ownerId),
      expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
      members: Object.fromEntries(members.map((one) => [this.people.indexOf(one.participantId), one.status])),
      invitations: (await invitations.list(this.projectId, id)).reverse().map((one) => one.status),
    };
  }

  /** Returns the state that somebody knows who has only followed the log. */
  async told(at: number) {
    const id = this.nth(this.groups, at);
    const rows = await this.services.database.read.domainEvent.findMany({
      where: { projectId: this.projectId, resourceId: `gathering:${id}` },
      orderBy: { position: 'asc' },
    });
    let gathering: Gathering | null = null;
    let memberCount = 0;
    const members = new Map<number, string>();
    for (const { type, payload } of rows) {
      const { data, action, changes } = JSON.parse(payload);
      expect(action === 'updated').toBe(changes !== undefined);
      if (type.startsWith('gathering.member.')) {
        const membership = Membership.parse(data);
        memberCount = membership.memberCount;
        const { participantId, status } = membership.member;
        members.set(this.people.indexOf(participantId), status);
      } else if (!type.startsWith('gathering.invitation.')) gathering = Gathering.parse(data);
    }
    return {
      status: gathering?.status,
      maxMembers: gathering?.maxMembers,
      memberCount,
      members: Object.fromEntries([...members].filter(([, status]) => status !== 'left')),
    };
  }

  private async call(step: Step): Promise<void> {
    const { projectId, services: all } = this;
    const { gatherings, members, invitations } = all.services;
    const who = 'who' in step && step.who !== null ? (this.people[step.who] ?? '') : '';
    const id = 'at' in step ? this.nth(this.groups, step.at) : '';
    switch (step.do) {
      case 'create': {
        const startsAt = step.inHours === null ? null : all.time.now + step.inHours * hourMs;
        const endsAt = step.forHours === null ? null : (startsAt ?? all.time.now) + step.forHours * hourMs;
        const request = CreateGatheringRequest.parse({
          name: 'g',
          type: step.type,
          maxMembers: step.seats,
          accessPolicy: step.inviteOnly ? 'invite-only' : 'public',
          ...(step.owner === null ? {} : { ownerId: this.people[step.owner] }),
          ...(startsAt === null ? {} : { startsAt: new Date(startsAt).toISOString() }),
          ...(endsAt === null ? {} : { endsAt: new Date(endsAt).toISOString() }),
        });
        const grant = { projectId, tenantId: all.tenantId, role: 'admin' } as const;
        const made = await gatherings.create(grant, 'tester', request);
        this.groups.push(made.id);
        this.codes.push(made.joinCode);
        return;
      }
      case 'join':
        await members.join(projectId, { joinCode: this.nth(this.codes, step.at), participantId: who });
        return;
      case 'add':
        await members.add(projectId, id, { participantId: who, role: step.role });
        return;
      case 'leave':
        return members.remove(projectId, id, who);
      case 'ready':
        await members.update(projectId, id, who, { ready: step.ready });
        return;
      case 'role':
        await members.update(projectId, id, who, { role: step.role });
        return;
      case 'invite': {
        const participantIds = step.whom.map((index) => this.people[index] ?? '');
        const expiresAt = new Date(all.time.now + step.forHours * hourMs).toISOString();
        for (const sent of await invitations.send(projectId, id, { participantIds, expiresAt }))
          if (!this.invitations.includes(sent.id)) {
            this.invitations.push(sent.id);
            this.invitees.push(sent.participantId);
          }
        return;
      }
      case 'accept': {
        const participantId = step.who === null ? this.nth(this.invitees, step.nth) : who;
        await invitations.accept(projectId, this.nth(this.invitations, step.nth), { participantId });
        return;
      }
      case 'decline':
        return invitations.decline(projectId, this.nth(this.invitations, step.nth));
      case 'resize':
        await gatherings.update({ projectId, tenantId: 't', role: 'admin' }, id, { maxMembers: step.seats });
        return;
      case 'give':
        await gatherings.update({ projectId, tenantId: 't', role: 'admin' }, id, { ownerId: who });
        return;
      case 'wait':
        all.time.now += step.hours * hourMs;
        if (step.jobs)
          for (const job of ['moveDue', 'readyDue', 'runOutDue'] as const)
            expect((await all.moves[job]({ take: 1_000, skip: 0 })).failures).toEqual([]);
        return;
      default:
        await all.moves[step.do](projectId, id);
    }
  }

  private nth<T>(all: readonly T[], index: number): T {
    const one = all[index % all.length];
    if (one === undefined) throw new Error('There is none yet.');
    return one;
  }
}

class Lived implements fc.AsyncCommand<Model, Real> {
  constructor(private readonly step: Step) {}

  check = (model: Readonly<Model>): boolean => model.can(this.step);

  async run(model: Model, real: Real): Promise<void> {
    expect(await real.do(this.step)).toBe(model.do(this.step));
    const all = this.step.do === 'wait' ? model.groups.keys() : [this.touched(model)];
    for (const at of all) expect(await real.seen(at)).toEqual(model.seen(model.group(at)));
  }

  toString = (): string => JSON.stringify(this.step);

  private touched(model: Model): number {
    if ('at' in this.step) return this.step.at;
    if ('nth' in this.step) return model.groups.indexOf(model.invitation(this.step.nth).group);
    return model.groups.length - 1;
  }
}

const who = fc.nat({ max: crowd - 1 });
const at = fc.nat({ max: 2 });
const nth = fc.nat({ max: 9 });
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null });
const hours = fc.integer({ min: 1, max: 30 });
const role = fc.constantFrom('owner' as const, 'member' as const);
const create = fc.record({
  do: fc.constant('create' as const),
  type: fc.constantFrom('lobby' as const, 'appointment' as const),
  seats: fc.integer({ min: 2, max: 4 }),
  inviteOnly: fc.boolean(),
  owner: maybe(who),
  inHours: maybe(hours),
  forHours: maybe(hours),
});
/** Hours pass, and now and then the clock jumps by a day, either way. */
const passing = fc.oneof(
  { weight: 3, arbitrary: fc.nat({ max: 8 }) },
  { weight: 1, arbitrary: fc.constantFrom(24, -24) },
);
const steps: fc.Arbitrary<Step>[] = [
  create,
  fc.record({ do: fc.constant('join' as const), at, who }),
  fc.record({ do: fc.constant('join' as const), at, who }),
  fc.record({ do: fc.constant('add' as const), at, who, role }),
  fc.record({ do: fc.constant('leave' as const), at, who }),
  fc.record({ do: fc.constant('ready' as const), at, who, ready: fc.boolean() }),
  fc.record({ do: fc.constant('role' as const), at, who, role }),
  fc.record({
    do: fc.constant('invite' as const),
    at,
    whom: fc.array(who, { minLength: 1, maxLength: 3 }),
    forHours: hours,
  }),
  fc.record({
    do: fc.constant('accept' as const),
    nth,
    who: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: who }),
  }),
  fc.record({ do: fc.constant('decline' as const), nth }),
  fc.record({ do: fc.constant('resize' as const), at, seats: fc.integer({ min: 2, max: 4 }) }),
  fc.record({ do: fc.constant('give' as const), at, who }),
  fc.record({ do: fc.constantFrom('start' as const, 'end' as const, 'cancel' as const), at }),
  fc.record({ do: fc.constant('wait' as const), hours: passing, jobs: fc.boolean() }),
];
const lived = steps.map((step) => step.map((one) => new Lived(one)));
/** Most lives are short, some are long. */
const lives = fc.oneof(
  { weight: 4, arbitrary: fc.commands(lived, { maxCommands: Math.min(30, stepsMax), size: 'max' }) },
  { weight: 1, arbitrary: fc.commands(lived, { maxCommands: stepsMax, size: 'max' }) },
);

describe.each(databases)('gatherings on $name', ({ open, here }) => {
  let opened: TestDatabase;
  let services: Services;
  beforeAll(async () => {
    if (!here) return;
    opened = await open();
    services = await openReal(opened.database);
  });
  afterAll(async () => {
    if (here) await opened.close();
  });

  it.skipIf(!here)('live as the model does, and the log tells it', { timeout: patienceMs }, () =>
    fc.assert(
      fc.asyncProperty(lives, async (commands) => {
        const model = new Model(start);
        const real = await Real.open(services);
        await fc.asyncModelRun(() => ({ model, real }), commands);
        for (const [group, { status, seats }] of model.groups.entries()) {
          const { memberCount, members } = model.seen(model.group(group));
          const seated = Object.fromEntries(Object.entries(members).filter(([, one]) => one !== 'invited'));
          expect(await real.told(group)).toEqual({ status, maxMembers: seats, memberCount, members: seated });
        }
      }),
      { numRuns: runs, ...(runs < 100 ? { seed: 20_260_101 } : {}) },
    ),
  );
});
