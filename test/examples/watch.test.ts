/** The examples for Prometheus and Grafana: rules that fire where they should, on metrics that the daemon has. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { routes } from '../../src/contract/routes.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { inSqlite } from '../support/database.js';

const examples = fileURLToPath(new URL('../../examples', import.meta.url));
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
const text = (path: string) => readFileSync(join(examples, path), 'utf8');

const Rules = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
});
const Panel = z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) });
const Dashboard = z.object({
  panels: z.array(Panel),
  templating: z.object({ list: z.array(z.object({ query: z.union([z.string(), z.object({ query: z.string() })]) })) }),
});

/** Metrics that a query of PromQL names. */
const namesIn = (query: string): string[] =>
  [...query.replace(/"[^"]*"/g, '').matchAll(/\b(?:earshot|process|nodejs)_\w+|\bup\b/g)].map(([name]) => name);

let daemon: TestDaemon;
let names: ReadonlySet<string>;
beforeAll(async () => {
  const sets = {
    EARSHOT_BACKUP_SCHEDULE: '0 4 1 1 *',
    EARSHOT_BACKUP_DRILL: '0 5 1 1 *',
    EARSHOT_BACKUP_S3_URL: 'http://127.0.0.1:1/bucket',
    EARSHOT_BACKUP_S3_KEY_ID: 'id',
    EARSHOT_BACKUP_S3_SECRET: 'secret',
    EARSHOT_LOG_LEVEL: 'fatal', // there is no such store
  };
  daemon = await startDaemon({ settings: { ...inSqlite, ...sets } });
  const scraped = await (await fetch(`${daemon.url}/metrics`)).text();
  const types = [...scraped.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  const series = types.flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  );
  names = new Set([...series, 'up']); // `up` is of Prometheus
});
afterAll(() => daemon.stop());

describe('examples/prometheus', () => {
  it.skipIf(!hasPromtool).each([
    ['the configuration', ['check', 'config', 'prometheus.yml']],
    ['the rules', ['check', 'rules', 'alerts.yml']],
    ['that each rule fires where it should, and none in health', ['test', 'rules', 'alerts.test.yml']],
  ])('promtool accepts %s', (_, command) => {
    const { status, stdout, stderr } = spawnSync('promtool', command, {
      cwd: join(examples, 'prometheus'),
      encoding: 'utf8',
    });
    expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' });
  });

  it.skipIf(!hasPromtool)('no rule fires on a day of the series that a daemon has when all is well', async () => {
    const own = await startDaemon({ settings: inSqlite });
    const folder = mkdtempSync(join(tmpdir(), 'earshot-recorded-'));
    const recorded = async () => {
      const text = await (await fetch(`${own.url}/metrics`)).text();
      const samples = [...text.matchAll(/^(\w+)\{(.*)\} (\S+)$/gm)];
      // As Prometheus stores them: a label of its own keeps its name, and the daemon's is renamed.
      return new Map(
        samples.map(([, name = '', labels = '', value = '']) => [
          `${name}{job="earshot", instance="a", ${labels.replace(/(^|,)job=/, '$1exported_job=')}}`,
          Number(value),
        ]),
      );
    };
    try {
      const first = await recorded();
      for (let calls = 0; calls < 20; calls += 1)
        await own.client.call(routes.participants.create, {
          params: { projectId: own.projectId },
          body: { externalUserId: `u${calls}` },
        });
      await sleep(1_100); // figures are of the second
      const last = await recorded();
      expect(last.size).toBeGreaterThan(100);
      const series = [...last].flatMap(([name, value]) =>
        // Other programs of this machine write to the disk, too.
        Number.isFinite(value)
          ? [{ series: name, values: `${name.includes('disk_free') ? value : (first.get(name) ?? 0)} ${value}+0x1438` }]
          : [],
      );
      const tests = [
        {
          interval: '1m',
          input_series: [...series, { series: 'up{job="earshot", instance="a"}', values: '1x1440' }],
          promql_expr_test: [
            { expr: 'count by (alertname) (count_over_time(ALERTS{alertstate="firing"}[1d]))', eval_time: '1d' },
          ],
        },
      ];
      const path = join(folder, 'recorded.yml');
      writeFileSync(path, JSON.stringify({ rule_files: [join(examples, 'prometheus/alerts.yml')], tests }));
      const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', path], { encoding: 'utf8' });
      expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' });
    } finally {
      await own.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('alerts on metrics of the daemon, and every alert is seen to fire', () => {
    const rules = Rules.parse(parse(text('prometheus/alerts.yml'))).groups.flatMap((group) => group.rules);
    const tested = text('prometheus/alerts.test.yml');
    for (const { alert, expr } of rules) {
      expect(namesIn(expr), alert).not.toEqual([]);
      expect(namesIn(expr).filter((name) => !names.has(name))).toEqual([]);
      expect(tested).toContain(`alertname="${alert}"`);
    }
  });
});

describe('examples/grafana/earshot.json', () => {
  it('asks in every panel for metrics that the daemon has', () => {
    const { panels, templating } = Dashboard.parse(JSON.parse(text('grafana/earshot.json')));
    const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const variables = templating.list.flatMap(({ query }) => (typeof query === 'string' ? [] : [query.query]));
    expect(queries.length).toBeGreaterThan(20);
    for (const query of [...queries, ...variables]) {
      expect(namesIn(query), query).not.toEqual([]);
      expect(namesIn(query).filter((name) => !names.has(name))).toEqual([]);
    }
  });

  it.skipIf(!hasPromtool)('has queries that Prometheus reads', () => {
    const { panels } = Dashboard.parse(JSON.parse(text('grafana/earshot.json')));
    const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const rules = queries.map((query, index) => ({
      record: `panel:${index}`,
      expr: query.replaceAll('$__rate_interval', '5m').replaceAll('$instance', 'a'),
    }));
    const file = join(mkdtempSync(join(tmpdir(), 'earshot-dashboard-')), 'rules.json');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] })); // JSON is YAML
    const { status, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
    rmSync(dirname(file), { recursive: true });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
