/** The transparency report as one page that needs nothing else: no script, no font, no address. It prints well. */
import type { TransparencyFigures } from '../../contract/stats/transparency.js';
import { escapedAttribute } from '../../text/markup.js';
import type { TransparencyFacts } from './transparency-facts.js';
import { type Cell, providerOf, type ReportTable } from './transparency-tables.js';

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 76rem; padding: 0 1rem; }
h1 { font-size: 1.6rem; line-height: 1.2; } h2 { font-size: 1.15rem; margin-top: 2.5rem; break-after: avoid; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 1rem; }
dl div { border: 1px solid #8886; border-radius: 6px; padding: .6rem .8rem; }
dt { font-size: .85rem; opacity: .75; } dd { margin: 0; font-size: 1.4rem; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .85rem; min-width: 100%; }
th, td { border-bottom: 1px solid #8884; padding: .3rem .6rem; text-align: left; vertical-align: top; }
th { vertical-align: bottom; font-weight: 600; } td.n { text-align: right; font-variant-numeric: tabular-nums; }
td.text { white-space: pre-wrap; min-width: 20rem; }
@media print { @page { size: A4 landscape; margin: 12mm; } body { max-width: none; margin: 0; font-size: 10px; }
  .wide { overflow: visible; } table { font-size: 7.5px; } tr { break-inside: avoid; } }`;

/** Columns that say the same in each row of a report. */
const common = new Set(['Applicability', 'Service', 'Reporting period']);

function tableOf({ title, file, columns, rows }: ReportTable): string {
  const shown = columns.map((name, index) => ({ name, index })).filter(({ name }) => !common.has(name));
  // Restrictions that no sanction is, and columns in which nothing is said, are in the file, and only lengthen the page.
  const isUsed = ({ name, index }: { name: string; index: number }): boolean =>
    rows.some((row) => row[index] !== null && !(row[index] === 0 && /^(Visibility|Monetary) restriction /.test(name)));
  const kept = shown.filter(isUsed);
  const cell = (value: Cell | undefined): string =>
    typeof value === 'number'
      ? `<td class="n">${value.toLocaleString('en')}</td>`
      : `<td${(value?.length ?? 0) > 80 ? ' class="text"' : ''}>${escapedAttribute(value ?? '')}</td>`;
  const body = rows.map((row) => `<tr>${kept.map(({ index }) => cell(row[index])).join('')}</tr>`).join('\n');
  const heads = kept.map(({ name }) => `<th scope="col">${escapedAttribute(name)}</th>`).join('');
  return `<section id="${file}"><h2>${escapedAttribute(title)}</h2>
<div class="wide"><table><thead><tr>${heads}</tr></thead>
<tbody>
${body}
</tbody></table></div></section>`;
}

const spanWords = ({ since, until, isOver }: TransparencyFigures): string =>
  isOver ? `${since} to ${until} (UTC)` : `${since} until now, ${until} (UTC)`;

export function reportPage(
  figures: TransparencyFigures,
  facts: TransparencyFacts,
  tables: readonly ReportTable[],
): string {
  const service = facts.service ?? figures.service;
  const title = `Transparency report ${figures.year}: ${service}`;
  const total = <T extends { category: string }>(rows: readonly T[]): T | undefined =>
    rows.find(({ category }) => category === 'TOTAL');
  const orders = total(figures.orders);
  const { automated, averageMonthlyActiveRecipients: active } = figures;
  const complaints = figures.complaints.find(({ about }) => about === 'all');
  const facets: [string, number | string][] = [
    ['Notices', total(figures.notices)?.notices ?? 0],
    ['Orders of authorities', (orders?.toAct ?? 0) + (orders?.toInform ?? 0)],
    ['Measures', automated.measures + automated.notAutomated],
    ['Of them, by a program alone', automated.measures],
    ['Complaints', complaints?.submitted ?? 0],
    ['Of them, reversed', complaints?.reversed ?? 0],
    ['Average monthly active recipients', active ?? 'not counted'],
  ];
  const cards = facets.map(
    ([name, value]) =>
      `<div><dt>${name}</dt><dd>${typeof value === 'number' ? value.toLocaleString('en') : value}</dd></div>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedAttribute(title)}</title><style>${style}</style></head><body>
<h1>${escapedAttribute(title)}</h1>
<p>${escapedAttribute(providerOf(figures, facts))}. ${spanWords(figures)}. Regulation (EU) 2022/2065, Articles 15 and 24, in the
template of Commission Implementing Regulation (EU) 2024/2835. Times are hours. The same tables are in the CSV files beside this page.</p>
<dl>${cards.join('')}</dl>
${tables.map(tableOf).join('\n')}
<h2>Active recipients by month</h2>
<div class="wide"><table><thead><tr><th scope="col">Month</th><th scope="col">People who joined a voice room</th></tr></thead><tbody>
${figures.activeRecipients.map(({ month, people }) => `<tr><td>${month}</td><td class="n">${people.toLocaleString('en')}</td></tr>`).join('\n')}
</tbody></table></div>
</body></html>
`;
}
