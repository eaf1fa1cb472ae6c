/** A model says what becomes of its rows, or nothing is built; docs/privacy.md says the same. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readDataMap } from '../../../prisma/tools/data-map.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const settings = '  EARSHOT_NOTE_DAYS: days,\n';
const fields = `  id String @id
  projectId String
  userId String
  participantId String?
  createdAt DateTime
  project Project @relation(fields: [projectId], references: [id], onDelete: Cascade)
  author User @relation(fields: [userId], references: [id])
`;
const read = (comment: string, columns = fields) =>
  readDataMap([['notes.prisma', `// Notes.\n\n${comment}\nmodel Note {\n${columns}}\n`]], settings);

it.each([
  ['', 'no sentence says what the table holds'],
  ['/// Notes.', '@project is missing'],
  ['/// Notes.\n/// @project projectId', '@person is missing'],
  ['/// @project projectId  @person none', 'no sentence says what the table holds'],
  ['/// Notes.\n/// @project projectId  @person userId  @rename update', '@erase is missing'],
  ['/// Notes.\n/// @project projectId  @person userId  @erase delete', '@rename is missing'],
  ['/// Notes.\n/// @project projectId  @person none  @erase delete', '@erase without a person'],
  ['/// Notes.\n/// @project projectId  @person none  @purge now', '@purge is not one of @project'],
  ['/// Notes.\n/// @project projectId  @project none  @person none', '@project stands twice'],
  ['/// Notes.\n/// @project  @person none', '@project has no value'],
  ['/// Notes.\n/// @project folder  @person none', 'there is no relation folder'],
  ['/// Notes.\n/// @project author  @person none', 'author has no onDelete: Cascade'],
  ['/// Notes.\n/// @project in a while  @person none', '@project in a while is not understood'],
  ['/// Notes.\n/// @project projectId  @person writer  @erase delete  @rename update', 'there is no column writer'],
  ['/// Notes.\n/// @project projectId  @person author  @erase delete  @rename update', 'author is a relation'],
  ['/// Notes.\n/// @project projectId  @person userId  @erase now  @rename update', '@erase now is not understood'],
  [
    '/// Notes.\n/// @project projectId  @person userId  @erase rule:  @rename update',
    '@erase rule: is not understood',
  ],
  ['/// Notes.\n/// @project projectId  @person userId  @erase delete  @rename move', '@rename move is not understood'],
  [
    '/// Notes.\n/// @project projectId  @person participantId  @erase delete  @rename update',
    'rows are found by an external user id',
  ],
  [
    '/// Notes.\n/// @project projectId  @person rule: by its text  @erase delete  @rename kept: no id',
    'rows are found by the columns of @person',
  ],
  ['/// Notes.\n/// @project projectId  @person none  @keep EARSHOT_OTHER_DAYS by createdAt', 'there is no setting'],
  ['/// Notes.\n/// @project projectId  @person none  @keep rule: EARSHOT_OTHER_DAYS', 'there is no setting'],
  [
    '/// Notes.\n/// @project projectId  @person none  @keep EARSHOT_NOTE_DAYS by endedAt',
    'there is no column endedAt',
  ],
  [
    '/// Notes.\n/// @project projectId  @person none  @keep 3 weeks by createdAt',
    '@keep 3 weeks by createdAt is not understood',
  ],
])('refuses the comment %j', (comment, message) => {
  const line = comment === '' ? 4 : comment.split('\n').length + 3;
  expect(() => read(comment)).toThrow(`prisma/models/notes.prisma:${line}: model Note: ${message}`);
});

it('refuses rows that would outlive their project', () => {
  const alone = '  id String @id\n  projectId String\n';
  expect(() => read('/// Notes.\n/// @project projectId  @person none', alone)).toThrow('in batches');
  expect(read('/// Notes.\n/// @project projectId, in batches  @person none', alone)).toHaveLength(1);
});

it('takes every value that CONTRIBUTING.md names', () => {
  const comments = [
    '@project none  @person none  @keep until createdAt',
    '@project kept: for the record  @person userId (participantId)  @erase kept: for the record  @rename update',
    '@project project  @person userId, participantId  @erase delete: with its text  @rename update: of both, the newer',
    '@project projectId  @person userId  @erase delete, in batches  @rename rule: both  @count notes',
    '@project projectId  @person rule: by its text  @erase with project  @rename kept: no id  @keep with project',
    '@project projectId  @person none  @keep EARSHOT_NOTE_DAYS by createdAt',
    '@project projectId  @person none  @keep 1 day by createdAt',
  ];
  for (const comment of comments) expect(read(`/// Notes.\n/// ${comment}`)).toHaveLength(1);
});

it('orders tables so that rows are deleted before those that they refer to', () => {
  const names = readDataMap().map(({ name }) => name);
  expect(names.indexOf('WebhookEvent')).toBeLessThan(names.indexOf('WebhookPayload'));
  expect(names.indexOf('GatheringMember')).toBeLessThan(names.indexOf('Gathering'));
  expect(names.length).toBeGreaterThan(70);
});

/** They delete projects and erase people: their own rows go in the same steps. */
const carryingOut = ['people', 'projects'];

it.each([
  ['erase', 'person'],
  ['rename', 'personMove'],
  ['project', 'project'],
])('has no rule for @%s without a step of the module that owns the table', (tag, step) => {
  const ruled = readDataMap().filter(({ values }) => values.get(tag)?.startsWith('rule:'));
  const modules = new Set(ruled.map(({ file }) => file.replace('.prisma', '')));
  const stating = (module: string) =>
    readFileSync(
      `${root}/daemon/${module === 'platform' ? 'platform/storage' : `modules/${module}/module`}.ts`,
      'utf8',
    ).match(new RegExp(`^ {4}${step}: `, 'm')) !== null;
  expect(modules.size).toBeGreaterThan(1);
  expect([...modules].filter((module) => !carryingOut.includes(module) && !stating(module))).toEqual([]);
});

it('is what docs/privacy.md says', () => {
  execFileSync(process.execPath, ['bin/privacy-docs.mjs', '--check'], { cwd: root, stdio: 'pipe' });
});
