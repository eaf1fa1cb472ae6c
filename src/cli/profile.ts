/** Where the CLI stores daemons and logins: one 0600 file in the user's configuration folder. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const Profile = z.object({ url: z.string(), token: z.string().optional(), projectId: z.string().optional() });
const File = z.object({ current: z.string(), profiles: z.record(z.string(), Profile) });
export type Profile = z.infer<typeof Profile>;

const path = (): string => join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'earshot', 'profiles.json');

const read = (): z.infer<typeof File> =>
  existsSync(path()) ? File.parse(JSON.parse(readFileSync(path(), 'utf8'))) : { current: 'default', profiles: {} };

function write(file: z.infer<typeof File>): void {
  mkdirSync(dirname(path()), { recursive: true, mode: 0o700 });
  writeFileSync(`${path()}.new`, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path()}.new`, path());
}

export const profileNameShape = /^[\w-]{1,50}$/;

export const profileName = (name?: string): string => name ?? process.env.EARSHOT_PROFILE ?? read().current;
export const loadProfile = (name: string): Profile | null => read().profiles[name] ?? null;

/** Sorted by name. */
export const profiles = (): (Profile & { readonly name: string })[] =>
  Object.entries(read().profiles)
    .map(([name, profile]) => ({ name, ...profile }))
    .sort((a, b) => a.name.localeCompare(b.name));

/** Stores the profile and makes it the current one. */
export function saveProfile(name: string, profile: Profile): void {
  const file = read();
  write({ current: name, profiles: { ...file.profiles, [name]: profile } });
}

export function forgetLogin(name: string): void {
  const file = read();
  const { token: _, ...rest } = file.profiles[name] ?? { url: '' };
  write({ ...file, profiles: { ...file.profiles, [name]: rest } });
}

export function forgetProfile(name: string): void {
  const { current, profiles: all } = read();
  const { [name]: _, ...others } = all;
  write({ current: current === name ? 'default' : current, profiles: others });
}
