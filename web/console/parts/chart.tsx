/** Figures as lines or bars, with a table of the same figures for who cannot see them. */
import { Bar, CartesianGrid, ComposedChart, Legend, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import './parts.css';

const colours = ['var(--accent)', 'var(--bad)', 'var(--good)', 'var(--warn)', 'var(--quiet)'] as const;

interface Series {
  /** Name of the figure in each row. */
  readonly key: string;
  readonly label: string;
}

interface ChartProps {
  readonly label: string;
  readonly rows: readonly Readonly<Record<string, string | number>>[];
  /** Name of what the rows go by, such as the day. */
  readonly by: string;
  readonly series: readonly Series[];
  readonly kind?: 'lines' | 'bars';
  readonly height?: number;
}

export function Chart({ label, rows, by, series, kind = 'lines', height = 220 }: ChartProps) {
  const axis = { stroke: 'var(--quiet)', fontSize: 11, tickLine: false } as const;
  return (
    <figure className="chart">
      <div aria-hidden="true">
        <ResponsiveContainer width="100%" height={height}>
          <ComposedChart
            data={[...rows]}
            margin={{ top: 8, right: 8, bottom: 0, left: -16 }}
            accessibilityLayer={false}
          >
            <CartesianGrid stroke="var(--line)" vertical={false} />
            <XAxis dataKey={by} {...axis} />
            <YAxis allowDecimals={false} {...axis} />
            <Tooltip
              cursor={{ fill: 'var(--hover)', stroke: 'var(--line)' }}
              contentStyle={{ background: 'var(--surface)', border: '1px solid var(--line)', borderRadius: 4 }}
              isAnimationActive={false}
            />
            <Legend iconType="plainline" itemSorter={null} />
            {series.map(({ key, label: name }, index) => {
              const colour = colours[index % colours.length] ?? 'currentColor';
              const common = { dataKey: key, name, isAnimationActive: false } as const;
              return kind === 'bars' ? (
                <Bar key={key} {...common} fill={colour} maxBarSize={28} />
              ) : (
                <Line key={key} {...common} stroke={colour} strokeWidth={2} dot={rows.length < 40 ? { r: 2 } : false} />
              );
            })}
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      <div className="only-read">
        <table aria-label={label}>
          <thead>
            <tr>
              {[label, ...series.map(({ label: name }) => name)].map((name) => (
                <th key={name}>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={String(row[by])}>
                {[by, ...series.map(({ key }) => key)].map((key) => (
                  <td key={key}>{row[key]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
