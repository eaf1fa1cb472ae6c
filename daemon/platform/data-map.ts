/** The part of the data map that is the same in every table; what is left are the steps that modules state. */
import { expiredRows } from './database/expired-rows.js';
import { personErasure, personRename } from './database/person-rows.js';
import { projectRows } from './database/project-rows.js';
import type { Module } from './module.js';
import type { Platform } from './platform.js';

/** To be asked after all modules: what they do about a row needs the row. */
export const dataMapModule = ({ database, settings, now }: Pick<Platform, 'database' | 'settings' | 'now'>) =>
  ({
    name: 'data-map',
    keeps: expiredRows(database, settings, now),
    person: personErasure(database),
    personMove: personRename(database),
    project: projectRows(database),
  }) satisfies Module;
