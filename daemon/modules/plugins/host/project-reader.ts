/**
 * Reads the log once for several instances of a project. Each has a stored position of its own; equal ones are moved by
 * one statement.
 */
import { addTo } from '../../../platform/collections/add-to.js';
import type { LogReader } from '../../../platform/events/log-readers.js';

/** An enabled instance; `version` is that of its plugin. */
export interface Listening {
  readonly id: string;
  readonly version: string;
  readonly hears: (type: string) => boolean;
  stored: bigint;
}

export class ProjectReader implements LogReader {
  readonly tenantId: string;
  readonly projectId: string;
  read: bigint;
  follows = false;

  constructor(
    readonly id: string,
    { tenantId, projectId }: { readonly tenantId: string; readonly projectId: string },
    readonly members: readonly Listening[],
  ) {
    this.tenantId = tenantId;
    this.projectId = projectId;
    this.read = this.stored;
  }

  /** The place of the member that is furthest behind. */
  get stored(): bigint {
    return this.members.map(({ stored }) => stored).reduce((least, one) => (one < least ? one : least));
  }

  set stored(place: bigint) {
    for (const member of this.members) member.stored = place;
  }

  hears = (type: string): boolean => this.members.some((member) => member.hears(type));

  /** True if it has exactly these members, at their stored positions. */
  isOf(members: readonly Listening[]): boolean {
    return (
      members.length === this.members.length &&
      members.every(({ id, version, stored }, index) => {
        const here = this.members[index];
        return here?.id === id && here.version === version && here.stored === stored;
      })
    );
  }

  /** Ids of the members that have not read up to there, by position. */
  behind(end: bigint): Map<bigint, string[]> {
    const found = new Map<bigint, string[]>();
    for (const { id, stored } of this.members) if (stored < end) addTo(found, stored, id);
    return found;
  }
}
