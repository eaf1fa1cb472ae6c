import { shiftNoteRoutes } from '../../../src/contract/moderation/shift-notes.js';
import { bind } from '../../platform/http/bind.js';
import type { ShiftNoteStore } from './shift-notes-store.js';

export const shiftNoteRouter = (notes: ShiftNoteStore) =>
  bind(shiftNoteRoutes, {
    list: ({ project, query }) => notes.list(project.projectId, query),
    create: ({ project, caller, body }) => notes.add(project.projectId, caller.id, body.text),
  });
