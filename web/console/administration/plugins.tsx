import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { z } from 'zod';
import {
  type Plugin,
  type PluginInstanceWithPlugin,
  pluginInstanceRoutes,
  pluginRoutes,
} from '../../../src/contract/plugins/plugins.js';
import { useProject } from '../frame/project.js';
import { Act } from '../parts/act.js';
import { CliLine, commandLine, type Flag } from '../parts/copy.js';
import { Dialog } from '../parts/dialog.js';
import { JsonView } from '../parts/json-view.js';
import { Panel } from '../parts/page.js';
import { Refusal } from '../parts/refusal.js';
import { SchemaForm } from '../parts/schema-form.js';
import { useFilter } from '../parts/use-filter.js';
import { useRead } from '../parts/use-read.js';
import { client } from '../session/session.js';
import { useWords } from '../words/all-words.js';

export default function Plugins() {
  const own = useWords().administration;
  const { params, may } = useProject();
  const [open, setOpen] = useFilter('open');
  const { data: plugins = [], error } = useRead(pluginRoutes.list, {});
  const { data: installed, error: failed } = useRead(pluginInstanceRoutes.list, { params });
  const instanceOf = ({ slug }: Plugin) => installed?.find(({ pluginId }) => pluginId === slug);
  const opened = plugins.find(({ slug }) => slug === open);
  if (installed === undefined) return <Refusal error={error ?? failed} />;
  return (
    <>
      <Refusal error={error} />
      <div className="cards">
        {plugins.map((plugin) => (
          <Panel
            key={plugin.slug}
            title={plugin.name}
            actions={<State plugin={plugin} instance={instanceOf(plugin)} onSettings={() => setOpen(plugin.slug)} />}
          >
            <p className="quiet">{plugin.description}</p>
            <p>
              <code>{plugin.slug}</code> {plugin.version}
            </p>
          </Panel>
        ))}
      </div>
      <CliLine line={commandLine('plugins', 'installed')} />
      <Dialog opened={opened !== undefined} onClose={() => setOpen('')} title={opened?.name} size="lg">
        {opened !== undefined &&
          (may('admin') ? (
            <Settings plugin={opened} instance={instanceOf(opened)} onDone={() => setOpen('')} />
          ) : (
            <JsonView value={instanceOf(opened)?.settings ?? opened.defaultSettings} label={own.settings} />
          ))}
      </Dialog>
    </>
  );
}

interface OfPlugin {
  readonly plugin: Plugin;
  readonly instance: PluginInstanceWithPlugin | undefined;
}

function State({ plugin, instance, onSettings }: OfPlugin & { readonly onSettings: () => void }) {
  const own = useWords().administration;
  const { params, may } = useProject();
  if (instance === undefined)
    return (
      <>
        <span className="badge">{own.notInstalled}</span>
        {may('admin') && (
          <Button size="compact-xs" variant="default" onClick={onSettings}>
            {own.install}…
          </Button>
        )}
      </>
    );
  const { id, enabled, setAside } = instance;
  const path = { params: { ...params, id } };
  return (
    <>
      <span className={`badge ${enabled ? 'good' : 'warn'}`}>{enabled ? own.enabled : own.disabled}</span>
      {setAside > 0 && <span className="badge bad">{own.setAside(setAside)}</span>}
      <Button size="compact-xs" variant="default" onClick={onSettings}>
        {own.settings}…
      </Button>
      {may('admin') && (
        <>
          {setAside > 0 && (
            <Act
              label={own.resume}
              run={() => client.call(pluginInstanceRoutes.resume, path)}
              line={commandLine('plugins', 'resume', plugin.slug)}
            />
          )}
          <Act
            label={enabled ? own.disable : own.enable}
            run={() => client.call(pluginInstanceRoutes.update, { ...path, body: { enabled: !enabled } })}
            line={commandLine('plugins', enabled ? 'disable' : 'enable', plugin.slug)}
          />
          <Act
            label={own.uninstall}
            tone="red"
            confirm={own.uninstallText}
            run={() => client.call(pluginInstanceRoutes.remove, path)}
            line={commandLine('plugins', 'uninstall', plugin.slug)}
          />
        </>
      )}
    </>
  );
}

/** The plugin states its settings as JSON Schema; the form is made from that. */
function Settings({ plugin, instance, onDone }: OfPlugin & { readonly onDone: () => void }) {
  const words = useWords();
  const { params } = useProject();
  const schema = useMemo(() => {
    const read = z.fromJSONSchema(plugin.settingsSchema as Parameters<typeof z.fromJSONSchema>[0]);
    return read instanceof z.ZodObject ? read.partial() : z.object({});
  }, [plugin.settingsSchema]);
  const start = { ...plugin.defaultSettings, ...instance?.settings };
  const send = (changed: Readonly<Record<string, unknown>>) => {
    const settings = { ...start, ...changed } as typeof plugin.defaultSettings;
    return instance === undefined
      ? client.call(pluginInstanceRoutes.create, { params, body: { pluginId: plugin.slug, settings } })
      : client.call(pluginInstanceRoutes.update, { params: { ...params, id: instance.id }, body: { settings } });
  };
  return (
    <SchemaForm
      schema={schema}
      start={start}
      send={send}
      onDone={onDone}
      submit={instance === undefined ? words.administration.install : words.save}
      line={(_, changed) =>
        commandLine(
          ...['plugins', instance === undefined ? 'install' : 'update', plugin.slug],
          ...Object.entries(changed).flatMap(([name, value]): Flag[] => [
            ['--set', `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`],
          ]),
        )
      }
    />
  );
}
