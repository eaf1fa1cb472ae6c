/**
 * What a reporter is told: that the report has arrived (Digital Services Act, Article 16(4)), and the decision (Article
 * 16(5)). The words say nothing about the reported person: neither which measure was taken, nor whether others reported too.
 */
import { textIn } from '../../../../src/contract/language.js';
import { type ReportReceipt, ReportStatus } from '../../../../src/contract/reports/reports.js';
import { timeOrNull } from '../../../platform/database/column-values.js';
import type { ReportRow } from './report-store.js';

interface ReceiptTexts {
  readonly received: string;
  readonly acted: string;
  readonly notActed: string;
  /** The warning that goes before a suspension: Digital Services Act, Article 23(2). */
  readonly unfounded: string;
}
interface AllTexts extends ReceiptTexts {
  /** Simple sentences for reporters under age (Digital Services Act, Article 14(3), asks for words that minors understand). */
  readonly forMinors: ReceiptTexts;
}

const english: AllTexts = {
  received: 'Thank you. Your report has arrived, and a moderator will look at it.',
  acted: 'Your report was decided: it led to a measure under our rules.',
  notActed:
    'Your report was decided: it led to no measure. If you disagree, you can write to the operator or go to court.',
  unfounded:
    'Your report was decided: it was manifestly unfounded. Further reports of this kind suspend you from reporting. If you disagree, you can write to the operator or go to court.',
  forMinors: {
    received: 'Thank you for telling us. A moderator will look at it soon.',
    acted: 'We looked at what you reported. It was against our rules, and we did something about it.',
    notActed:
      'We looked at what you reported. We did not do anything this time. Do you think that is wrong? Write to us, or ask an adult to help you.',
    unfounded:
      'We looked at what you reported. There was clearly nothing wrong. Please report only what really happened, or you cannot report for a while. Do you think that is wrong? Write to us, or ask an adult to help you.',
  },
};

const texts: Readonly<Record<string, AllTexts>> = {
  en: english,
  de: {
    received: 'Danke. Deine Meldung ist eingegangen und wird von der Moderation geprüft.',
    acted: 'Über deine Meldung wurde entschieden: Sie hat zu einer Maßnahme nach unseren Regeln geführt.',
    notActed:
      'Über deine Meldung wurde entschieden: Sie hat zu keiner Maßnahme geführt. Wenn du das anders siehst, kannst du dem Betreiber schreiben oder vor Gericht gehen.',
    unfounded:
      'Über deine Meldung wurde entschieden: Sie war offensichtlich unbegründet. Weitere solche Meldungen führen dazu, dass du nicht mehr melden kannst. Wenn du das anders siehst, kannst du dem Betreiber schreiben oder vor Gericht gehen.',
    forMinors: {
      received: 'Danke, dass du uns das gesagt hast. Die Moderation sieht es sich bald an.',
      acted: 'Wir haben uns deine Meldung angesehen. Das war gegen unsere Regeln, und wir haben etwas getan.',
      notActed:
        'Wir haben uns deine Meldung angesehen. Diesmal haben wir nichts getan. Findest du das falsch? Schreib uns, oder bitte einen Erwachsenen um Hilfe.',
      unfounded:
        'Wir haben uns deine Meldung angesehen. Da war klar nichts Schlimmes. Melde bitte nur, was wirklich passiert ist, sonst kannst du eine Zeit lang nichts mehr melden. Findest du das falsch? Schreib uns, oder bitte einen Erwachsenen um Hilfe.',
    },
  },
  fr: {
    received: 'Merci. Votre signalement est arrivé et sera examiné par la modération.',
    acted: 'Votre signalement a été traité : il a conduit à une mesure selon nos règles.',
    notActed:
      'Votre signalement a été traité : il n’a conduit à aucune mesure. En cas de désaccord, vous pouvez écrire à l’exploitant ou saisir un tribunal.',
    unfounded:
      'Votre signalement a été traité : il était manifestement infondé. D’autres signalements de ce genre suspendront votre droit de signaler. En cas de désaccord, vous pouvez écrire à l’exploitant ou saisir un tribunal.',
    forMinors: {
      received: 'Merci de nous l’avoir dit. Un modérateur va bientôt regarder.',
      acted: 'Nous avons regardé ton signalement. C’était contre nos règles, et nous avons agi.',
      notActed:
        'Nous avons regardé ton signalement. Cette fois, nous n’avons rien fait. Tu n’es pas d’accord ? Écris-nous, ou demande de l’aide à un adulte.',
      unfounded:
        'Nous avons regardé ton signalement. Il n’y avait clairement rien de mal. Signale seulement ce qui s’est vraiment passé, sinon tu ne pourras plus signaler pendant un moment. Tu n’es pas d’accord ? Écris-nous, ou demande de l’aide à un adulte.',
    },
  },
  es: {
    received: 'Gracias. Hemos recibido tu denuncia y la moderación la revisará.',
    acted: 'Tu denuncia se ha resuelto: ha llevado a una medida según nuestras normas.',
    notActed:
      'Tu denuncia se ha resuelto: no ha llevado a ninguna medida. Si no estás de acuerdo, puedes escribir al operador o acudir a un tribunal.',
    unfounded:
      'Tu denuncia se ha resuelto: era manifiestamente infundada. Más denuncias de este tipo suspenderán tu derecho a denunciar. Si no estás de acuerdo, puedes escribir al operador o acudir a un tribunal.',
    forMinors: {
      received: 'Gracias por avisarnos. Un moderador lo va a mirar pronto.',
      acted: 'Hemos mirado lo que nos contaste. Iba contra nuestras normas y hemos hecho algo.',
      notActed:
        'Hemos mirado lo que nos contaste. Esta vez no hemos hecho nada. ¿Crees que está mal? Escríbenos o pide ayuda a una persona adulta.',
      unfounded:
        'Hemos mirado lo que nos contaste. Estaba claro que no había nada malo. Avisa solo de lo que pasó de verdad, o no podrás avisar durante un tiempo. ¿Crees que está mal? Escríbenos o pide ayuda a una persona adulta.',
    },
  },
};

/** In the language of the report, without its region; English where there is no translation. */
const textsFor = (language: string | null): AllTexts => textIn(texts, language?.toLowerCase() ?? '') ?? english;

export function toReceipt(row: ReportRow, reader: { readonly minor: boolean }): ReportReceipt {
  const { id, category, externalUserId, roomId, outcome, createdAt, decidedAt, language } = row;
  const all = textsFor(language);
  const { received, acted, notActed, unfounded } = reader.minor ? all.forMinors : all;
  const status = ReportStatus.parse(row.status);
  const decided = outcome === 'action_taken' ? acted : outcome === 'unfounded' ? unfounded : notActed;
  const message = status === 'open' ? received : decided;
  return {
    ...{ id, category, externalUserId, roomId, status, message },
    createdAt: createdAt.toISOString(),
    decidedAt: timeOrNull(decidedAt),
  };
}
