/** Scopes of API keys. Each also exists as `name:read`. */
import { z } from 'zod';

export const scopeNames = [
  'sessions',
  'messages',
  'plugins',
  'plugin-endpoints',
  'gatherings',
  'functions',
  'participants',
  'sanctions',
  'reports',
  'webhooks',
  'settings',
  'projects',
  'users',
  'tokens',
  'events',
  'gameplay',
  'audit',
] as const;
export type ScopeName = (typeof scopeNames)[number];
export type RequiredScope = ScopeName | `${ScopeName}:read`;

export const allScopes: readonly RequiredScope[] = scopeNames.flatMap((name) => [name, `${name}:read` as const]);

export const Scope = z
  .enum(allScopes)
  .describe('For example sanctions, or sanctions:read for reading only; every scope has both forms');

/** True if a key with these scopes may call an operation that needs `needed`. */
export const opens = (held: readonly string[], needed: RequiredScope): boolean =>
  held.includes(needed) || (needed.endsWith(':read') && held.includes(needed.slice(0, -':read'.length)));

/** Descriptions of the scopes, shown where keys are made. */
export const scopeDescriptions: Readonly<Record<ScopeName, string>> = {
  sessions: 'Voice sessions and rooms: create, start, stop, list, kick',
  messages: 'Transcripts, debug audio and annotations',
  plugins: 'Plugin catalogue, instances, reviews and rules',
  'plugin-endpoints': 'Inbound calls to a plugin: the plugins of this daemon take none',
  gatherings: 'Gatherings, members and invitations',
  functions: 'Functions settings',
  participants: 'Participants and their notes',
  sanctions: 'Sanctions',
  reports: 'Reports of players, their reporters and cases',
  webhooks: 'Webhook subscriptions and their log: with them each line of every transcript',
  settings: 'Project settings; the project secret and the password of encrypted rooms need the full scope',
  projects: 'Projects',
  users: 'Project users and invitations, up to the role moderator',
  tokens: 'Room tokens and player tokens',
  events: 'Event streams, schema, traces and MQTT: with them each line of every transcript',
  gameplay: 'Game events, challenges, battle passes and leaderboards',
  audit: 'The audit log: who did what, with e-mail addresses and network addresses',
};
