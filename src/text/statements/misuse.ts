/** What people are told whose reports or appeals were manifestly unfounded: Regulation (EU) 2022/2065, Article 23(2). Pure. */
import { textIn } from '../../contract/language.js';
import type { Misused } from '../../contract/reports/misuse.js';
import { timeIn } from './compose.js';

interface MisuseWords {
  readonly warned: string;
  readonly suspended: (until: string) => string;
  readonly lifted: string;
}
type MisuseTexts = Readonly<Record<Misused, MisuseWords>> & { readonly redress: string };

const en: MisuseTexts = {
  reports: {
    warned: 'Several of your reports were clearly unfounded. If you send more of them, you cannot report for a while.',
    suspended: (until) =>
      `You cannot report anybody until ${until}: we had warned you, and more of your reports were clearly unfounded.`,
    lifted: 'You can report again.',
  },
  appeals: {
    warned: 'Several of your appeals were clearly unfounded. If you send more of them, you cannot appeal for a while.',
    suspended: (until) =>
      `You cannot appeal here until ${until}: we had warned you, and more of your appeals were clearly unfounded.`,
    lifted: 'You can appeal again.',
  },
  redress: 'If you disagree, you can write to the operator or go to court.',
};

const texts: Readonly<Record<string, MisuseTexts>> = {
  en,
  de: {
    reports: {
      warned:
        'Mehrere Ihrer Meldungen waren offensichtlich unbegründet. Wenn weitere dazukommen, können Sie eine Zeit lang nichts melden.',
      suspended: (until) =>
        `Sie können bis ${until} nichts melden: Trotz einer Warnung waren weitere Ihrer Meldungen offensichtlich unbegründet.`,
      lifted: 'Sie können wieder melden.',
    },
    appeals: {
      warned:
        'Mehrere Ihrer Beschwerden waren offensichtlich unbegründet. Wenn weitere dazukommen, können Sie sich eine Zeit lang nicht beschweren.',
      suspended: (until) =>
        `Sie können sich hier bis ${until} nicht beschweren: Trotz einer Warnung waren weitere Ihrer Beschwerden offensichtlich unbegründet.`,
      lifted: 'Sie können sich wieder beschweren.',
    },
    redress: 'Wenn Sie das anders sehen, können Sie dem Betreiber schreiben oder vor Gericht gehen.',
  },
  fr: {
    reports: {
      warned:
        'Plusieurs de vos signalements étaient manifestement infondés. Si vous en envoyez d’autres, vous ne pourrez plus signaler pendant un certain temps.',
      suspended: (until) =>
        `Vous ne pouvez rien signaler jusqu’au ${until} : malgré un avertissement, d’autres de vos signalements étaient manifestement infondés.`,
      lifted: 'Vous pouvez de nouveau signaler.',
    },
    appeals: {
      warned:
        'Plusieurs de vos réclamations étaient manifestement infondées. Si vous en envoyez d’autres, vous ne pourrez plus réclamer pendant un certain temps.',
      suspended: (until) =>
        `Vous ne pouvez pas réclamer ici jusqu’au ${until} : malgré un avertissement, d’autres de vos réclamations étaient manifestement infondées.`,
      lifted: 'Vous pouvez de nouveau réclamer.',
    },
    redress: 'En cas de désaccord, vous pouvez écrire à l’exploitant ou saisir un tribunal.',
  },
  es: {
    reports: {
      warned:
        'Varias de sus denuncias eran manifiestamente infundadas. Si envía más, no podrá denunciar durante un tiempo.',
      suspended: (until) =>
        `No puede denunciar hasta el ${until}: a pesar de una advertencia, más denuncias suyas eran manifiestamente infundadas.`,
      lifted: 'Puede denunciar de nuevo.',
    },
    appeals: {
      warned:
        'Varias de sus reclamaciones eran manifiestamente infundadas. Si envía más, no podrá reclamar durante un tiempo.',
      suspended: (until) =>
        `No puede reclamar aquí hasta el ${until}: a pesar de una advertencia, más reclamaciones suyas eran manifiestamente infundadas.`,
      lifted: 'Puede reclamar de nuevo.',
    },
    redress: 'Si no está de acuerdo, puede escribir al operador o acudir a un tribunal.',
  },
};

/**
 * @param language one that `chosenLanguage` returns
 * @param until end of a suspension; null: the person was warned
 */
export function misuseText(language: string, of: Misused, until: string | null): string {
  const all = textIn(texts, language) ?? en;
  return `${until === null ? all[of].warned : all[of].suspended(timeIn(language, until))} ${all.redress}`;
}

/** @param language one that `chosenLanguage` returns */
export const liftedText = (language: string, of: Misused): string => (textIn(texts, language) ?? en)[of].lifted;
