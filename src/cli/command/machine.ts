/**
 * The daemon that a command acts on, who acts there, and in which project. A flag wins over the environment, the environment
 * over the current profile; --url wins over --profile, EARSHOT_URL over EARSHOT_PROFILE.
 */
import type { Credential } from '../../client/earshot-client.js';
import { currentProfile, loadProfile, noProfile, type Profile } from './profile.js';

export const urlDefault = 'http://127.0.0.1:8080';

/** What was typed as flags; a value that only the environment has is not among them. */
export interface TypedPlace {
  readonly url?: string | undefined;
  readonly profile?: string | undefined;
  readonly project?: string | undefined;
}

const credentialVariables = ['EARSHOT_API_KEY', 'EARSHOT_TOKEN'] as const;

/** Line ends and spaces around a value come from files and copied text; an empty value is none. */
const fromEnvironment = (name: string): string | undefined => process.env[name]?.trim() || undefined;

export class Machine {
  readonly profileName: string;
  readonly url: string;
  private readonly profile: Profile | null;

  /** @param createsProfile the command may name a profile that is not stored yet. Throws StateError for another one. */
  constructor(
    private readonly typed: TypedPlace,
    createsProfile: boolean,
  ) {
    const named = typed.profile ?? fromEnvironment('EARSHOT_PROFILE');
    this.profileName = named ?? currentProfile();
    this.profile = loadProfile(this.profileName);
    const url = typed.url?.trim();
    const stated = typed.profile === undefined || this.profile === null ? (url ?? fromEnvironment('EARSHOT_URL')) : url;
    if (named !== undefined && this.profile === null && stated === undefined && !createsProfile) throw noProfile(named);
    this.url = stated ?? this.profile?.url ?? urlDefault;
  }

  get credential(): Credential | null {
    const token = this.storedToken;
    const stored: Credential | null = token === undefined ? null : { kind: 'bearer', token };
    const variable = this.credentialVariable;
    const given = variable === null ? undefined : fromEnvironment(variable);
    if (given === undefined) return stored;
    return variable === 'EARSHOT_API_KEY' ? { kind: 'apiKey', key: given } : { kind: 'bearer', token: given };
  }

  /** Variable whose credential is used; null: the stored login is, or none. */
  get credentialVariable(): (typeof credentialVariables)[number] | null {
    if (this.typed.profile !== undefined && this.storedToken !== undefined) return null;
    return credentialVariables.find((name) => fromEnvironment(name) !== undefined) ?? null;
  }

  /** A profile's login is sent to that profile's address only. */
  private get storedToken(): string | undefined {
    return this.profile?.url === this.url ? this.profile.token : undefined;
  }

  /** Name or id of the project; undefined: none is stated. */
  get project(): string | undefined {
    const stored = this.profile?.url === this.url ? this.profile.projectId : undefined;
    if (this.typed.project !== undefined) return this.typed.project;
    if (this.typed.profile !== undefined && stored !== undefined) return stored;
    return fromEnvironment('EARSHOT_PROJECT') ?? stored;
  }

  /**
   * Returns a sentence that names the machine where it is not that of the current profile; null: it is, or none is stored.
   */
  get unusual(): string | null {
    const current = currentProfile();
    const usual = loadProfile(current)?.url;
    if (usual === undefined || usual.replace(/\/$/, '') === this.url.replace(/\/$/, '')) return null;
    const whose = this.profile?.url === this.url ? `, of the profile ${this.profileName}` : '';
    return `This acts on ${this.url}${whose}; the current profile ${current} is ${usual}.`;
  }
}
