/** The flags of commands that follow events. */
import * as Flags from '@oclif/core/flags';
import { looksLikeId } from '../../names/id-shape.js';
import { UsageError } from '../../terminal/usage-error.js';
import { harmless } from '../../text/printable.js';
import { nameFlag } from '../names/kinds.js';

export const streamFlags = {
  types: Flags.string({ description: 'Event types, comma-separated; a trailing * is a wildcard' }),
  resources: Flags.string({ description: 'Resources, comma-separated: kind:id or bare id' }),
  user: nameFlag('person', 'Only events about this person, by display name or id'),
  since: Flags.string({ description: 'earliest, an event id or a time; default: from now on' }),
};

/** Kinds whose ids are all made by the daemon. */
const kindsWithUuids = 'participant|session|message|sanction|review|report|case|gathering|rule|rule-decision|audit';
const uuidKind = new RegExp(`^(?:${kindsWithUuids}):(.*)$`);

/** Refuses what can be the id of nothing: the stream would stay silent. Throws UsageError. */
export function refuseUnknownResources(typed: string | undefined): void {
  for (const part of (typed ?? '').split(',').map((one) => one.trim())) {
    const [, id = part] = uuidKind.exec(part) ?? [];
    const isBare = !part.includes(':');
    if (part === '' || looksLikeId.test(id) || !(isBare || uuidKind.test(part))) continue;
    throw new UsageError(
      `${harmless(part)} is no resource. Write kind:id, such as room:${harmless(id)}, or a whole id; for events about a person, use --user ${harmless(id)}.`,
    );
  }
}
