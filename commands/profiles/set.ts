import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../src/cli/command/command.js';
import {
  loadProfile,
  type Profile,
  profileNameShape,
  profileStored,
  saveProfile,
} from '../../src/cli/command/profile.js';
import { stated } from '../../src/cli/typed/fields.js';
import { ApiError, checkAddress, DaemonUnreachable } from '../../src/client/errors.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { looksLikeId } from '../../src/names/id-shape.js';
import { UsageError } from '../../src/terminal/usage-error.js';

type ChosenProject = Pick<Profile, 'projectId' | 'projectName'>;

export default class ProfilesSet extends ProjectCommand {
  static override summary = 'Set daemon and project of a profile; `profiles use` makes it current.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> staging --url https://voice.staging.example',
    '<%= config.bin %> <%= command.id %> staging --project PROJECT',
  ];
  static override args = { name: Args.string({ required: true, description: 'Profile' }) };

  async run(): Promise<void> {
    const { args } = await this.input(ProfilesSet);
    const name = args.name;
    if (!profileNameShape.test(name)) throw new UsageError('A profile name has letters, digits, - and _ only.');
    const before = loadProfile(name);
    const url = this.typedPlace.url ?? before?.url ?? this.baseUrl;
    checkAddress(url);
    // A login belongs to the daemon that issued it; a new profile of that daemon goes on with the login in use.
    const kept: Partial<Profile> = before?.url === url ? before : {};
    const inUse = loadProfile(this.profileName);
    const token = kept.token ?? (inUse?.url === url ? inUse.token : undefined);
    const project = await this.checkedProject(name, url);
    const chosen = project ?? stated({ projectId: kept.projectId, projectName: kept.projectName });
    const profile = { ...stated({ token }), ...chosen, url };
    saveProfile(name, profile);
    this.logToStderr(profileStored(name, profile));
  }

  /** The id of a project that is there, for those who are logged in; others can state an id. */
  private async checkedProject(profile: string, url: string): Promise<ChosenProject | undefined> {
    const { project } = this.typedPlace;
    if (project === undefined) return undefined;
    // A profile that has no login yet is checked with the one in use, where that is of the same daemon.
    const hasLogin = loadProfile(profile)?.token !== undefined;
    const isElsewhere = loadProfile(this.profileName)?.url !== url;
    this.typedPlace = { ...this.typedPlace, url, ...(hasLogin || isElsewhere ? { profile } : {}) };
    try {
      const projects = await this.client.call(projectRoutes.list, {});
      const id = projects.find((one) => one.id === project)?.id ?? (await this.idOf('project', project));
      const found = projects.find((one) => one.id === id);
      return { projectId: id, ...stated({ projectName: found?.name }) };
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof DaemonUnreachable) || !looksLikeId.test(project)) throw error;
      this.logToStderr(`The project could not be checked: ${error.message}`);
      return { projectId: project };
    }
  }
}
