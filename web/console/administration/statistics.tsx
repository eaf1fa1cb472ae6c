import { Button } from '@mantine/core';
import type { ComponentProps } from 'react';
import { type ModerationStats, moderationStatsRoutes } from '../../../src/contract/stats/moderation-stats.js';
import { spanOf } from '../../../src/text/span.js';
import { useProject } from '../frame/project.js';
import { Act } from '../parts/act.js';
import { known, Pending } from '../parts/answer.js';
import { Chart } from '../parts/chart.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { ChoiceFilter } from '../parts/filters.js';
import { Panel } from '../parts/page.js';
import { PlainTable } from '../parts/plain-table.js';
import { saveFile } from '../parts/save-file.js';
import { readerLocale } from '../parts/time.js';
import { useFilter } from '../parts/use-filter.js';
import { useRead } from '../parts/use-read.js';
import { PersonLink } from '../people/person-link.js';
import { client, daemonNow } from '../session/session.js';
import { useWords, type Words } from '../words/all-words.js';
import './print.css';

const dayMs = 86_400_000;
const spans = ['7', '30', '90', '365'] as const;
const soon = (seconds: number | null): string => (seconds === null ? '–' : spanOf(Math.round(seconds), ' '));

export default function Statistics() {
  const words = useWords();
  const own = words.administration;
  const { params, project, may } = useProject();
  const [chosen, setChosen] = useFilter('days');
  const days = Number(spans.find((span) => span === chosen) ?? '30');
  const first = Math.floor(daemonNow() / dayMs - days + 1) * dayMs;
  const since = new Date(first).toISOString();
  const earlier = {
    since: new Date(first - days * dayMs).toISOString(),
    until: new Date(first - dayMs).toISOString(),
  };
  const { data: before } = useRead(moderationStatsRoutes.get, { params, query: earlier });
  const reading = useRead(moderationStatsRoutes.get, { params, query: { since } });
  const { data } = reading;
  if (data === undefined) return <Pending of={reading} />;
  return (
    <>
      <div className="page-actions tab-actions">
        <ChoiceFilter
          label={own.period}
          value={String(days)}
          onChange={setChosen}
          choices={spans.map((value) => ({ value, label: own.lastDays(Number(value)) }))}
        />
        <Button variant="default" onClick={() => window.print()}>
          {own.print}
        </Button>
        <Button
          variant="default"
          onClick={() => saveFile(`${project.name} ${data.since} ${data.until}.csv`, csvOf(data, own))}
        >
          {own.csv}
        </Button>
        {may('admin') && (
          <Act
            label={own.recount}
            confirm={own.recountText}
            run={() => client.call(moderationStatsRoutes.rebuild, { params })}
            line={commandLine('stats', 'rebuild')}
          />
        )}
      </div>
      <p className="span-of quiet">
        <b className="only-printed">{project.name}. </b>
        {own.spanOf(dayText(data.since), dayText(data.until))}
        {before !== undefined && ` ${own.comparedWith(dayText(before.since), dayText(before.until))}`}
      </p>
      <Figures stats={data} before={before} />
      <CliLine line={commandLine('stats', 'moderation', ['--since', `${days}d`])} />
    </>
  );
}

/** A day of the answer, which is one of UTC, as the reader writes days. */
const dayText = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(readerLocale(), { timeZone: 'UTC', dateStyle: 'long' });

