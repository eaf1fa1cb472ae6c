/**
 * What a reporter is told: that the report has arrived (Digital Services Act, Article 16(4)), and the decision (Article
 * 16(5)). The words say nothing about the reported person: neither which measure was taken, nor whether others reported too.
 */
import { type ReportReceipt, ReportStatus } from '../../../../src/contract/reports/reports.js';
import { timeOrNull } from '../../../platform/database/column-values.js';
import type { ReportRow } from './report-store.js';

interface Texts {
  readonly received: string;
  readonly acted: string;
  readonly notActed: string;
}

const english: Texts = {
  received: 'Thank you. Your report has arrived, and a moderator will look at it.',
  acted: 'A moderator has looked at your report and has acted on it under our rules.',
  notActed: 'A moderator has looked at your report and has found nothing that breaks our rules.',
};

const texts: ReadonlyMap<string, Texts> = new Map([
  ['en', english],
  [
    'de',
    {
      received: 'Danke. Ihre Meldung ist eingegangen und wird von der Moderation geprüft.',
      acted: 'Die Moderation hat Ihre Meldung geprüft und nach unseren Regeln gehandelt.',
      notActed: 'Die Moderation hat Ihre Meldung geprüft und keinen Verstoß gegen unsere Regeln festgestellt.',
    },
  ],
  [
    'fr',
    {
      received: 'Merci. Votre signalement est arrivé et sera examiné par la modération.',
      acted: 'La modération a examiné votre signalement et a agi selon nos règles.',
      notActed: 'La modération a examiné votre signalement et n’a constaté aucune infraction à nos règles.',
    },
  ],
  [
    'es',
    {
      received: 'Gracias. Hemos recibido su denuncia y la moderación la revisará.',
      acted: 'La moderación ha revisado su denuncia y ha actuado según nuestras normas.',
      notActed: 'La moderación ha revisado su denuncia y no ha encontrado nada que infrinja nuestras normas.',
    },
  ],
]);

/** In the language of the report, without its region; English where there is no translation. */
const textsFor = (language: string | null): Texts => texts.get(language?.split('-')[0]?.toLowerCase() ?? '') ?? english;

export function toReceipt(row: ReportRow): ReportReceipt {
  const { id, category, externalUserId, roomId, outcome, createdAt, decidedAt, language } = row;
  const { received, acted, notActed } = textsFor(language);
  const status = ReportStatus.parse(row.status);
  const message = status === 'open' ? received : outcome === 'action_taken' ? acted : notActed;
  return {
    ...{ id, category, externalUserId, roomId, status, message },
    createdAt: createdAt.toISOString(),
    decidedAt: timeOrNull(decidedAt),
  };
}
