/** Shows the changes of a season file as a designer reads them: one line an object, the fields that differ under it. */
import type { SeasonChange, SeasonPlan } from '../../contract/gameplay/season-routes.js';
import { cut } from '../../terminal/columns.js';
import type { Screen } from '../../terminal/output.js';
import { type Style, styled } from '../../terminal/terminal.js';
import { harmless } from '../../text/printable.js';

const valueMax = 60;

const signs = { create: '+', update: '~', remove: '-' } as const;
const colours = { create: 'green', update: 'yellow', remove: 'red' } as const;

type Painted = (style: Style, text: string) => string;
const painting = ({ isTerminal }: Screen): Painted => (isTerminal ? styled : (_, text) => text);

function shown(value: unknown, { isTerminal }: Screen): string {
  const text = harmless(typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? '-'));
  if (value === null) return '-';
  return isTerminal ? cut(text, valueMax) : text;
}

function changeLines({ action, path, name, fields, effects }: SeasonChange, screen: Screen): string[] {
  const paint = painting(screen);
  const title = name === '' ? path : `${path}  ${harmless(name)}`;
  return [
    paint(colours[action], `${signs[action]} ${title}`),
    ...fields.map(
      ({ field, before, after }) =>
        `    ${field}: ${paint('red', shown(before, screen))} → ${paint('green', shown(after, screen))}`,
    ),
    ...effects.map((effect) => paint('dim', `    ${effect}`)),
  ];
}

/** The changes; empty where there are none. */
export const planView = ({ changes }: SeasonPlan, screen: Screen): string =>
  changes.flatMap((change) => changeLines(change, screen)).join('\n');

/** Returns further notes on a plan, and what to do about them. */
export function planNotes({ applied, changes, unlisted, conflicts }: SeasonPlan, force: boolean): string[] {
  const count = (action: SeasonChange['action']) => changes.filter((change) => change.action === action).length;
  const counts = `${count('create')} to create, ${count('update')} to change, ${count('remove')} to remove`;
  const done = `${count('create')} created, ${count('update')} changed, ${count('remove')} removed`;
  const notes: string[] = [];
  if (conflicts.length > 0)
    notes.push(
      applied || force
        ? 'Overwrites these changes made on the daemon since a file was last applied:'
        : 'Refused without --force: these were changed on the daemon since a file was last applied.',
      ...conflicts.map(({ path, message }) => `  ${path}: ${message}`),
    );
  if (unlisted.length > 0)
    notes.push('Not in the file, and kept; --prune deletes them:', ...unlisted.map((path) => `  ${path}`));
  if (changes.length === 0) notes.push('There is nothing to change.');
  else notes.push(applied ? `${done}.` : `${counts}. Nothing was applied: a dry run.`);
  return notes;
}
