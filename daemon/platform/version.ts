/** The program's version, from the package and its build. */
import { versionIn } from '../../src/names/version.js';
import { packageFolder } from './package.js';

export const version = versionIn(packageFolder);
