/** Selects the events of a stream: by type, by resource, by what its owner may read. */

import { withSmallUuid } from '../../../src/contract/common.js';
import { type DomainEvent, matchesSome, type OwnEventType } from '../../../src/contract/events.js';
import type { PartialMessage } from '../../../src/contract/sessions/partial-messages.js';
import type { LogFilter, LogOwner } from '../../platform/events/pages.js';
import { type Selection, selectionOf } from './fields.js';
import type { PersonFilter } from './person-filter.js';

interface StreamFilter {
  /** Exact, or with a trailing `*`; empty: every type. */
  readonly types: readonly string[];
  /** `kind:id` or a bare id; empty: every resource. */
  readonly resources: readonly string[];
  /** null: whoever it concerns. */
  readonly person: PersonFilter | null;
  /** The fields that are sent, comma-separated; empty: the whole event. */
  readonly fields: string;
  /** What people are saying is sent while they say it. */
  readonly partials: boolean;
}

const auditType = 'audit.recorded' satisfies OwnEventType;

const parts = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** A resource as it was named, and with its UUID in small letters: an id of the project's own may have capitals. */
function spellings(resource: string): string[] {
  const idAt = resource.indexOf(':') + 1;
  return [...new Set([resource, resource.slice(0, idAt) + withSmallUuid(resource.slice(idAt))])];
}

export const filterOf = (
  types: string | undefined,
  resources: string | undefined,
  person: PersonFilter | null = null,
  fields = '',
  partials = false,
): StreamFilter => ({
  types: parts(types),
  resources: parts(resources).flatMap(spellings),
  person,
  fields,
  partials,
});

const bareId = (resourceId: string): string => resourceId.slice(resourceId.indexOf(':') + 1);

const hears = ({ types }: StreamFilter, type: string): boolean => types.length === 0 || matchesSome(type, types);

const isAbout = ({ resources }: StreamFilter, resourceId: string): boolean =>
  resources.length === 0 || resources.includes(resourceId) || resources.includes(bareId(resourceId));

/** Rights of the owner of a stream. */
export interface Reach {
  readonly tenantId: string;
  /** The projects; for a stream of one project just that one. */
  readonly projects: ReadonlySet<string>;
  /**
   * The whole tenant except these projects, which are out of reach: so a new project is included from its first event
   * on. Only streams with this get events that belong to no project. null: nothing beyond `projects`.
   */
  readonly tenantBut: ReadonlySet<string> | null;
  /**
   * True if entries of the audit log are shown, which name accounts and network addresses. As a position to continue
   * from, an entry counts for everybody who follows the whole tenant, because their part of the log ends there.
   */
  readonly audit: boolean;
}

/** To whom an event belongs. */
export type OwnedEvent = Pick<DomainEvent, 'tenantId' | 'projectId'>;

export function isWithin({ tenantId, projects, tenantBut }: Reach, event: OwnedEvent): boolean {
  if (event.projectId !== undefined && projects.has(event.projectId)) return true;
  if (tenantBut === null || event.tenantId !== tenantId) return false;
  return event.projectId === undefined || !tenantBut.has(event.projectId);
}

/** The parts of the log that hold what the owner may read. */
export const partsOf = ({ tenantId, projects, tenantBut }: Reach): LogOwner[] => [
  ...(tenantBut === null ? [] : [{ kind: 'tenant' as const, id: tenantId, but: tenantBut }]),
  ...[...projects].map((id) => ({ kind: 'project' as const, id })),
];

const sorted = (set: ReadonlySet<string> | null): readonly string[] | null => (set === null ? null : [...set].sort());

/** Returns a key that is equal for two reaches with the same rights. */
export const reachKey = ({ tenantId, projects, tenantBut, audit }: Reach): string =>
  JSON.stringify([tenantId, sorted(projects), sorted(tenantBut), audit]);

/** Selection of events that one stream shows. Streams with the same key share their bytes. */
export class View {
  readonly key: string;
  /** Equal for two views that send the same of an event. */
  readonly form: string;
  private readonly selection: Selection | null;

  constructor(
    readonly filter: StreamFilter,
    readonly reach: Reach,
    readonly reachKey: string,
  ) {
    const { types, resources, person, fields } = filter;
    this.key = JSON.stringify([types, resources, person?.texts ?? null, fields, reachKey]);
    this.form = fields;
    this.selection = fields === '' ? null : selectionOf(fields);
  }

  /** The event as the stream sends it: its id and its JSON, without an event name, so that `onmessage` receives it. */
  frame(event: DomainEvent): string {
    const data = this.selection === null ? event : this.selection(event);
    return `id: ${event.id}\ndata: ${JSON.stringify(data)}\n\n`;
  }

  shows(event: DomainEvent): boolean {
    const { person } = this.filter;
    const isShown = isWithin(this.reach, event) && this.hears(event.type) && isAbout(this.filter, event.resourceId);
    return isShown && (person === null || person.concerns(event));
  }

  /** True if the stream asks for what people of the project are saying. */
  followsSpeech(owner: OwnedEvent): boolean {
    return this.filter.partials && isWithin(this.reach, owner);
  }

  /** Types do not select it: it is no event. */
  showsPartial(tenantId: string, { projectId, sessionId, externalUserId }: PartialMessage): boolean {
    const { person } = this.filter;
    const isShown = this.followsSpeech({ tenantId, projectId }) && isAbout(this.filter, `session:${sessionId}`);
    return isShown && (person === null || person.isTheirs(externalUserId));
  }

  get parts(): LogOwner[] {
    return partsOf(this.reach);
  }

  get logFilter(): LogFilter {
    const { resources, person } = this.filter;
    return { hears: (type) => this.hears(type), resources, texts: person?.texts };
  }

  private hears(type: string): boolean {
    return hears(this.filter, type) && (this.reach.audit || type !== auditType);
  }
}
