/** How far the players of a challenge are. */
import { type Challenge, challengeRoutes } from '../../../src/contract/gameplay/challenges.js';
import { useProject } from '../frame/project.js';
import { Chart } from '../parts/chart.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { Panel } from '../parts/page.js';
import { Refusal } from '../parts/refusal.js';
import { useRead } from '../parts/use-read.js';
import { useWords } from '../words/all-words.js';
import { textOf } from './text-of.js';

export function Completion({ challenge: { id, name } }: { readonly challenge: Challenge }) {
  const words = useWords().gameplay;
  const { params } = useProject();
  const { data, error } = useRead(
    challengeRoutes.completion,
    { params: { ...params, id } },
    { refetchInterval: 10_000 },
  );
  return (
    <Panel title={words.howFar}>
      <Refusal error={error} />
      {data?.completedShare === null && <p className="quiet">{words.nobodyHasIt}</p>}
      {data !== undefined && data.completedShare !== null && (
        <>
          <p>{words.completedBy(Math.round(data.completedShare * 100), data.players, data.complete)}</p>
          <Chart
            label={words.howFar}
            by="state"
            kind="bars"
            height={180}
            series={[{ key: 'players', label: words.players }]}
            rows={(['unlock', 'unlocked', 'inProgress', 'unclaimed', 'finished'] as const).map((state) => ({
              state: words.progressStates[state],
              players: data[state],
            }))}
          />
        </>
      )}
      <CliLine line={commandLine('challenges', 'completion', textOf(name))} />
    </Panel>
  );
}
