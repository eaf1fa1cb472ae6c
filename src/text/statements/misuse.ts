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
        'Mehrere deiner Meldungen waren offensichtlich unbegründet. Wenn weitere dazukommen, kannst du eine Zeit lang nichts melden.',
      suspended: (until) =>
        `Du kannst bis ${until} nichts melden: Trotz einer Warnung waren weitere deiner Meldungen offensichtlich unbegründet.`,
      lifted: 'Du kannst wieder melden.',
    },
    appeals: {
      warned:
        'Mehrere deiner Beschwerden waren offensichtlich unbegründet. Wenn weitere dazukommen, kannst du dich eine Zeit lang nicht beschweren.',
      suspended: (until) =>
        `Du kannst dich hier bis ${until} nicht beschweren: Trotz einer Warnung waren weitere deiner Beschwerden offensichtlich unbegründet.`,
      lifted: 'Du kannst dich wieder beschweren.',
    },
    redress: 'Wenn du das anders siehst, kannst du dem Betreiber schreiben oder vor Gericht gehen.',
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
        'Varias de tus denuncias eran manifiestamente infundadas. Si envías más, no podrás denunciar durante un tiempo.',
      suspended: (until) =>
        `No puedes denunciar hasta el ${until}: a pesar de una advertencia, más denuncias tuyas eran manifiestamente infundadas.`,
      lifted: 'Puedes denunciar de nuevo.',
    },
    appeals: {
      warned:
        'Varias de tus reclamaciones eran manifiestamente infundadas. Si envías más, no podrás reclamar durante un tiempo.',
      suspended: (until) =>
        `No puedes reclamar aquí hasta el ${until}: a pesar de una advertencia, más reclamaciones tuyas eran manifiestamente infundadas.`,
      lifted: 'Puedes reclamar de nuevo.',
    },
    redress: 'Si no estás de acuerdo, puedes escribir al operador o acudir a un tribunal.',
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
