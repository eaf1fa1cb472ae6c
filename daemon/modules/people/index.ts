export type { ParticipantDirectory } from './directory.js';
export type { HistorySource } from './history.js';
export type { ParticipantNotes } from './notes.js';
