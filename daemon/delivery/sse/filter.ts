/** Which events a stream carries: by type, by resource, by what its owner may read. */
import { type DomainEvent, matchesPattern } from '../../../src/contract/events.js';

export interface StreamFilter {
  /** Empty: every type. */
  readonly types: readonly string[];
  /** `kind:id` or a bare id; empty: every resource. */
  readonly resources: readonly string[];
}

const parts = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

export const filterOf = (types: string | undefined, resources: string | undefined): StreamFilter => ({
  types: parts(types),
  resources: parts(resources),
});

const bareId = (resourceId: string): string => resourceId.slice(resourceId.indexOf(':') + 1);

export const passes = ({ types, resources }: StreamFilter, { type, resourceId }: DomainEvent): boolean =>
  (types.length === 0 || types.some((pattern) => matchesPattern(type, pattern))) &&
  (resources.length === 0 || resources.includes(resourceId) || resources.includes(bareId(resourceId)));

/** What the owner of a stream may read. */
export interface Reach {
  readonly tenantId: string;
  /** The projects; for a stream of one project just that one. */
  readonly projects: ReadonlySet<string>;
  /** Events that belong to no project go to the tenant's administrators. */
  readonly tenantWide: boolean;
}

export const isWithin = ({ tenantId, projects, tenantWide }: Reach, event: DomainEvent): boolean =>
  event.projectId === undefined ? tenantWide && event.tenantId === tenantId : projects.has(event.projectId);
