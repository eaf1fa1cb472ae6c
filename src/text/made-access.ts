/** Access that somebody gave to others, once they have lost theirs: what ended with it, and how to end what goes on. */
import type { MadeAccess } from '../contract/projects/projects.js';
import { harmless } from './printable.js';
import { shellWord } from './shell-word.js';

const kinds = { apiKey: 'key', invitation: 'invitation of', member: 'access of' } as const;

/** One line for each. */
export const madeAccessLines = (made: readonly MadeAccess[]): string[] =>
  made.map(({ kind, id, name, projectId, withdrawn }) => {
    const what = `${kinds[kind]} ${harmless(name)}`;
    if (withdrawn) return `Withdrawn: ${what}.`;
    const end =
      kind === 'apiKey' ? `api-keys revoke ${id}` : `users remove ${id} --project ${shellWord(projectId ?? '')}`;
    return `Goes on: ${what}. To end it: earshot ${end}`;
  });
