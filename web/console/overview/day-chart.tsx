/** Reports and sanctions of today by the hour, with the same day of last week behind them. Drawn without the library of charts. */
import { type ProjectDay, projectDayRoutes } from '../../../src/contract/stats/project-day.js';
import { useProject } from '../frame/project.js';
import { Answer } from '../parts/answer.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { Panel } from '../parts/page.js';
import { hourOf } from '../parts/time.js';
import { useRead } from '../parts/use-read.js';
import { daemonNow } from '../session/session.js';
import { useWords } from '../words/words.js';
import './day-chart.css';

const readMs = 60_000;
/** Units of the drawing: an hour is as wide, and the most of an hour as high. */
const [hourWidth, chartHeight] = [30, 96];
const labelledHours = 6;
/** Places of the bars in their hour: where they stand, and how wide those of today and of last week are. */
const [reportsAt, sanctionsAt, widthBefore, width] = [3, 16, 11, 7];

export default function DayChart() {
  const words = useWords().overview;
  const { params } = useProject();
  const since = new Date(new Date(daemonNow()).setHours(0, 0, 0, 0)).toISOString();
  const day = useRead(
    projectDayRoutes.get,
    { params, query: { since } },
    { after: ['report.', 'sanction.created'], refetchInterval: readMs },
  );
  return (
    <Panel title={words.today}>
      <Answer of={day}>{({ hours }) => <Drawn hours={hours} />}</Answer>
      <CliLine line={commandLine('stats', 'day', ['--since', since])} />
    </Panel>
  );
}

function Drawn({ hours }: Pick<ProjectDay, 'hours'>) {
  const words = useWords().overview;
  const begun = hours.filter(({ at }) => Date.parse(at) <= daemonNow());
  const sum = (what: 'reports' | 'sanctions' | 'reportsBefore' | 'sanctionsBefore') =>
    begun.reduce((total, hour) => total + hour[what], 0);
  const counts = hours.flatMap((hour) => [hour.reports, hour.sanctions, hour.reportsBefore, hour.sanctionsBefore]);
  const most = Math.max(1, ...counts);
  const bar = (x: number, wide: number, count: number, kind: string) => {
    const height = (count / most) * chartHeight;
    return <rect className={kind} x={x} y={chartHeight - height} width={wide} height={height} />;
  };
  return (
    <figure className="day-chart">
      <figcaption>
        <span className="of-reports">{words.reportsToday(sum('reports'), sum('reportsBefore'))}</span>
        <span className="of-sanctions">{words.sanctionsToday(sum('sanctions'), sum('sanctionsBefore'))}</span>
        <span className="quiet before">{words.lastWeek}</span>
      </figcaption>
      <svg viewBox={`0 0 ${hours.length * hourWidth} ${chartHeight}`} preserveAspectRatio="none" aria-hidden="true">
        {hours.map((hour, index) => (
          <g key={hour.at} transform={`translate(${index * hourWidth} 0)`}>
            <title>{words.hourOf(hourOf(hour.at), hour)}</title>
            <rect className="slot" width={hourWidth} height={chartHeight} />
            {bar(reportsAt, widthBefore, hour.reportsBefore, 'before')}
            {bar(sanctionsAt, widthBefore, hour.sanctionsBefore, 'before')}
            {bar(reportsAt + 2, width, hour.reports, 'reports')}
            {bar(sanctionsAt + 2, width, hour.sanctions, 'sanctions')}
          </g>
        ))}
      </svg>
      <div className="day-hours quiet" aria-hidden="true">
        {hours
          .filter((_, index) => index % labelledHours === 0)
          .map(({ at }) => (
            <span key={at}>{hourOf(at)}</span>
          ))}
      </div>
      <div className="only-read">
        <ul aria-label={words.today}>
          {hours.map((hour) => (
            <li key={hour.at}>{words.hourOf(hourOf(hour.at), hour)}</li>
          ))}
        </ul>
      </div>
    </figure>
  );
}