/** What each day had, a line a day. */
function csvOf(stats: ModerationStats, own: Words['administration']): string {
  const head = ['day', own.reports, own.sanctions, own.decided].map((name) => `"${name.replaceAll('"', '""')}"`);
  const lines = daysOf(stats).map(({ day, reports, sanctions, decided }) => [day, reports, sanctions, decided]);
  return [head, ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}

interface FiguresProps {
  readonly stats: ModerationStats;
  /** Of as many days before; undefined: not known yet. */
  readonly before: ModerationStats | undefined;
}

function Figures({ stats, before }: FiguresProps) {
  const own = useWords().administration;
  const { reports, sanctions, cases, decisions, moderators, rules, hours } = stats;
  const series = [
    { key: 'reports', label: own.reports },
    { key: 'sanctions', label: own.sanctions },
    { key: 'decided', label: own.decided },
  ];
  const reviewed = [...rules, ...stats.templates];
  /** With its numbers, because a share of few says little. */
  const share = (part: number, whole: number) =>
    whole === 0 ? '–' : own.share(part, whole, Math.round((part / whole) * 100));
  return (
    <>
      <div className="tiles">
        <Figure
          name={own.reports}
          value={reports.total}
          before={before?.reports.total}
          foot={own.casesOpened(cases.opened, cases.overdue)}
        />
        <Figure
          name={own.sanctions}
          value={sanctions.total}
          before={before?.sanctions.total}
          foot={own.revoked(sanctions.revoked)}
        />
        {decisions.map(({ kind, decided, medianSeconds, p90Seconds }) => (
          <Figure
            key={kind}
            name={own.decisionsOf[kind]}
            value={decided}
            before={before?.decisions.find((one) => one.kind === kind)?.decided}
            foot={own.howSoon(soon(medianSeconds), soon(p90Seconds))}
          />
        ))}
      </div>
      <div className="stack">
        <Panel title={own.byDay}>
          <Chart label={own.byDay} by="day" rows={daysOf(stats)} series={series} />
        </Panel>
        <div className="columns">
          <Panel title={own.byHour}>
            <Chart label={own.byHour} by="hour" rows={hours} series={series.slice(0, 2)} kind="bars" height={180} />
          </Panel>
          <Panel title={own.byCategory}>
            {reports.byCategory.length === 0 ? (
              <p className="quiet">{own.nothingCounted}</p>
            ) : (
              <Chart
                label={own.byCategory}
                by="category"
                rows={reports.byCategory}
                series={series.slice(0, 1)}
                kind="bars"
                height={180}
              />
            )}
          </Panel>
        </div>
        <Titled
          title={own.moderators}
          head={[own.who, own.sanctions, own.overturned, own.agreement, own.decided, own.perHour]}
          of={known(
            moderators.map((one) => [
              <bdi key="name">{one.name ?? one.id}</bdi>,
              one.sanctions,
              share(one.overturned, one.reviewed),
              share(one.reviewed - one.overturned, one.reviewed),
              one.decided,
              one.decidedPerHour?.toFixed(1) ?? '–',
            ]),
          )}
        />
        <div className="columns">
          <Titled
            title={own.rulesAndTemplates}
            head={[own.name, own.sanctions, own.reviewed, own.overturned]}
            of={known(
              reviewed.map((one) => [
                <bdi key="name">{one.name ?? '–'}</bdi>,
                one.sanctions,
                one.reviewed,
                share(one.overturned, one.reviewed),
              ]),
            )}
          />
          <Titled
            title={own.mostReported}
            head={[own.who, own.reports]}
            of={known(
              stats.mostReported.map(({ externalUserId, reports: count }) => [
                <PersonLink key="who" id={externalUserId} name={undefined} />,
                count,
              ]),
            )}
          />
        </div>
      </div>
    </>
  );
}

/** Every day of the period, those without anything too. */
function daysOf({ since, until, days }: ModerationStats) {
  const known = new Map(days.map((one) => [one.day, one]));
  const count = Math.round((Date.parse(until) - Date.parse(since)) / dayMs) + 1;
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(Date.parse(since) + index * dayMs).toISOString().slice(0, 10);
    return known.get(day) ?? { day, reports: 0, sanctions: 0, decided: 0 };
  });
}

interface FigureProps {
  readonly name: string;
  readonly value: number;
  /** In the span before; undefined: not known yet. */
  readonly before: number | undefined;
  readonly foot: string;
}

function Figure({ name, value, before, foot }: FigureProps) {
  const own = useWords().administration;
  const text = (number: number) => number.toLocaleString(document.documentElement.lang);
  return (
    <div className="tile">
      <div className="name">{name}</div>
      <div className="value">{text(value)}</div>
      {before !== undefined && (
        <div className="before">
          {value === before ? '=' : value > before ? '▲' : '▼'} {own.before(text(before))}
        </div>
      )}
      <div className="foot">{foot}</div>
    </div>
  );
}

function Titled({ title, head, of }: { readonly title: string } & ComponentProps<typeof PlainTable>) {
  const words = useWords().administration;
  return (
    <Panel title={title}>
      <PlainTable head={head} of={of} empty={words.nothingCounted} />
    </Panel>
  );
}
