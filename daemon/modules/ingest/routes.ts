import { ingestRoutes } from '../../../src/contract/ingest/ingest.js';
import { bind } from '../../platform/http/bind.js';
import type { IngestService } from './ingest.js';

export const ingestRouter = (ingest: IngestService) =>
  bind(ingestRoutes, { ingest: ({ body, caller }) => ingest.ingest(body, caller) });
