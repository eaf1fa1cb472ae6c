/** Lists that come in pages: one page, or with `--all` every one of them as it arrives; as a table, as JSON, or as CSV. */
import * as Flags from '@oclif/core/flags';
import { cell, fieldOf, Table } from '../../terminal/output.js';
import { printData } from '../../terminal/terminal.js';
import { ProjectCommand } from '../command/command.js';
import { type ListStep, rowPages } from '../command/row-pages.js';
import { csvLine } from '../files/csv.js';

export const listFlags = {
  all: Flags.boolean({
    description: 'All pages; with --json, one object per line',
    exclusive: ['limit', 'offset', 'after'],
  }),
  csv: Flags.boolean({ description: 'Comma-separated values, with a header line', exclusive: ['json', 'items'] }),
};

interface ListingShape<Answer, Item extends object> {
  readonly fetch: (page: ListStep) => Promise<Answer>;
  /** Returns the items of an answer as the API has them. */
  readonly items: (answer: Answer) => readonly Item[];
  /** Returns the rows of a table; default: the items themselves. */
  readonly rows?: (items: readonly Item[]) => Promise<readonly object[]>;
  readonly columns: readonly string[];
  /** Columns of CSV; default: those of the table. */
  readonly csvColumns?: readonly string[];
}

export abstract class ListCommand extends ProjectCommand {
  protected async showPages<Answer extends object, Item extends object>(
    { all, csv }: { readonly all: boolean; readonly csv: boolean },
    { fetch, items, rows = async (found) => found, columns, csvColumns = columns }: ListingShape<Answer, Item>,
  ): Promise<void> {
    if (!all) {
      const answer = await fetch({});
      if (this.common.items === true) return this.printJson(answer);
      const shown = this.common.json === true ? items(answer) : await rows(items(answer));
      if (!csv) return this.list(answer, shown, columns);
      await printCsvLine(csvColumns); // not before the answer is known to be one
      await this.printCsv(shown, csvColumns);
      return this.sayOfHowMany(answer, shown.length);
    }
    if (this.common.items === true) return this.printAll(rowPages(this.client, fetch, items));
    let begun: Table | null = null;
    let isFirst = true;
    for await (const found of rowPages(this.client, fetch, items)) {
      if (this.common.json === true) await printData(found.map((item) => `${JSON.stringify(item)}\n`).join(''));
      else if (csv) {
        if (isFirst) await printCsvLine(csvColumns);
        await this.printCsv(await rows(found), csvColumns);
      } else if (found.length > 0) {
        const shown = await rows(found);
        begun ??= await this.begin(new Table(shown, columns, this.screen));
        await printData(
          begun
            .lines(shown)
            .map((line) => `${line}\n`)
            .join(''),
        );
      }
      isFirst = false;
    }
  }

  /** Everything in the one form that lists have, page after page: it may be more than fits into memory. */
  private async printAll(pages: AsyncIterable<readonly object[]>): Promise<void> {
    await printData('{"items":[');
    let total = 0;
    for await (const found of pages) {
      const rows = found.map((item) => JSON.stringify(item)).join(',\n');
      await printData(`${total > 0 && found.length > 0 ? ',' : ''}\n${rows}`);
      total += found.length;
    }
    await printData(`\n],"total":${total},"next":null}\n`);
  }

  private async begin(table: Table): Promise<Table> {
    await printData(`${table.names()}\n`);
    return table;
  }

  private async printCsv(rows: readonly object[], columns: readonly string[]): Promise<void> {
    const plain = { ...this.screen, isTerminal: false };
    for (const row of rows)
      await printCsvLine(
        columns.map((column) => {
          const value = fieldOf(row, column);
          if (value === null || value === undefined) return null;
          // Programs get texts as they are: what is printed may be read again.
          const isPlain = typeof value === 'number' || (typeof value === 'string' && process.stdout.isTTY !== true);
          return isPlain ? value : cell(value, plain);
        }),
      );
  }
}

/** A terminal would show the carriage return at its end. */
const printCsvLine = (cells: Parameters<typeof csvLine>[0]): Promise<void> => {
  const line = csvLine(cells);
  return printData(process.stdout.isTTY === true ? line.replace(/\r\n$/, '\n') : line);
};
