/** The compose file and the manifests for several daemons name settings that exist, and a UDP port for each room process. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { settingsSchema } from '../../daemon/platform/config/schema.js';

const text = (name: string) => readFileSync(fileURLToPath(new URL(`../../examples/${name}`, import.meta.url)), 'utf8');
const known = new Set(Object.keys(settingsSchema.shape));
const unknownOf = (names: readonly string[]) =>
  names.filter((name) => (name.startsWith('EARSHOT_') || name === 'DATABASE_URL') && !known.has(name));

const Service = z.object({
  environment: z.record(z.string(), z.unknown()),
  ports: z.array(z.string()).default([]),
});

it('examples/compose.yaml', () => {
  const file = z
    .object({ services: z.record(z.string(), z.unknown()) })
    .parse(parse(text('compose.yaml'), { merge: true }));
  for (const name of ['one', 'two']) {
    const { environment, ports } = Service.parse(file.services[name]);
    expect(unknownOf(Object.keys(environment))).toEqual([]);
    const { EARSHOT_MEDIA_PORT: port, EARSHOT_PUBLIC_URL: url } = environment;
    expect([ports, url]).toEqual([[`${port}:${port}/udp`], 'https://voice.example']);
  }
});

const Pod = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({
        terminationGracePeriodSeconds: z.number(),
        containers: z.tuple([
          z.object({
            env: z.array(z.object({ name: z.string(), value: z.string().optional() })),
            ports: z.array(z.object({ containerPort: z.number(), hostPort: z.number().optional() })),
            readinessProbe: z.object({ httpGet: z.object({ path: z.literal('/health/ready') }) }),
          }),
        ]),
      }),
    }),
  }),
});

it('examples/kubernetes/earshot.yaml', () => {
  const documents = parseAllDocuments(text('kubernetes/earshot.yaml')).map((one): unknown => one.toJS());
  const { spec } = Pod.parse(documents[0]).spec.template;
  const [{ env, ports }] = spec.containers;
  expect(unknownOf(env.map(({ name }) => name))).toEqual([]);
  const numberOf = (name: string) => Number(env.find((one) => one.name === name)?.value);
  const media = Array.from(
    { length: numberOf('EARSHOT_ROOM_PROCESSES') },
    (_, n) => numberOf('EARSHOT_MEDIA_PORT') + n,
  );
  expect(ports.flatMap(({ hostPort }) => hostPort ?? [])).toEqual(media);
  expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(numberOf('EARSHOT_STOP_DELAY_SECONDS') + 5);
});
