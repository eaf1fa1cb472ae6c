/** Every operation that an operator may ask for, whether a daemon is running or not. */
import { recordedOperations } from '../modules/audit/module.js';
import { accountOperations } from '../modules/identity/admin-operations.js';
import { accountEmails, accountNames, administrationOf } from '../modules/identity/module.js';
import { pluginOperations } from '../modules/plugins/installed/admin-operations.js';
import { annotationsBeside, pluginCatalogue } from '../modules/plugins/module.js';
import { projectDirectory } from '../modules/projects/module.js';
import { sessionReaders } from '../modules/sessions/module.js';
import type { AdminHandler } from '../platform/admin-operation.js';
import type { Platform } from '../platform/platform.js';
import { keyOperations } from '../platform/secrets/admin-operations.js';

export const adminHandlers = (platform: Platform): AdminHandler[] =>
  recordedOperations(platform, accountNames(platform), [
    ...accountOperations(administrationOf(platform, projectsOf(platform))),
    ...keyOperations(platform),
    ...pluginOperations(installedPlugins(platform), platform.log),
  ]);

const projectsOf = (platform: Platform) => projectDirectory(platform, accountEmails(platform));

const installedPlugins = (platform: Platform) => {
  const needs = { projects: projectsOf(platform), annotations: annotationsBeside(platform) };
  return pluginCatalogue(platform, sessionReaders(platform, needs)).installed;
};
