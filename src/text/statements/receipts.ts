/** What reporters are told: Regulation (EU) 2022/2065, Article 16(4) to (6), and about their complaints, Article 20. */
import { textIn } from '../../contract/language.js';

/** What a reporter reads, in one language. */
interface ReceiptWords {
  readonly received: string;
  /** Use of automated means: Digital Services Act, Article 16(6). */
  readonly sorted: string;
  readonly acted: string;
  readonly notActed: string;
  /** The warning that goes before a suspension: Digital Services Act, Article 23(2). */
  readonly unfounded: string;
  readonly complainUntil: (until: string) => string;
  readonly complaintWaiting: string;
  readonly complaintUpheld: (answer: string) => string;
  readonly complaintOverturned: (answer: string) => string;
}
interface ReceiptTexts extends ReceiptWords {
  /** Simple sentences for reporters under age (Digital Services Act, Article 14(3), asks for words that minors understand). */
  readonly forMinors: ReceiptWords;
  /** Labels of the page. */
  readonly page: {
    readonly incomplete: string;
    readonly title: string;
    readonly complaint: string;
    readonly hint: string;
    readonly send: string;
    readonly sent: string;
  };
}

const en: ReceiptTexts = {
  received: 'Thank you. Your report has arrived, and a moderator will look at it.',
  sorted: 'A program puts the reports in order.',
  acted: 'Your report was decided: it led to a measure under our rules.',
  notActed: 'Your report was decided: it led to no measure.',
  unfounded:
    'Your report was decided: it was manifestly unfounded. Further reports of this kind suspend you from reporting.',
  complainUntil: (until) =>
    `If you disagree, you can complain until ${until}, free of charge. Somebody who did not make this decision answers you.`,
  complaintWaiting: 'Your complaint about the decision has arrived and waits for an answer.',
  complaintUpheld: (answer) => `Your complaint was turned down. Answer: ${answer}`,
  complaintOverturned: (answer) => `Your complaint was granted, and your report is looked at again. Answer: ${answer}`,
  forMinors: {
    received: 'Thank you for telling us. A moderator will look at it soon.',
    sorted: 'A computer program decides which one comes first.',
    acted: 'We looked at what you reported. It was against our rules, and we did something about it.',
    notActed: 'We looked at what you reported. We did not do anything this time.',
    unfounded:
      'We looked at what you reported. There was clearly nothing wrong. Please report only what really happened, or you cannot report for a while.',
    complainUntil: (until) =>
      `Do you think that is wrong? Tell us before ${until}. It costs nothing. Another person reads it and answers you. You can ask an adult to help you.`,
    complaintWaiting: 'We have got what you wrote. A person will read it and answer you here.',
    complaintUpheld: (answer) => `A person read what you wrote. It stays as it was. This is the answer: ${answer}`,
    complaintOverturned: (answer) =>
      `A person read what you wrote. We look at your report again. This is the answer: ${answer}`,
  },
  page: {
    incomplete: 'There is no such report, or it was deleted. Open the address exactly as you got it.',
    title: 'Your report',
    complaint: 'Complaint',
    hint: 'Say in your own words why the decision is wrong. You can do this once.',
    send: 'Send the complaint',
    sent: 'Your complaint has arrived. Open this page again to read the answer.',
  },
};

