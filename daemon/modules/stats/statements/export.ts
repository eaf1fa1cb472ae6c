/** Sanctions as statements of reasons for the DSA Transparency Database, a page at a time. */
import type { StatementExportQuery } from '../../../../src/contract/stats/public-statements.js';
import type { SanctionStore } from '../../moderation/sanctions/store.js';
import type { SanctionTemplates } from '../../moderation/sanctions/templates.js';
import type { CaseStore } from '../../reports/cases/case-store.js';
import { publicStatementOf, unrestricting } from './public-statement.js';

interface ExportNeeds {
  readonly sanctions: Pick<SanctionStore, 'madeAfter'>;
  readonly templates: Pick<SanctionTemplates, 'list'>;
  readonly cases: Pick<CaseStore, 'categoriesOf'>;
}

export class StatementExport {
  constructor(private readonly needs: ExportNeeds) {}

  async page(projectId: string, { after, limit, ...made }: StatementExportQuery) {
    const { sanctions, templates, cases } = this.needs;
    const filter = { made, after: after ?? '', except: unrestricting };
    const rows = await sanctions.madeAfter(projectId, filter, limit + 1);
    const shown = rows.slice(0, limit);
    const byName = new Map((await templates.list(projectId)).map((template) => [template.name, template]));
    const categories = await cases.categoriesOf(
      projectId,
      shown.map(({ id }) => id),
    );
    return {
      statements: shown.map((row) =>
        publicStatementOf(row, byName.get(row.basis?.template ?? ''), categories.get(row.id)),
      ),
      next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
    };
  }
}
