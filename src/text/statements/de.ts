import type { StatementWords } from './words.js';

export const de: StatementWords = {
  titles: {
    warn: () => 'Du wurdest verwarnt',
    mute: () => 'Du bist stummgeschaltet: In Sprachräumen hört dich niemand',
    listen_only: () => 'Du kannst in Sprachräumen zuhören, aber nicht sprechen',
    text_only: () => 'Du kannst schreiben, aber in Sprachräumen nicht sprechen',
    rate_limit: (seconds) => `Du kannst in Sprachräumen ${seconds} Sekunden pro Minute sprechen`,
    shadow_mute: () => 'Andere haben dich in Sprachräumen nicht gehört',
    temp_ban: () => 'Du bist für eine gewisse Zeit ausgeschlossen',
    perm_ban: () => 'Du bist dauerhaft ausgeschlossen',
    ranked_restriction: () => 'Du bist von Ranglistenspielen ausgeschlossen und stehst auf keiner Rangliste',
    queue_delay: (seconds) => `Du wartest ${seconds} Sekunden länger auf ein Spiel`,
    party_restriction: (people) => `Deine Gruppen können höchstens ${people} Personen haben`,
  },
  sessionOnly: 'Das gilt nur in einer Sitzung.',
  progressHeld: 'Was du spielst, zählt solange nicht für Herausforderungen und Battle-Pässe.',
  until: (from, to) => `Vom ${from} bis zum ${to}.`,
  endless: (from) => `Ab dem ${from}, ohne Ende.`,
  ended: (at) => `Es endete am ${at}.`,
  revoked: 'Es wurde aufgehoben und gilt nicht mehr.',
  facts: (reason) => `Grund: ${reason}`,
  noFacts: 'Es wurde kein Grund festgehalten.',
  sources: {
    own_initiative: 'Der Betreiber hat das ohne eine Meldung geprüft.',
    report: 'Jemand hat das gemeldet.',
    trusted_flagger: 'Ein vertrauenswürdiger Hinweisgeber, eine amtlich anerkannte Stelle, hat das gemeldet.',
    order: 'Eine Behörde hat das angeordnet.',
  },
  automatedDetection: 'Ein Programm hat es gefunden.',
  automatedDecision: 'Ein Programm hat entschieden; kein Mensch war beteiligt.',
  humanDecision: 'Ein Mensch hat entschieden.',
  jointDecision: 'Ein Programm hat die Entscheidung vorgeschlagen, und ein Mensch hat sie bestätigt.',
  law: (reference) => `Es verstößt gegen das Recht: ${reference}.`,
  terms: (reference) => `Es verstößt gegen die Nutzungsbedingungen: ${reference}.`,
  rules: 'Es verstößt gegen die Regeln, die hier gelten.',
  appealUntil: (until) =>
    `Du kannst bis zum ${until} kostenlos Beschwerde einlegen. Jemand, der nicht entschieden hat, antwortet dir.`,
  appealAnyTime:
    'Du kannst kostenlos Beschwerde einlegen, solange es gilt. Jemand, der nicht entschieden hat, antwortet dir.',
  appealOver: 'Eine Beschwerde ist hier nicht mehr möglich.',
  appealWaiting: 'Deine Beschwerde ist angekommen und wartet auf eine Entscheidung.',
  appealUpheld: (answer) => `Deine Beschwerde wurde abgelehnt. Antwort: ${answer}`,
  appealOverturned: (answer) => `Deiner Beschwerde wurde stattgegeben. Antwort: ${answer}`,
  otherRedress:
    'Du kannst außerdem vor Gericht gehen oder dich in der Europäischen Union an eine zugelassene außergerichtliche Streitbeilegungsstelle wenden.',
  forMinors: {
    facts: (reason) => `Darum ist das so: ${reason}`,
    noFacts: 'Niemand hat aufgeschrieben, warum.',
    sources: {
      own_initiative: 'Die Leute, die das hier betreiben, haben es selbst bemerkt.',
      report: 'Jemand, der auch spielt, hat uns das gesagt.',
      trusted_flagger: 'Eine amtlich anerkannte Stelle hat uns das gesagt.',
      order: 'Ein Gericht oder ein Amt hat uns gesagt, dass wir das tun müssen.',
    },
    automatedDetection: 'Ein Computerprogramm hat es bemerkt.',
    automatedDecision: 'Ein Computerprogramm hat das entschieden. Kein Mensch hat es sich angesehen.',
    humanDecision: 'Ein Mensch hat es sich angesehen und entschieden.',
    jointDecision: 'Ein Computerprogramm hat das vorgeschlagen. Ein Mensch hat es sich angesehen und zugestimmt.',
    law: (reference) => `Das Gesetz erlaubt das nicht (${reference}).`,
    terms: (reference) => `Die Spielregeln erlauben das nicht (${reference}).`,
    rules: 'Die Regeln hier erlauben das nicht.',
    appealUntil: (until) =>
      `Findest du das falsch? Schreibe uns bis zum ${until}. Es kostet nichts. Ein anderer Mensch liest es und antwortet dir. Ein Erwachsener darf dir helfen.`,
    appealAnyTime:
      'Findest du das falsch? Schreibe uns. Es kostet nichts. Ein anderer Mensch liest es und antwortet dir. Ein Erwachsener darf dir helfen.',
    appealOver: 'Es ist zu spät, uns hier zu schreiben.',
    appealWaiting: 'Wir haben bekommen, was du geschrieben hast. Ein Mensch liest es und antwortet dir hier.',
    appealUpheld: (answer) => `Ein Mensch hat gelesen, was du geschrieben hast. Es bleibt so. Die Antwort: ${answer}`,
    appealOverturned: (answer) =>
      `Ein Mensch hat gelesen, was du geschrieben hast. Du hattest recht. Die Antwort: ${answer}`,
    otherRedress:
      'Sprich auch mit deinen Eltern oder einem anderen Erwachsenen. Sie können sich woanders Hilfe holen oder vor Gericht gehen.',
  },
  page: {
    remaining: 'Verbleibende Zeit',
    appeal: 'Beschwerde',
    appealHint: 'Sage mit eigenen Worten, warum diese Entscheidung falsch ist. Das geht ein Mal.',
    send: 'Beschwerde absenden',
    sent: 'Deine Beschwerde ist angekommen. Öffne diese Seite wieder, um die Antwort zu lesen.',
    print: 'Drucken',
    notices: 'Nachrichten an dich',
    language: 'Sprache',
    incomplete:
      'Diese Begründung gibt es nicht, oder sie wurde gelöscht. Öffne die Adresse genau so, wie du sie bekommen hast.',
    unreachable: 'Es kommt keine Antwort. Versuche es gleich noch einmal.',
  },
};