const de: ReceiptTexts = {
  received: 'Danke. Deine Meldung ist eingegangen und wird von der Moderation geprüft.',
  sorted: 'Ein Programm bringt die Meldungen in eine Reihenfolge.',
  acted: 'Über deine Meldung wurde entschieden: Sie hat zu einer Maßnahme nach unseren Regeln geführt.',
  notActed: 'Über deine Meldung wurde entschieden: Sie hat zu keiner Maßnahme geführt.',
  unfounded:
    'Über deine Meldung wurde entschieden: Sie war offensichtlich unbegründet. Weitere solche Meldungen führen dazu, dass du nicht mehr melden kannst.',
  complainUntil: (until) =>
    `Wenn du das anders siehst, kannst du dich bis zum ${until} kostenlos beschweren. Jemand, der nicht entschieden hat, antwortet dir.`,
  complaintWaiting: 'Deine Beschwerde über die Entscheidung ist angekommen und wartet auf eine Antwort.',
  complaintUpheld: (answer) => `Deine Beschwerde wurde abgelehnt. Antwort: ${answer}`,
  complaintOverturned: (answer) =>
    `Deiner Beschwerde wurde stattgegeben, und deine Meldung wird neu geprüft. Antwort: ${answer}`,
  forMinors: {
    received: 'Danke, dass du uns das gesagt hast. Die Moderation sieht es sich bald an.',
    sorted: 'Ein Computerprogramm bestimmt, was zuerst drankommt.',
    acted: 'Wir haben uns deine Meldung angesehen. Das war gegen unsere Regeln, und wir haben etwas getan.',
    notActed: 'Wir haben uns deine Meldung angesehen. Diesmal haben wir nichts getan.',
    unfounded:
      'Wir haben uns deine Meldung angesehen. Da war klar nichts Schlimmes. Melde bitte nur, was wirklich passiert ist, sonst kannst du eine Zeit lang nichts mehr melden.',
    complainUntil: (until) =>
      `Findest du das falsch? Schreibe uns bis zum ${until}. Es kostet nichts. Ein anderer Mensch liest es und antwortet dir. Ein Erwachsener darf dir helfen.`,
    complaintWaiting: 'Wir haben bekommen, was du geschrieben hast. Ein Mensch liest es und antwortet dir hier.',
    complaintUpheld: (answer) =>
      `Ein Mensch hat gelesen, was du geschrieben hast. Es bleibt so. Die Antwort: ${answer}`,
    complaintOverturned: (answer) =>
      `Ein Mensch hat gelesen, was du geschrieben hast. Wir sehen uns deine Meldung noch einmal an. Die Antwort: ${answer}`,
  },
  page: {
    incomplete:
      'Diese Meldung gibt es nicht, oder sie wurde gelöscht. Öffne die Adresse genau so, wie du sie bekommen hast.',
    title: 'Deine Meldung',
    complaint: 'Beschwerde',
    hint: 'Sage mit eigenen Worten, warum die Entscheidung falsch ist. Das geht ein Mal.',
    send: 'Beschwerde absenden',
    sent: 'Deine Beschwerde ist angekommen. Öffne diese Seite wieder, um die Antwort zu lesen.',
  },
};

const fr: ReceiptTexts = {
  received: 'Merci. Votre signalement est arrivé et sera examiné par la modération.',
  sorted: 'Un programme classe les signalements.',
  acted: 'Votre signalement a été traité : il a conduit à une mesure selon nos règles.',
  notActed: 'Votre signalement a été traité : il n’a conduit à aucune mesure.',
  unfounded:
    'Votre signalement a été traité : il était manifestement infondé. D’autres signalements de ce genre suspendront votre droit de signaler.',
  complainUntil: (until) =>
    `En cas de désaccord, vous pouvez introduire une réclamation gratuite jusqu’au ${until}. Une personne qui n’a pas pris cette décision vous répondra.`,
  complaintWaiting: 'Votre réclamation est arrivée et attend une réponse.',
  complaintUpheld: (answer) => `Votre réclamation a été rejetée. Réponse : ${answer}`,
  complaintOverturned: (answer) =>
    `Votre réclamation a été acceptée, et votre signalement est examiné à nouveau. Réponse : ${answer}`,
  forMinors: {
    received: 'Merci de nous l’avoir dit. Un modérateur va bientôt regarder.',
    sorted: 'Un programme décide de l’ordre.',
    acted: 'Nous avons regardé ton signalement. C’était contre nos règles, et nous avons agi.',
    notActed: 'Nous avons regardé ton signalement. Cette fois, nous n’avons rien fait.',
    unfounded:
      'Nous avons regardé ton signalement. Il n’y avait clairement rien de mal. Signale seulement ce qui s’est vraiment passé, sinon tu ne pourras plus signaler pendant un moment.',
    complainUntil: (until) =>
      `Tu n’es pas d’accord ? Écris-nous avant le ${until}. C’est gratuit. Une autre personne le lit et te répond. Un adulte peut t’aider.`,
    complaintWaiting: 'Nous avons reçu ce que tu as écrit. Une personne le lit et te répond ici.',
    complaintUpheld: (answer) =>
      `Une personne a lu ce que tu as écrit. La décision reste. Voici la réponse : ${answer}`,
    complaintOverturned: (answer) =>
      `Une personne a lu ce que tu as écrit. Nous regardons encore ton signalement. Voici la réponse : ${answer}`,
  },
  page: {
    incomplete: 'Ce signalement n’existe pas, ou il a été supprimé. Ouvrez l’adresse telle que vous l’avez reçue.',
    title: 'Votre signalement',
    complaint: 'Réclamation',
    hint: 'Dites avec vos mots pourquoi la décision est fausse. C’est possible une fois.',
    send: 'Envoyer la réclamation',
    sent: 'Votre réclamation est arrivée. Rouvrez cette page pour lire la réponse.',
  },
};

