import { figureRoutes } from '../../../src/contract/figures/figures.js';
import { bind } from '../../platform/http/bind.js';
import type { FigureService } from './service.js';

export const figureRouter = (figures: FigureService) =>
  bind(figureRoutes, { live: ({ caller: { tenantId } }) => figures.figuresOf(tenantId) });
