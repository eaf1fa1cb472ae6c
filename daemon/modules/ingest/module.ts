/** Ingest: events that platform services sign with the secret of a project. */
import type { Module } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { Records } from '../../records.js';
import { IngestService } from './ingest.js';
import { ReceiptStore } from './receipt-store.js';
import { ingestRouter } from './routes.js';

export function ingestModule({ database, log, now }: Platform, { projects }: Records): Module {
  const ingest = new IngestService(database, log, new ReceiptStore(database), projects, now);
  return {
    name: 'ingest',
    routes: ingestRouter(ingest),
    verifiers: { signature: (signed) => ingest.verify(signed) },
  };
}