const es: ReceiptTexts = {
  received: 'Gracias. Hemos recibido tu denuncia y la moderación la revisará.',
  sorted: 'Un programa ordena las denuncias.',
  acted: 'Tu denuncia se ha resuelto: ha llevado a una medida según nuestras normas.',
  notActed: 'Tu denuncia se ha resuelto: no ha llevado a ninguna medida.',
  unfounded:
    'Tu denuncia se ha resuelto: era manifiestamente infundada. Más denuncias de este tipo suspenderán tu derecho a denunciar.',
  complainUntil: (until) =>
    `Si no estás de acuerdo, puedes reclamar gratis hasta el ${until}. Te responde alguien que no tomó esta decisión.`,
  complaintWaiting: 'Tu reclamación ha llegado y espera una respuesta.',
  complaintUpheld: (answer) => `Tu reclamación se ha rechazado. Respuesta: ${answer}`,
  complaintOverturned: (answer) =>
    `Tu reclamación se ha aceptado, y tu denuncia se revisa de nuevo. Respuesta: ${answer}`,
  forMinors: {
    received: 'Gracias por avisarnos. Un moderador lo va a mirar pronto.',
    sorted: 'Un programa decide qué va primero.',
    acted: 'Hemos mirado lo que nos contaste. Iba contra nuestras normas y hemos hecho algo.',
    notActed: 'Hemos mirado lo que nos contaste. Esta vez no hemos hecho nada.',
    unfounded:
      'Hemos mirado lo que nos contaste. Estaba claro que no había nada malo. Avisa solo de lo que pasó de verdad, o no podrás avisar durante un tiempo.',
    complainUntil: (until) =>
      `¿Crees que está mal? Escríbenos antes del ${until}. Es gratis. Otra persona lo lee y te responde. Puede ayudarte una persona adulta.`,
    complaintWaiting: 'Hemos recibido lo que escribiste. Una persona lo lee y te responde aquí.',
    complaintUpheld: (answer) =>
      `Una persona ha leído lo que escribiste. Se queda así. Esta es la respuesta: ${answer}`,
    complaintOverturned: (answer) =>
      `Una persona ha leído lo que escribiste. Volvemos a mirar tu denuncia. Esta es la respuesta: ${answer}`,
  },
  page: {
    incomplete: 'Esta denuncia no existe, o se ha borrado. Abre la dirección tal como la recibiste.',
    title: 'Tu denuncia',
    complaint: 'Reclamación',
    hint: 'Di con tus palabras por qué la decisión está mal. Puedes hacerlo una vez.',
    send: 'Enviar la reclamación',
    sent: 'Tu reclamación ha llegado. Vuelve a abrir esta página para leer la respuesta.',
  },
};

const texts: Readonly<Record<string, ReceiptTexts>> = { en, de, fr, es };

/** In this language, without its region; English where there is no translation. */
export const receiptTextsIn = (language: string | null): ReceiptTexts =>
  textIn(texts, language?.toLowerCase() ?? '') ?? en;
