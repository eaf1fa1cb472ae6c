import { uuidv7 } from '../../platform/ids/new-id.js';
import type { Platform } from '../../platform/platform.js';
import { ActionStore } from './actions/action-store.js';
import { AnnotationStore } from './annotations/annotation-store.js';
import { AnnotationReader } from './annotations/reader.js';
import { InstalledStore } from './installed/installed-store.js';
import { InstanceStore } from './instances/instance-store.js';

export function pluginRecords({ database }: Pick<Platform, 'database'>) {
  const annotations = new AnnotationStore(database);
  return {
    instances: new InstanceStore(database),
    actions: new ActionStore(database, uuidv7()),
    annotations,
    annotationReader: new AnnotationReader(annotations),
    installed: new InstalledStore(database),
  };
}
