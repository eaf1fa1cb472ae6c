/**
 * A module contains everything of one domain. It states here what it offers, and the composition root combines these
 * lists: it can serve the routes of a module, start its parts and erase a person's data without knowing the module.
 */
import { type DomainEvent, matchesSome } from '../../src/contract/events.js';
import type { AdminHandler } from './admin-operation.js';
import type { Role } from './config/schema.js';
import type { Reader, Transaction } from './database/database.js';
import type { LogFollower } from './events/follower.js';
import type { Foundation } from './foundation.js';
import type { AppOptions } from './http/app.js';
import type { CredentialVerifiers } from './http/authentication.js';
import type { BoundRoute } from './http/bind.js';
import { type Part, type Parts, part } from './lifecycle/lifecycle.js';
import type { MovingPerson } from './moving-person.js';
import type { Probe } from './observability/health.js';
import type { Logger } from './observability/logger.js';
import type { ScrapedMetric } from './observability/metrics.js';
import type { HeldId, PersonRecords } from './person-records.js';
import type { JobRunner } from './scheduler/jobs.js';
import { keepPersonalData, type PersonalData } from './scheduler/keep-personal-data.js';

export interface Module {
  readonly name: string;
  /** Operations of the contract. */
  readonly routes?: readonly BoundRoute[];
  /** HTTP outside the contract, such as WHIP. */
  readonly routers?: readonly OfRole<{ readonly router: AppOptions['routers'][number] }>[];
  /** Kinds of credential that it can check. */
  readonly verifiers?: Partial<CredentialVerifiers>;
  readonly parts?: readonly ModulePart[];
  readonly follows?: readonly EventSubscription[];
  /** Data that it keeps for a limited time. */
  readonly keeps?: readonly PersonalData[];
  /** Steps when a person is erased. */
  readonly person?: PersonErasure;
  /** Steps when a person gets another external user id. */
  readonly personMove?: PersonMoveSteps;
  /** Records that an export of a person contains. */
  readonly personRecords?: readonly PersonRecords[];
  /** Steps when a project is deleted. */
  readonly project?: ProjectRemovalSteps;
  readonly probes?: readonly OfRole<{ readonly probe: Probe }>[];
  readonly metrics?: readonly ScrapedMetric[];
  /** Operations that the operator may ask for by commands of `earshotd`, whether a daemon is running or not. */
  readonly operations?: readonly AdminHandler[];
}

/** Without a role: in every daemon. */
type OfRole<T> = T & { readonly role?: Role };

/**
 * Background parts start first, in the order of the modules. Serving parts stop at the same time, because each may wait
 * for somebody outside. Connections start last and stop first: the HTTP server waits for them when it closes.
 */
type PartStage = 'background' | 'serving' | 'connections';
export type ModulePart = OfRole<Part & { readonly stage?: PartStage }>;

/** Events of the log that a module acts on. An error is logged and delays nobody else. */
export type EventSubscription = OfRole<{
  readonly name: string;
  /** Exact, or the beginning with a trailing `*`. */
  readonly types: readonly string[];
  /** true: right after the commit where this process has stored them, at the same time as others and in no order. */
  readonly early?: boolean;
  on(events: readonly DomainEvent[]): Promise<void>;
}>;

interface ErasedPerson {
  /** Participant id. */
  readonly id: string;
  readonly externalUserId: string;
  readonly displayName: string;
  readonly heldIds: readonly HeldId[];
  /** The end of the log when the steps ahead began: up to there they have removed the person from it. */
  readonly aheadTo: bigint;
}

/** The steps of an erasure, in this order; all modules complete a step before any begins the next, and the data map is the last. */
export interface PersonErasure {
  /** Before the transaction: the person is disconnected, so that nothing new is written while they are erased. */
  disconnect?(projectId: string, externalUserId: string): Promise<void>;
  /**
   * After that, and before the transaction: erases what may be many rows, a few at a time, so that others can write in
   * between. The rest follows in the transaction.
   */
  inBatches?(projectId: string, person: ErasedPerson): Promise<void>;
  /** In the transaction, before the log is locked: for modules that announce what they erase, or lock rows. */
  beforeLog?(tx: Transaction, projectId: string, person: ErasedPerson): Promise<void>;
  /** In the transaction, after the last event about the person. */
  afterLog?(tx: Transaction, projectId: string, person: ErasedPerson): Promise<void>;
  /** After the commit. */
  afterCommit?(projectId: string, externalUserId: string): Promise<void>;
}

/** A person, by external user id. */
export interface KnownPerson {
  readonly projectId: string;
  readonly externalUserId: string;
}

/** A resource in which both people have something that cannot be joined. */
export interface MoveObstacle {
  readonly resourceId: string;
  readonly message: string;
}

