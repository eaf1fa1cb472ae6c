// Draws a table as bars: one panel for each figure, one bar for each row. An SVG file that needs nothing else.

const [labelWidthMin, letterWidth, panelWidth, rowHeight, top] = [170, 6.5, 220, 26, 64];
const barMax = panelWidth - 80;

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const text = (x, y, content, more = '') => `<text x="${x}" y="${y}" ${more}>${escaped(content)}</text>`;

/** `rows`: `name`, and a number or null for each figure; `figures`: `{ key, title, show(value) }`. */
export function barsOf(title, rows, figures) {
  const labelWidth = Math.max(
    labelWidthMin,
    Math.ceil(Math.max(...rows.map(({ name }) => name.length)) * letterWidth) + 20,
  );
  const [width, height] = [labelWidth + figures.length * panelWidth, top + rows.length * rowHeight + 16];
  const panels = figures.map(({ key, title: head, show }, panel) => {
    const x = labelWidth + panel * panelWidth;
    const most = Math.max(...rows.map((row) => row[key] ?? 0), Number.MIN_VALUE);
    const bars = rows.map((row, index) => {
      const y = top + index * rowHeight;
      const length = ((row[key] ?? 0) / most) * barMax;
      const bar = `<rect x="${x}" y="${y}" width="${length.toFixed(1)}" height="${rowHeight - 8}" fill="#1f77b4"/>`;
      return bar + text((x + length + 6).toFixed(1), y + 13, row[key] === null ? '–' : show(row[key]));
    });
    return text(x, top - 14, head, 'font-weight="bold"') + bars.join('');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12" role="img" aria-label="${escaped(title)}">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    text(8, 22, title, 'font-weight="bold"'),
    ...rows.map(({ name }, index) => text(labelWidth - 10, top + index * rowHeight + 13, name, 'text-anchor="end"')),
    ...panels,
    '</svg>\n',
  ].join('\n');
}
