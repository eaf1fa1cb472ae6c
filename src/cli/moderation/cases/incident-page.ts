/** An incident as one page that needs nothing but the sound files beside it: no script, no font, no address. */
import { escapedAttribute } from '../../../text/markup.js';
import type { Incident } from './incident.js';

type IncidentCell = string | number | null | undefined;

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; } h3 { font-size: 1rem; break-after: avoid; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { border-bottom: 1px solid #8884; padding: .25rem .6rem; text-align: left; vertical-align: top; }
td { white-space: pre-wrap; overflow-wrap: anywhere; } td:first-child { white-space: nowrap; }
tr.named td { font-weight: 600; } audio { width: 100%; }
@media print { body { max-width: none; margin: 0; font-size: 11px; } tr { break-inside: avoid; } audio { display: none; } }`;

const text = (value: IncidentCell): string => escapedAttribute(String(value ?? ''));

/** One row for each field that says something. */
function facts(rows: readonly (readonly [name: string, value: IncidentCell])[]): string {
  const said = rows.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return `<table><tbody>${said.map(([name, value]) => `<tr><th scope="row">${text(name)}</th><td>${text(value)}</td></tr>`).join('\n')}</tbody></table>`;
}

interface IncidentRow {
  readonly cells: readonly IncidentCell[];
  readonly isNamed?: boolean;
}

function table(heads: readonly string[], rows: readonly IncidentRow[]): string {
  if (rows.length === 0) return '<p>None.</p>';
  const line = ({ cells, isNamed }: IncidentRow) =>
    `<tr${isNamed === true ? ' class="named"' : ''}>${cells.map((cell) => `<td>${text(cell)}</td>`).join('')}</tr>`;
  const head = heads.map((name) => `<th scope="col">${text(name)}</th>`).join('');
  return `<table><thead><tr>${head}</tr></thead><tbody>\n${rows.map(line).join('\n')}\n</tbody></table>`;
}

/** Times stand in UTC, as they are stored. */
export function incidentPage(incident: Incident, nameOf: (id: string | null) => string | null, madeAt: string): string {
  const { detail, reports, sound, reviews, sanctions, statements, audit, leftOut } = incident;
  const about = detail.externalUserId ?? (detail.roomId === null ? 'nobody' : `room ${detail.roomId}`);
  const soundOf = new Map(sound.map(({ reportId, name }) => [reportId, name]));
  const reported = reports.map((report) => {
    const { id, category, reporterUserId, noticeFrom, words, roomId, createdAt, transcript, cut } = report;
    const file = soundOf.get(id);
    const lines = transcript.map(({ saidAt, senderName, externalUserId, content, named }) => ({
      cells: [saidAt, `${senderName} (${externalUserId ?? 'system'})`, content],
      isNamed: named,
    }));
    return `<h3>${text(category)}, ${text(createdAt)}</h3>
${facts([
  ['By', reporterUserId ?? noticeFrom ?? 'the team'],
  ['Room', roomId],
  ['In their words', words],
  ['Report', id],
])}
${table(['Said at', 'Who', 'What was said'], lines)}
${cut === undefined ? '' : '<p>The transcript is longer than an answer; the rest is in the transcript of the session.</p>'}
${file === undefined ? '' : `<p>Sound: <a href="${text(file)}">${text(file)}</a></p><audio controls src="${text(file)}"></audio>`}`;
  });
  const told = statements.map(
    ({ sanctionId, title, text: words, appeal }) => `<h3>${text(title)}</h3>
${words
  .split('\n')
  .map((line) => `<p>${text(line)}</p>`)
  .join('\n')}
${facts([
  ['Sanction', sanctionId],
  ['Appeal', appeal.statement],
  ['Answer to it', appeal.answer],
])}`,
  );
  const title = `Incident: case about ${about}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title)}</title><style>${style}</style></head><body>
<h1>${text(title)}</h1>
<p>Exported at ${text(madeAt)}. Times are in UTC. The JSON files beside this page hold the same in full.${
    leftOut.length === 0 ? '' : ` Left out, because the credential does not open it: ${text(leftOut.join(', '))}.`
  }</p>
${facts([
  ['Person', detail.externalUserId],
  ['Room', detail.roomId],
  ['Category', detail.category],
  ['Why it counts', detail.why],
  ['Status', detail.status],
  ['Decision', detail.decision],
  ['Reason', detail.reasonCode],
  ['Decided by', nameOf(detail.decidedByUserId)],
  ['Decided at', detail.decidedAt],
  ['Note of moderators', detail.note],
  ['On legal hold since', detail.heldAt],
  ['Opened at', detail.createdAt],
  ['Case', detail.id],
])}
<h2>Reports, and what was said</h2>
${reported.length === 0 ? '<p>None.</p>' : reported.join('\n')}
<h2>Sanctions of the person</h2>
${table(
  ['Since', 'Kind', 'Until', 'State', 'Reason', 'By', 'Sanction'],
  sanctions.map((one) => ({
    cells: [
      one.startAt,
      one.type,
      one.endAt,
      one.status,
      one.reason,
      one.createdBy ?? nameOf(one.createdByUserId),
      one.id,
    ],
    isNamed: one.id === detail.sanctionId,
  })),
)}
<h2>What the person was told</h2>
${told.length === 0 ? '<p>Nothing.</p>' : told.join('\n')}
<h2>Reviews and decisions</h2>
${table(
  ['Opened', 'Kind', 'State', 'What the person says', 'Decision', 'Answer', 'By', 'Decided at'],
  reviews.map((one) => ({
    cells: [
      ...[one.createdAt, one.kind, one.status, one.statement, one.decision, one.answer],
      ...[nameOf(one.decidedByUserId), one.decidedAt],
    ],
  })),
)}
<h2>Orders of authorities</h2>
${table(
  ['Kind', 'Authority', 'State', 'Reference', 'Status'],
  detail.orderList.map((one) => ({ cells: [one.kind, one.authority, one.memberState, one.reference, one.status] })),
)}
<h2>Audit log</h2>
${table(
  ['When', 'Who', 'What', 'To what', 'Outcome'],
  audit.map(({ at, actor, action, targets, outcome }) => ({
    cells: [
      at,
      actor.name ?? actor.id ?? actor.kind,
      action,
      targets.map(({ kind, id }) => `${kind} ${id}`).join('\n'),
      outcome,
    ],
  })),
)}
</body></html>
`;
}
