/** Sanctions as statements of reasons for the DSA Transparency Database, a page at a time. */
import type { StatementExportQuery } from '../../../../src/contract/stats/public-statements.js';
import type { SanctionStore } from '../../moderation/sanctions/store.js';
import type { SanctionTemplates } from '../../moderation/sanctions/templates.js';
import { publicStatementOf, unrestricting } from './public-statement.js';

interface ExportNeeds {
  readonly sanctions: Pick<SanctionStore, 'madeAfter'>;
  readonly templates: Pick<SanctionTemplates, 'list'>;
}

export class StatementExport {
  constructor(private readonly needs: ExportNeeds) {}

  async page(projectId: string, { after, limit, ...made }: StatementExportQuery) {
    const { sanctions, templates } = this.needs;
    const filter = { made, after: after ?? '', except: unrestricting };
    const rows = await sanctions.madeAfter(projectId, filter, limit + 1);
    const shown = rows.slice(0, limit);
    const byName = new Map((await templates.list(projectId)).map((template) => [template.name, template]));
    return {
      statements: shown
        .filter(({ basis }) => basis.source !== 'order') // Article 17(5)
        .map((row) => publicStatementOf(row, byName.get(row.basis.template ?? ''))),
      next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
    };
  }
}
