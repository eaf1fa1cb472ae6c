/** Fetches everything that is held about a person, and writes it as one document a part at a time. */
import type { EarshotClient } from '../../client/earshot-client.js';
import { PersonRecord, type PersonRecordKind, personExportRoutes } from '../../contract/people/person-export.js';
import { escapedAttribute } from '../../text/markup.js';
import { harmlessLines } from '../../text/printable.js';
import { type ExportedRow, exportedRows, rowsAtOnce } from '../files/line-export.js';
import { stated } from '../typed/fields.js';

const headings: Readonly<Record<PersonRecordKind, string>> = {
  leftOut: 'Not in this export: the API key lacks scopes',
  participant: 'Profile',
  formerId: 'Ids before a move',
  note: 'Notes of moderators',
  notice: 'Messages of the team to them',
  sanction: 'Sanctions',
  review: 'Reviews and appeals',
  block: 'Whom they block',
  reporter: 'How reliable their reports are',
  case: 'Cases about them',
  report: 'Reports about them and by them',
  reportSound: 'When what they said was stored with reports',
  reportLine: 'What they said, kept with reports',
  ruleExemption: 'Rules they are exempt from',
  ruleDecision: 'Decisions of rules',
  pluginRun: 'Runs of plugins',
  message: 'Messages',
  roomToken: 'Room tokens',
  gathering: 'Gatherings they own',
  gatheringMember: 'Gatherings they were in',
  gatheringInvitation: 'Invitations to gatherings',
  player: 'Player',
  challenge: 'Challenges',
  battlePass: 'Battle passes',
  battlePassLevel: 'Levels of battle passes',
  topic: 'Their MQTT topics',
  leaderboardScore: 'Scores on leaderboards',
  leaderboardShare: 'Shares of team scores',
  leaderboardExclusion: 'Leaderboards they are excluded from',
  gameEvent: 'Game events',
  event: 'Events about them',
  webhookDelivery: 'Sent to webhooks about them',
  auditEntry: 'Audit log entries about them',
};

/** Everything there is, an array at a time. Throws ApiError, DaemonUnreachable, CutOff. */
export const exportedPerson = (
  client: EarshotClient,
  params: { readonly projectId: string; readonly user: string },
  { confidential }: { readonly confidential: boolean },
  signal: AbortSignal,
  trouble: (line: string) => void,
): AsyncGenerator<ExportedRow<PersonRecord>[], void> =>
  exportedRows(
    {
      open: (after) =>
        client.open(
          personExportRoutes.export,
          { params, query: { limit: rowsAtOnce, confidential, ...stated({ after }) } },
          signal,
        ),
      read: (line) => PersonRecord.parse(line),
      placeOf: ({ place }) => place,
      trouble,
    },
    undefined,
    signal,
  );

/** Texts of a document: one at its beginning, one for each kind and each record, and one at its end. */
interface DocumentForm {
  begin(user: string): string;
  kind(kind: PersonRecordKind, isFirst: boolean): string;
  record(record: PersonRecord['record'], isFirst: boolean): string;
  end(isEmpty: boolean): string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The fields that say something, but for sound, each as text. */
const fieldsOf = ({ audio: _, ...record }: PersonRecord['record']): (readonly [name: string, text: string])[] =>
  Object.entries(record).flatMap(([name, value]) => (value === null ? [] : [[name, textOf(value)] as const]));

const base64Of = ({ audio }: PersonRecord['record']): string | null =>
  typeof audio === 'object' && audio !== null && !Array.isArray(audio) && typeof audio.base64 === 'string'
    ? audio.base64
    : null;

const json: DocumentForm = {
  begin: (user) => `{\n  "person": ${JSON.stringify(user)},\n  "records": {`,
  kind: (kind, isFirst) => `${isFirst ? '' : '\n    ],'}\n    ${JSON.stringify(kind)}: [`,
  record: (record, isFirst) => `${isFirst ? '' : ','}\n      ${JSON.stringify(record)}`,
  end: (isEmpty) => (isEmpty ? '}\n}\n' : '\n    ]\n  }\n}\n'),
};

const text: DocumentForm = {
  begin: (user) => `Everything that is held about ${harmlessLines(user)}\n`,
  kind: (kind) => `\n${headings[kind]}\n${'='.repeat(headings[kind].length)}\n`,
  record(record, isFirst) {
    const lines = fieldsOf(record).map(([name, value]) => `${name}: ${harmlessLines(value)}\n`);
    const sound = base64Of(record) === null ? '' : 'audio: kept; written by --format html and json\n';
    return `${isFirst ? '' : '\n'}${lines.join('')}${sound}`;
  },
  end: () => '',
};

const html: DocumentForm = {
  begin: (user) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapedAttribute(user)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 50rem; padding: 1rem }
article { border-top: 1px solid #8884; padding: .5rem 0 }
dl { display: grid; grid-template-columns: 11rem 1fr; margin: 0 }
dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap }
dt { opacity: .7 }
</style>
<h1>Everything that is held about <bdi>${escapedAttribute(user)}</bdi></h1>
`,
  kind: (kind) => `<h2>${headings[kind]}</h2>\n`,
  record(record) {
    const fields = fieldsOf(record).map(
      ([name, value]) => `<dt>${escapedAttribute(name)}<dd>${escapedAttribute(value)}\n`,
    );
    const base64 = base64Of(record);
    const sound =
      base64 === null ? '' : `<audio controls src="data:audio/wav;base64,${escapedAttribute(base64)}"></audio>\n`;
    return `<article><dl>\n${fields.join('')}</dl>\n${sound}</article>\n`;
  },
  end: () => '</html>\n',
};

export const documentForms = { text, html, json } as const;
export type FormName = keyof typeof documentForms;
export const formNames = ['text', 'html', 'json'] as const satisfies readonly FormName[];

/** The document, a text at a time. */
export async function* documentOf(
  user: string,
  parts: AsyncIterable<readonly ExportedRow<PersonRecord>[]>,
  form: DocumentForm,
): AsyncGenerator<string, void> {
  yield form.begin(user);
  let last: PersonRecordKind | null = null;
  for await (const rows of parts)
    for (const {
      row: { kind, record },
    } of rows) {
      const isNew = kind !== last;
      yield (isNew ? form.kind(kind, last === null) : '') + form.record(record, isNew);
      last = kind;
    }
  yield form.end(last === null);
}
