/** An event in one line: whom it is about, what happened, and where to look. */
import type { DomainEvent } from '../../../src/contract/events.js';

export interface EventLine {
  readonly id: string;
  readonly at: string;
  readonly type: string;
  /** External user id. */
  readonly who: string | null;
  readonly what: string;
  /** Page of the project. */
  readonly to: string | null;
}

const shownMax = 200;
export const textOf = (value: unknown, name: string): string | null => {
  const field: unknown = Reflect.get(Object(value), name);
  return typeof field === 'string' && field !== '' ? field : null;
};

export function lineOf({ id, type, timestamp, payload, resourceId }: DomainEvent): EventLine {
  const { data } = payload;
  const roomId = textOf(data, 'roomId') ?? textOf(data, 'externalRoomId');
  const [kind = '', key = ''] = resourceId.split(/:(.*)/s);
  const caseId = kind === 'report' ? textOf(data, 'caseId') : null;
  const to =
    kind === 'review' || kind === 'case'
      ? `cases/${key}`
      : kind === 'sanction'
        ? `sanctions/${key}`
        : caseId !== null
          ? `cases/${caseId}`
          : roomId === null
            ? null
            : `rooms/${encodeURIComponent(roomId)}`;
  const what = [
    textOf(data, 'content') ?? textOf(data, 'text'),
    type.startsWith('sanction.') ? textOf(data, 'type') : null,
    textOf(data, 'reason'),
    textOf(data, 'status'),
    roomId,
  ].filter((part) => part !== null);
  return {
    ...{ id, type, at: timestamp, to, who: textOf(data, 'externalUserId') },
    what: (what.length === 0 ? resourceId : what.join(' · ')).slice(0, shownMax),
  };
}
