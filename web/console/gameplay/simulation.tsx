/** Draws what `earshotd simulate --json` found: the simulation itself runs where the daemon is installed. */
import { Button, FileButton } from '@mantine/core';
import { type DragEvent, useState } from 'react';
import { z } from 'zod';
import { judge, problemLines } from '../../../src/contract/judge.js';
import { known } from '../parts/answer.js';
import { Chart } from '../parts/chart.js';
import { Copying } from '../parts/copy.js';
import { textOfFile } from '../parts/file-text.js';
import { Panel } from '../parts/page.js';
import { PlainTable } from '../parts/plain-table.js';
import { useWords } from '../words/all-words.js';

const Reached = z.object({
  name: z.string(),
  reached: z.int(),
  share: z.number(),
  onDay: z.object({ median: z.number() }).nullable(),
  overTime: z.array(z.number()),
});
const SimulationReport = z.object({
  players: z.int(),
  events: z.int(),
  startsAt: z.string(),
  endsAt: z.string(),
  battlePasses: z.array(z.object({ name: z.string(), levels: z.array(Reached) })),
  challenges: z.array(Reached),
  leaderboards: z.array(
    z.object({ key: z.string(), members: z.int(), best: z.number().nullable(), median: z.number().nullable() }),
  ),
});
type SimulationReport = z.infer<typeof SimulationReport>;
type Reached = z.infer<typeof Reached>;

const command = 'earshotd simulate --file season.yaml --players 1000 --days 14 --json > outcome.json';
const linesMax = 5;
const percent = (share: number): number => Math.round(share * 1_000) / 10;

export default function Simulation() {
  const own = useWords().gameplay;
  const [report, setReport] = useState<SimulationReport | null>(null);
  const [mistakes, setMistakes] = useState<readonly string[]>([]);
  const read = async (file: File | null | undefined) => {
    if (!file) return;
    try {
      const judged = judge(SimulationReport, JSON.parse(await textOfFile(file)));
      setReport(judged.success ? judged.data : null);
      setMistakes(judged.success ? [] : problemLines(judged.problems, file.name).slice(0, linesMax));
    } catch (error) {
      setReport(null);
      setMistakes([`${file.name}: ${error instanceof Error ? error.message : String(error)}`]);
    }
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    void read(event.dataTransfer.files[0]);
  };
  return (
    <>
      <section
        className="empty drop"
        aria-label={own.simulation}
        onDragOver={(event) => event.preventDefault()}
        onDrop={onDrop}
      >
        <p>{own.simulationText}</p>
        <p className="cli-line">
          <code>{command}</code> <Copying value={command} label={command} />
        </p>
        <FileButton onChange={read} accept="application/json">
          {(props) => <Button {...props}>{own.chooseFile}</Button>}
        </FileButton>
      </section>
      {mistakes.map((mistake) => (
        <p className="bad" key={mistake}>
          {mistake}
        </p>
      ))}
      {report !== null && <Outcome report={report} />}
    </>
  );
}

function Outcome({ report }: { readonly report: SimulationReport }) {
  const own = useWords().gameplay;
  const { players, events, startsAt, endsAt, battlePasses, challenges, leaderboards } = report;
  return (
    <div className="stack">
      <p>{own.simulated(players, events, startsAt.slice(0, 10), endsAt.slice(0, 10))}</p>
      {challenges.length > 0 && <Completion title={own.challenges} of={challenges} />}
      {battlePasses.map(({ name, levels }) => (
        <Completion
          key={name}
          title={name}
          of={levels.map((level, index) => ({ ...level, name: level.name || String(index + 1) }))}
        />
      ))}
      <Panel title={own.boards}>
        <PlainTable
          head={[own.name, own.players, own.best, own.median]}
          of={known(leaderboards.map(({ key, members, best, median }) => [key, members, best ?? '–', median ?? '–']))}
        />
      </Panel>
    </div>
  );
}

/** How many reach each, and how that grows over the season. */
function Completion({ title, of }: { readonly title: string; readonly of: readonly Reached[] }) {
  const own = useWords().gameplay;
  const drawn = of.slice(0, linesMax);
  const points = drawn[0]?.overTime.length ?? 0;
  const rows = Array.from({ length: points }, (_, point) => ({
    time: `${Math.round((point / Math.max(1, points - 1)) * 100)} %`,
    ...Object.fromEntries(drawn.map(({ overTime }, index) => [`s${index}`, percent(overTime[point] ?? 0)])),
  }));
  return (
    <Panel title={title}>
      <div className="columns">
        <Chart
          label={own.completion}
          by="name"
          rows={of.map(({ name, share }) => ({ name, share: percent(share) }))}
          series={[{ key: 'share', label: own.completion }]}
          kind="bars"
        />
        <Chart
          label={own.overTime}
          by="time"
          rows={rows}
          series={drawn.map(({ name }, index) => ({ key: `s${index}`, label: name }))}
        />
      </div>
    </Panel>
  );
}
