/** Ingest: events that platform services sign with the secret of a project. */
import type { Module } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { ProjectDirectory } from '../projects/directory.js';
import { IngestService } from './ingest.js';
import { ReceiptStore } from './receipt-store.js';
import { ingestRouter } from './routes.js';

interface IngestNeeds {
  readonly projects: ProjectDirectory;
}

export function ingestModule({ database, log, now }: Platform, { projects }: IngestNeeds): Module {
  const ingest = new IngestService(
    database,
    log,
    new ReceiptStore(database),
    { byBillingId: (id) => projects.signing(id) },
    now,
  );
  return {
    name: 'ingest',
    routes: ingestRouter(ingest),
    verifiers: { signature: (signed) => ingest.verify(signed) },
  };
}
