import { figureRoutes } from '../../../src/contract/figures/figures.js';
import { bind } from '../../platform/http/bind.js';
import type { ProjectFigureService } from './project-figures.js';
import type { FigureService } from './service.js';

export const figureRouter = (figures: FigureService, ofProjects: ProjectFigureService) =>
  bind(figureRoutes, {
    live: ({ caller: { tenantId } }) => figures.figuresOf(tenantId),
    project: ({ project }) => ofProjects.figuresOf(project.projectId),
  });
