/**
 * What a reporter is told: that the report has arrived (Digital Services Act, Article 16(4)), and the decision (Article
 * 16(5)). The words say nothing about the reported person: neither which measure was taken, nor whether others reported too.
 */
import { textIn } from '../../../../src/contract/language.js';
import { type ReportReceipt, ReportStatus } from '../../../../src/contract/reports/reports.js';
import { timeOrNull } from '../../../platform/database/column-values.js';
import type { ReportRow } from './report-store.js';

interface Texts {
  readonly received: string;
  readonly acted: string;
  readonly notActed: string;
  /** The warning that goes before a suspension: Digital Services Act, Article 23(2). */
  readonly unfounded: string;
}

const english: Texts = {
  received: 'Thank you. Your report has arrived, and a moderator will look at it.',
  acted: 'Your report was decided: it led to a measure under our rules.',
  notActed:
    'Your report was decided: it led to no measure. If you disagree, you can write to the operator or go to court.',
  unfounded:
    'Your report was decided: it was manifestly unfounded. Further reports of this kind suspend you from reporting. If you disagree, you can write to the operator or go to court.',
};

const texts: Readonly<Record<string, Texts>> = {
  en: english,
  de: {
    received: 'Danke. Ihre Meldung ist eingegangen und wird von der Moderation geprüft.',
    acted: 'Über Ihre Meldung wurde entschieden: Sie hat zu einer Maßnahme nach unseren Regeln geführt.',
    notActed:
      'Über Ihre Meldung wurde entschieden: Sie hat zu keiner Maßnahme geführt. Wenn Sie das anders sehen, können Sie dem Betreiber schreiben oder vor Gericht gehen.',
    unfounded:
      'Über Ihre Meldung wurde entschieden: Sie war offensichtlich unbegründet. Weitere solche Meldungen führen dazu, dass Sie nicht mehr melden können. Wenn Sie das anders sehen, können Sie dem Betreiber schreiben oder vor Gericht gehen.',
  },
  fr: {
    received: 'Merci. Votre signalement est arrivé et sera examiné par la modération.',
    acted: 'Votre signalement a été traité : il a conduit à une mesure selon nos règles.',
    notActed:
      'Votre signalement a été traité : il n’a conduit à aucune mesure. En cas de désaccord, vous pouvez écrire à l’exploitant ou saisir un tribunal.',
    unfounded:
      'Votre signalement a été traité : il était manifestement infondé. D’autres signalements de ce genre suspendront votre droit de signaler. En cas de désaccord, vous pouvez écrire à l’exploitant ou saisir un tribunal.',
  },
  es: {
    received: 'Gracias. Hemos recibido su denuncia y la moderación la revisará.',
    acted: 'Su denuncia se ha resuelto: ha llevado a una medida según nuestras normas.',
    notActed:
      'Su denuncia se ha resuelto: no ha llevado a ninguna medida. Si no está de acuerdo, puede escribir al operador o acudir a un tribunal.',
    unfounded:
      'Su denuncia se ha resuelto: era manifiestamente infundada. Más denuncias de este tipo suspenderán su derecho a denunciar. Si no está de acuerdo, puede escribir al operador o acudir a un tribunal.',
  },
};

/** In the language of the report, without its region; English where there is no translation. */
const textsFor = (language: string | null): Texts => textIn(texts, language?.toLowerCase() ?? '') ?? english;

export function toReceipt(row: ReportRow): ReportReceipt {
  const { id, category, externalUserId, roomId, outcome, createdAt, decidedAt, language } = row;
  const { received, acted, notActed, unfounded } = textsFor(language);
  const status = ReportStatus.parse(row.status);
  const decided = outcome === 'action_taken' ? acted : outcome === 'unfounded' ? unfounded : notActed;
  const message = status === 'open' ? received : decided;
  return {
    ...{ id, category, externalUserId, roomId, status, message },
    createdAt: createdAt.toISOString(),
    decidedAt: timeOrNull(decidedAt),
  };
}
