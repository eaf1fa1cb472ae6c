/** Stores daemons and logins of the CLI: one 0600 file in the user's configuration folder. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { ownValue } from '../../names/own-value.js';
import { StateError } from '../../terminal/state-error.js';
import { UsageError } from '../../terminal/usage-error.js';
import { harmless } from '../../text/printable.js';

const Profile = z.object({
  url: z.string(),
  token: z.string().optional(),
  projectId: z.string().optional(),
  /** Name of the project when it was chosen. */
  projectName: z.string().optional(),
});
const File = z.object({ current: z.string(), profiles: z.record(z.string(), Profile) });
export type Profile = z.infer<typeof Profile>;

const path = (): string => join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'earshot', 'profiles.json');

/** Returns the refusal of a name that no profile has. */
export const noProfile = (name: string): StateError =>
  new StateError('profile_not_found', `There is no profile ${harmless(name)}; \`profiles list\` shows them.`, {
    profile: name,
  });

/** Throws UsageError. */
function read(): z.infer<typeof File> {
  if (!existsSync(path())) return { current: 'default', profiles: {} };
  try {
    return File.parse(JSON.parse(readFileSync(path(), 'utf8')));
  } catch (cause) {
    throw new UsageError(`${path()} is not a valid profiles file. Correct it, or delete it and log in again.`, {
      cause,
    });
  }
}

const lockTries = 100;
const lockTryMs = 20;

/** Commands that run at the same time change the file one after the other. What a killed one left holds nobody up for long. */
function change(changed: (file: z.infer<typeof File>) => z.infer<typeof File>): void {
  const [file, lock] = [path(), `${path()}.lock`];
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; tries < lockTries && !taken(lock); tries += 1) Atomics.wait(pause, 0, 0, lockTryMs);
  try {
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, `${JSON.stringify(changed(read()), null, 2)}\n`, { mode: 0o600 });
    renameSync(unfinished, file);
  } finally {
    rmSync(lock, { force: true });
  }
}

/** False while another process has it. */
function taken(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

export const profileNameShape = /^(?!__proto__$)[\w-]{1,50}$/;

/** Returns the sentence about a profile that was stored, or chosen for all that follows. */
export function profileStored(name: string, { url, token }: Profile): string {
  const isKnown = [process.env.EARSHOT_API_KEY, process.env.EARSHOT_TOKEN, token].some((one) => (one ?? '') !== '');
  const isCurrent = currentProfile() === name;
  const use = isCurrent ? ' and is the current one.' : `. \`earshot profiles use ${name}\` makes it the current one.`;
  const login = isCurrent ? 'earshot login' : `earshot login --profile ${name}`;
  return `The profile ${name} uses ${url}${use}${isKnown ? '' : ` It has no login yet: type \`${login}\`.`}`;
}

/** Returns the profile of commands that name none. */
export const currentProfile = (): string => read().current;
export const loadProfile = (name: string): Profile | null => ownValue(read().profiles, name) ?? null;

/** Sorted by name. */
export const profiles = (): (Profile & { readonly name: string })[] =>
  Object.entries(read().profiles)
    .map(([name, profile]) => ({ name, ...profile }))
    .sort((a, b) => a.name.localeCompare(b.name));

/** Stores the profile; the current one stays. */
export const saveProfile = (name: string, profile: Profile): void =>
  change(({ current, profiles: all }) => ({ current, profiles: { ...all, [name]: profile } }));

/** Makes the profile the current one. */
export const chooseProfile = (name: string): void => change(({ profiles: all }) => ({ current: name, profiles: all }));

/**
 * Stores a login in the profile, which becomes the current one only if there is none yet; the project stays where the daemon is the same. Profiles that
 * share the login `replaced` get the new one as well.
 */
export const saveLogin = (name: string, url: string, token: string, replaced?: string): void =>
  change(({ current, profiles: before }) => {
    const all = replaced === undefined ? before : withLogin(before, replaced, token);
    const profile = ownValue(all, name);
    const isFirst = ownValue(before, current) === undefined;
    return {
      current: isFirst ? name : current,
      profiles: { ...all, [name]: { ...(profile?.url === url ? profile : {}), url, token } },
    };
  });

/** Forgets the login of the profile, in every profile that shares it. */
export const forgetLogin = (name: string): void =>
  change(({ current, profiles: all }) => {
    const token = ownValue(all, name)?.token;
    return { current, profiles: token === undefined ? all : withLogin(all, token, undefined) };
  });

type Profiles = z.infer<typeof File>['profiles'];
const withLogin = (all: Profiles, before: string, token: string | undefined): Profiles =>
  Object.fromEntries(
    Object.entries(all).map(([name, profile]) => [name, profile.token === before ? { ...profile, token } : profile]),
  );

export const forgetProfile = (name: string): void =>
  change(({ current, profiles: all }) => ({
    current: current === name ? 'default' : current,
    profiles: Object.fromEntries(Object.entries(all).filter(([other]) => other !== name)),
  }));