/** The steps of a move; all modules complete a step before any begins the next, and the data map is the last. */
export interface PersonMoveSteps {
  /** True if the person is here now, although nothing may be stored of them yet. */
  isPresent?(projectId: string, externalUserId: string): Promise<boolean>;
  /**
   * In the transaction, which is rolled back when there is an obstacle. Locks what `merge` reads and changes, in the order
   * in which others lock it: both people are locked already, and the log comes last.
   */
  obstacles?(tx: Transaction, person: MovingPerson): Promise<readonly MoveObstacle[]>;
  /**
   * How many things are stored under an external user id, by kind; in the transaction, or for whoever looks. The answer of
   * a move contains the kinds of `MovedCounts`.
   */
  count?(reader: Reader | Transaction, person: KnownPerson): Promise<Readonly<Record<string, number>>>;
  /**
   * In the transaction, before the rows get the new id: joins what both people have, and renames what is no column of its own.
   * Events that it appends name the person by the new id.
   */
  merge?(tx: Transaction, person: MovingPerson): Promise<void>;
  /** After the commit. */
  afterCommit?(person: MovingPerson): Promise<void>;
}

export interface ProjectRemovalSteps {
  /** Ends what is still going on in the project. */
  close?(projectId: string): Promise<void>;
  /** Removes some of what the data map does not; returns how many rows. A holder is asked when those before it have nothing left. */
  removeSome?(projectId: string): Promise<number>;
}

/** Anything that starts and stops, as a part of a module. */
export const modulePart = (
  name: string,
  one: Required<Omit<Part, 'name'>>,
  { role, stage = 'background' }: { role?: Role; stage?: PartStage } = {},
): ModulePart => ({ ...part(name, one), stage, ...(role === undefined ? {} : { role }) });

/** The entries of a list for a daemon with these roles. */
export const inRoles = <T>(list: readonly OfRole<T>[], roles: ReadonlySet<Role>): OfRole<T>[] =>
  list.filter(({ role }) => role === undefined || roles.has(role));

/** Every kind of credential, each checked by exactly one module. Throws where a kind has none. */
export function verifiersOf(modules: readonly Module[]): CredentialVerifiers {
  const {
    userToken,
    apiKey,
    playerToken,
    roomToken,
    peerToken,
    signature,
    streamTicket,
  }: Partial<CredentialVerifiers> = Object.assign({}, ...modules.map(({ verifiers }) => verifiers));
  if (!userToken || !apiKey || !playerToken || !roomToken || !peerToken || !signature || !streamTicket)
    throw new Error('A kind of credential is judged by no module.');
  return { userToken, apiKey, playerToken, roomToken, peerToken, signature, streamTicket };
}

/** Everything that modules start in these roles: their parts, what they follow, and the deletion of expired data. */
export function partsOf(
  modules: readonly Module[],
  roles: ReadonlySet<Role>,
  {
    follower,
    database,
    jobs,
    logger,
  }: Pick<Foundation, 'follower' | 'database'> & { readonly jobs: JobRunner; readonly logger: Logger },
): ModulePart[] {
  const own = inRoles(
    modules.flatMap(({ parts }) => parts ?? []),
    roles,
  );
  const followers = inRoles(
    modules.flatMap(({ follows }) => follows ?? []),
    roles,
  );
  const kept = keepPersonalData(
    modules.flatMap(({ keeps }) => keeps ?? []),
    database,
    jobs,
    logger,
  );
  return [
    ...own,
    ...inRoles([modulePart('keep-personal-data', kept, { role: 'jobs' })], roles),
    ...followers.map((one) => (one.early ? earlyPart : subscriptionPart)(one, follower, logger)),
  ];
}

/** In the order of their stages. */
export function inStages(parts: readonly ModulePart[]): Parts {
  const at = (stage: PartStage) => parts.filter((one) => (one.stage ?? 'background') === stage);
  return [...at('background'), at('serving'), ...at('connections')];
}

const typeOf =
  (types: readonly string[]) =>
  (type: string): boolean =>
    matchesSome(type, types);
const followedBy = (types: readonly string[]) => {
  const isFollowed = typeOf(types);
  return ({ type }: DomainEvent): boolean => isFollowed(type);
};

/** Passes the events that a module follows to it as soon as this process knows of them. */
function earlyPart(
  { name, types, on }: EventSubscription,
  follower: Pick<LogFollower, 'onEventsEarly'>,
  log: Logger,
): Part {
  let unsubscribe = (): void => {};
  return {
    name,
    start: () => {
      unsubscribe = follower.onEventsEarly((events) => {
        const followed = events.filter(followedBy(types));
        if (followed.length === 0) return;
        on(followed).catch((error: unknown) =>
          log.error({ err: error, follower: name }, 'events could not be acted on'),
        );
      }, typeOf(types));
    },
    stop: () => unsubscribe(),
  };
}

/** Events that may wait for a module before the log waits for it. */
const waitingMax = 10_000;

/** Passes the events that a module follows to it, in order, without delaying other readers of the log. */
function subscriptionPart(
  { name, types, on }: EventSubscription,
  follower: Pick<LogFollower, 'onEvents'>,
  log: Logger,
): Part {
  let unsubscribe = (): void => {};
  let work = Promise.resolve();
  let waiting = 0;
  return {
    name,
    start: () => {
      unsubscribe = follower.onEvents(async (events) => {
        const followed = events.map(({ event }) => event).filter(followedBy(types));
        if (followed.length === 0) return;
        waiting += followed.length;
        work = work
          .then(() => on(followed))
          .catch((error: unknown) => log.error({ err: error, follower: name }, 'events could not be acted on'))
          .finally(() => {
            waiting -= followed.length;
          });
        if (waiting > waitingMax) await work;
      }, typeOf(types));
    },
    stop: () => {
      unsubscribe();
      return work;
    },
  };
}
