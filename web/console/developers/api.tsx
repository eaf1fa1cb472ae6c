import { baseUrl } from '../../base.js';
import { useProject } from '../frame/project.js';
import { accountLine, CliLine, Copying, commandLine } from '../parts/copy.js';
import { Facts } from '../parts/facts.js';
import { Panel } from '../parts/page.js';
import { useWords } from '../words/all-words.js';

export default function Api() {
  const own = useWords().developers;
  const { project } = useProject();
  const request = `curl -H "X-API-Key: $EARSHOT_API_KEY" ${baseUrl}/api/projects/${project.id}/sanctions`;
  return (
    <div className="columns">
      <Panel title={own.api}>
        <p>{own.apiText}</p>
        <Facts
          of={[
            [own.baseUrl, <Value key="url" value={baseUrl} />],
            [own.project, <Value key="project" value={project.id} />],
            [
              own.operations,
              <a key="docs" href={`${baseUrl}/docs`} target="_blank" rel="noreferrer">
                /docs
              </a>,
            ],
            [
              own.openapi,
              <a key="openapi" href={`${baseUrl}/api/openapi.json`} target="_blank" rel="noreferrer">
                /api/openapi.json
              </a>,
            ],
          ]}
        />
        <p className="cli-line">
          <code>{request}</code> <Copying value={request} label={own.copyRequest} />
        </p>
      </Panel>
      <Panel title={own.tools}>
        <p>{own.toolsText}</p>
        <CliLine line={accountLine('events', 'schema')} />
        <CliLine line={commandLine('events', 'tail')} />
        <CliLine line={commandLine('trigger')} />
        <CliLine line={commandLine('webhooks', 'test', 'WEBHOOK')} />
        <CliLine line={accountLine('game-events', 'catalogue')} />
      </Panel>
    </div>
  );
}

const Value = ({ value }: { readonly value: string }) => (
  <>
    <code>{value}</code> <Copying value={value} label={value} />
  </>
);
