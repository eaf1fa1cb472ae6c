/** Sanctions in the log of the daemon: what was imposed and taken back, by whom; never against whom or why. */
import type { DomainEvent } from '../../../../src/contract/events.js';
import { textField } from '../../../platform/events/text-field.js';
import type { Logger } from '../../../platform/observability/logger.js';

const verbs: Readonly<Record<string, string>> = {
  'sanction.created': 'a sanction was imposed',
  'sanction.updated': 'a sanction was changed',
  'sanction.revoked': 'a sanction was revoked',
};
/** More at once are one line. */
const singlyMax = 10;

export function logSanctions(logger: Logger, events: readonly DomainEvent[]): void {
  for (const [type, sentence] of Object.entries(verbs)) {
    const alike = events.filter((event) => event.type === type);
    if (alike.length > singlyMax)
      logger.info({ count: alike.length, type, projectId: alike[0]?.projectId }, `${sentence}, many times`);
    else
      for (const { projectId, payload } of alike)
        logger.info(
          {
            projectId,
            sanctionId: textField(payload.data, 'id'),
            kind: textField(payload.data, 'type'),
            by: textField(payload.data, type === 'sanction.revoked' ? 'revokedByUserId' : 'createdByUserId'),
          },
          sentence,
        );
  }
}
