/**
 * A module is everything that there is of one domain. It states here what it offers, and the composition root folds
 * these lists: nobody has to know a module to serve its routes, start its parts or erase what it holds of a person.
 */
import { type DomainEvent, matchesPattern } from '../../src/contract/events.js';
import type { Role } from './config/schema.js';
import type { Transaction } from './database/database.js';
import type { LogFollower } from './events/follower.js';
import type { Foundation } from './foundation.js';
import type { AppOptions } from './http/app.js';
import type { CredentialVerifiers } from './http/authentication.js';
import type { BoundRoute } from './http/bind.js';
import { type Part, type Parts, part } from './lifecycle/lifecycle.js';
import type { Probe } from './observability/health.js';
import type { Logger } from './observability/logger.js';
import { keepPersonalData, type PersonalData } from './scheduler/keep-personal-data.js';

export interface Module {
  readonly name: string;
  /** Operations of the contract. */
  readonly routes?: readonly BoundRoute[];
  /** HTTP beside the contract, such as WHIP. */
  readonly routers?: readonly OfRole<{ readonly router: AppOptions['routers'][number] }>[];
  /** Kinds of credential that it can judge. */
  readonly verifiers?: Partial<CredentialVerifiers>;
  readonly parts?: readonly ModulePart[];
  readonly follows?: readonly EventSubscription[];
  /** What it keeps for a limited time. */
  readonly keeps?: readonly PersonalData[];
  /** What it does when a person is erased. */
  readonly person?: PersonErasure;
  /** What it does when a project is removed. */
  readonly project?: ProjectRemovalSteps;
  readonly probes?: readonly OfRole<{ readonly probe: Probe }>[];
}

/** Without a role: in every daemon. */
type OfRole<T> = T & { readonly role?: Role };

/**
 * Background parts start first, in the order of the modules. Serving parts stop at the same time, since each of them may
 * wait for somebody outside. Connections start last and stop first: the HTTP server waits for them when it closes.
 */
export type Stage = 'background' | 'serving' | 'connections';
export type ModulePart = OfRole<Part & { readonly stage?: Stage }>;

/** Events of the log that a module acts on. An error is logged and holds up nobody. */
export type EventSubscription = OfRole<{
  readonly name: string;
  /** Exact, or the beginning with a trailing `*`. */
  readonly types: readonly string[];
  on(events: readonly DomainEvent[]): Promise<void>;
}>;

export interface ErasedPerson {
  /** Of the participant. */
  readonly id: string;
  readonly externalUserId: string;
  readonly displayName: string;
}

/** The steps of an erasure, in this order; all modules take a step before any takes the next. */
export interface PersonErasure {
  /** Before the transaction: the person is put out, so that nothing new is written while they are erased. */
  dismiss?(projectId: string, externalUserId: string): Promise<void>;
  /** In the transaction, before the log is locked: for those who announce what they erase, or lock rows. */
  announced?(tx: Transaction, projectId: string, person: ErasedPerson): Promise<void>;
  /** In the transaction, behind the last event about the person. */
  silently?(tx: Transaction, projectId: string, person: ErasedPerson): Promise<void>;
  /** After the commit. */
  erased?(projectId: string, externalUserId: string): Promise<void>;
}

export interface ProjectRemovalSteps {
  /** Ends what still goes on in the project. */
  close?(projectId: string): Promise<void>;
  /** Removes some rows of large tables; returns how many. Small tables go with the project's own row. */
  removeSome?(projectId: string): Promise<number>;
  /** After the project's own row is gone. */
  removed?(projectId: string): Promise<void>;
}

/** Anything with a lifetime, as a part of a module. */
export const modulePart = (
  name: string,
  one: Required<Omit<Part, 'name'>>,
  { role, stage = 'background' }: { role?: Role; stage?: Stage } = {},
): ModulePart => ({ ...part(name, one), stage, ...(role === undefined ? {} : { role }) });

/** What a daemon with these roles has of a list. */
export const inRoles = <T>(list: readonly OfRole<T>[], roles: ReadonlySet<Role>): OfRole<T>[] =>
  list.filter(({ role }) => role === undefined || roles.has(role));

/** Every kind of credential, each judged by one module. Throws where a kind is judged by none. */
export function verifiersOf(modules: readonly Module[]): CredentialVerifiers {
  const { userToken, apiKey, playerToken, signature }: Partial<CredentialVerifiers> = Object.assign(
    {},
    ...modules.map(({ verifiers }) => verifiers),
  );
  if (userToken === undefined || apiKey === undefined || playerToken === undefined || signature === undefined)
    throw new Error('A kind of credential is judged by no module.');
  return { userToken, apiKey, playerToken, signature };
}

/** Everything that modules have to start in these roles: their parts, what they follow, and what they keep for a time. */
export function partsOf(
  modules: readonly Module[],
  roles: ReadonlySet<Role>,
  { follower, database, logger }: Pick<Foundation, 'follower' | 'database'> & { readonly logger: Logger },
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
    logger,
  );
  return [
    ...own,
    ...inRoles([modulePart('keep-personal-data', kept, { role: 'jobs' })], roles),
    ...followers.map((one) => subscriptionPart(one, follower, logger)),
  ];
}

/** In the order of their stages. */
export function inStages(parts: readonly ModulePart[]): Parts {
  const at = (stage: Stage) => parts.filter((one) => (one.stage ?? 'background') === stage);
  return [...at('background'), at('serving'), ...at('connections')];
}

/** Hands a module the events that it follows, in their order, without holding up the log's other readers. */
export function subscriptionPart(
  { name, types, on }: EventSubscription,
  follower: Pick<LogFollower, 'onEvents'>,
  log: Logger,
): Part {
  let unsubscribe = (): void => {};
  let work = Promise.resolve();
  return {
    name,
    start: () => {
      unsubscribe = follower.onEvents((events) => {
        const followed = events.flatMap(({ event }) =>
          types.some((pattern) => matchesPattern(event.type, pattern)) ? [event] : [],
        );
        if (followed.length === 0) return;
        work = work
          .then(() => on(followed))
          .catch((error: unknown) => log.error({ err: error, follower: name }, 'events could not be acted on'));
      });
    },
    stop: () => {
      unsubscribe();
      return work;
    },
  };
}
