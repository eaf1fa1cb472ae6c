/** Statements for the DSA Transparency Database, judged by its public documentation, version of 1 July 2025. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { sanctionTemplateRoutes } from '../../src/contract/moderation/sanction-templates.js';
import { type CreateSanctionRequest, sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { publicStatementRoutes } from '../../src/contract/stats/public-statements.js';
import { commandLine } from '../support/cli.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';

const YesNo = z.enum(['Yes', 'No']);
const DateText = z.iso.date();
const EndDate = DateText.nullish();
const text = (max: number) => z.string().min(1).max(max);
// https://transparency.dsa.ec.europa.eu/page/api-documentation, "Statement Attributes". It refuses no unknown field; this does.
const Documented = z
  .strictObject({
    decision_visibility: z
      .array(
        z.enum([
          'DECISION_VISIBILITY_CONTENT_REMOVED',
          'DECISION_VISIBILITY_CONTENT_DISABLED',
          'DECISION_VISIBILITY_CONTENT_DEMOTED',
          'DECISION_VISIBILITY_CONTENT_AGE_RESTRICTED',
          'DECISION_VISIBILITY_CONTENT_INTERACTION_RESTRICTED',
          'DECISION_VISIBILITY_CONTENT_LABELLED',
          'DECISION_VISIBILITY_OTHER',
        ]),
      )
      .min(1)
      .optional(),
    decision_visibility_other: text(500).optional(),
    decision_provision: z
      .enum([
        'DECISION_PROVISION_PARTIAL_SUSPENSION',
        'DECISION_PROVISION_TOTAL_SUSPENSION',
        'DECISION_PROVISION_PARTIAL_TERMINATION',
        'DECISION_PROVISION_TOTAL_TERMINATION',
      ])
      .optional(),
    decision_account: z.enum(['DECISION_ACCOUNT_SUSPENDED', 'DECISION_ACCOUNT_TERMINATED']).optional(),
    account_type: z.enum(['ACCOUNT_TYPE_BUSINESS', 'ACCOUNT_TYPE_PRIVATE']).optional(),
    decision_facts: text(5_000),
    decision_ground: z.enum(['DECISION_GROUND_ILLEGAL_CONTENT', 'DECISION_GROUND_INCOMPATIBLE_CONTENT']),
    illegal_content_legal_ground: text(500).optional(),
    illegal_content_explanation: text(2_000).optional(),
    incompatible_content_ground: text(500).optional(),
    incompatible_content_explanation: text(2_000).optional(),
    content_type: z
      .array(
        z.enum([
          ...(['CONTENT_TYPE_APP', 'CONTENT_TYPE_AUDIO', 'CONTENT_TYPE_IMAGE', 'CONTENT_TYPE_PRODUCT'] as const),
          ...([
            'CONTENT_TYPE_SYNTHETIC_MEDIA',
            'CONTENT_TYPE_TEXT',
            'CONTENT_TYPE_VIDEO',
            'CONTENT_TYPE_OTHER',
          ] as const),
        ]),
      )
      .min(1),
    content_type_other: text(500).optional(),
    category: z.enum([
      'STATEMENT_CATEGORY_ANIMAL_WELFARE',
      'STATEMENT_CATEGORY_CONSUMER_INFORMATION',
      'STATEMENT_CATEGORY_CYBER_VIOLENCE',
      'STATEMENT_CATEGORY_CYBER_VIOLENCE_AGAINST_WOMEN',
      'STATEMENT_CATEGORY_DATA_PROTECTION_AND_PRIVACY_VIOLATIONS',
      'STATEMENT_CATEGORY_ILLEGAL_OR_HARMFUL_SPEECH',
      'STATEMENT_CATEGORY_INTELLECTUAL_PROPERTY_INFRINGEMENTS',
      'STATEMENT_CATEGORY_NEGATIVE_EFFECTS_ON_CIVIC_DISCOURSE_OR_ELECTIONS',
      'STATEMENT_CATEGORY_NOT_SPECIFIED_NOTICE',
      'STATEMENT_CATEGORY_OTHER_VIOLATION_TC',
      'STATEMENT_CATEGORY_PROTECTION_OF_MINORS',
      'STATEMENT_CATEGORY_RISK_FOR_PUBLIC_SECURITY',
      'STATEMENT_CATEGORY_SCAMS_AND_FRAUD',
      'STATEMENT_CATEGORY_SELF_HARM',
      'STATEMENT_CATEGORY_UNSAFE_AND_PROHIBITED_PRODUCTS',
      'STATEMENT_CATEGORY_VIOLENCE',
    ]),
    territorial_scope: z.array(z.string().regex(/^[A-Z]{2}$/)).min(1),
    content_date: DateText,
    application_date: DateText,
    end_date_account_restriction: EndDate,
    end_date_service_restriction: EndDate,
    end_date_visibility_restriction: EndDate,
    source_type: z.enum([
      'SOURCE_ARTICLE_16',
      'SOURCE_TRUSTED_FLAGGER',
      'SOURCE_TYPE_OTHER_NOTIFICATION',
      'SOURCE_VOLUNTARY',
    ]),
    automated_detection: YesNo,
    automated_decision: z.enum([
      'AUTOMATED_DECISION_FULLY',
      'AUTOMATED_DECISION_PARTIALLY',
      'AUTOMATED_DECISION_NOT_AUTOMATED',
    ]),
    puid: z.string().regex(/^[\w-]{1,500}$/),
  })
  .refine(
    (one) => one.decision_visibility ?? one.decision_provision ?? one.decision_account,
    'one of the decisions is required',
  )
  .refine(
    (one) =>
      one.decision_ground === 'DECISION_GROUND_ILLEGAL_CONTENT'
        ? one.illegal_content_legal_ground !== undefined && one.illegal_content_explanation !== undefined
        : one.incompatible_content_ground !== undefined && one.incompatible_content_explanation !== undefined,
    'the ground and its explanation are required',
  )
  .refine((one) => !one.content_type.includes('CONTENT_TYPE_OTHER') || one.content_type_other !== undefined)
  .refine(
    (one) =>
      one.decision_visibility?.includes('DECISION_VISIBILITY_OTHER') !== true ||
      one.decision_visibility_other !== undefined,
  )
  .refine((one) =>
    [one.end_date_account_restriction, one.end_date_service_restriction, one.end_date_visibility_restriction].every(
      (end) => typeof end !== 'string' || end >= one.application_date,
    ),
  );

describeDaemonsOnEachDatabase('statements for the DSA Transparency Database', (start) => {
  let daemon: TestDaemon;
  const shell = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
  beforeAll(async () => {
    daemon = await start();
    const body = { reason: 'Insults', ground: { kind: 'terms' as const, reference: 'Terms of use, 4.2' } };
    const params = { ...project(), name: 'insults' };
    await daemon.client.call(sanctionTemplateRoutes.set, { params, body });
    for (const one of imposed)
      await daemon.client.call(sanctionRoutes.create, {
        params: project(),
        body: { ...one, externalUserId: 'Ann Example' },
      });
  });
  afterAll(async () => {
    await daemon.stop();
    shell.dispose();
  });
  const project = () => ({ projectId: daemon.projectId });
  const page = (query: object = {}) => daemon.client.call(publicStatementRoutes.export, { params: project(), query });

  const imposed: Omit<CreateSanctionRequest, 'externalUserId'>[] = [
    { type: 'warn', reason: 'First warning' },
    { type: 'mute', duration: 600, template: 'insults', source: 'report' },
    { type: 'shadow_mute', duration: 600, reason: 'Ann Example of Sometown again' },
    { type: 'temp_ban', duration: 86_400, source: 'order' },
    {
      type: 'perm_ban',
      ground: { kind: 'law', reference: 'Ann Example, case 4', explanation: 'Ann Example threatened Bob' },
    },
    {
      type: 'queue_delay',
      duration: 600,
      template: 'insults',
      reason: 'Ann Example leaves',
      parameters: { delaySeconds: 60 },
    },
  ];

  it('are as the database documents them', async () => {
    const { statements, next } = await page();
    for (const one of statements) expect(Documented.safeParse(one).error?.issues).toBeUndefined();
    expect(next).toBeNull();
    expect(
      statements.map((one) => one.decision_account ?? one.decision_provision ?? one.decision_visibility?.[0]),
    ).toEqual([
      'DECISION_PROVISION_PARTIAL_SUSPENSION',
      'DECISION_VISIBILITY_OTHER',
      'DECISION_ACCOUNT_TERMINATED',
      'DECISION_PROVISION_PARTIAL_SUSPENSION',
    ]);
    expect(statements.map(({ source_type: source }) => source)).toEqual([
      ...['SOURCE_ARTICLE_16', 'SOURCE_VOLUNTARY'], // none under an order: Article 17(5)
      ...['SOURCE_VOLUNTARY', 'SOURCE_VOLUNTARY'],
    ]);
  });

  it('have the texts of templates, and none that moderators wrote', async () => {
    const { statements } = await page();
    expect(statements[0]).toMatchObject({
      incompatible_content_ground: 'Terms of use, 4.2',
      decision_facts: expect.stringMatching(/^Insults\. /),
    });
    expect(JSON.stringify(statements)).not.toMatch(/Ann|Bob|Sometown/);
  });

  it('come in pages, and in a file', async () => {
    const first = await page({ limit: 2 });
    const second = await page({ limit: 2, after: first.next });
    const third = await page({ limit: 2, after: second.next });
    const all = [first, second, third].flatMap(({ statements }) => statements);
    expect(all).toEqual((await page()).statements);
    const file = join(shell.config, 'statements.ndjson');
    const args = ['stats', 'statements', '--project', daemon.projectId, '--since', '1h', '--out', file];
    expect(await shell.run(args)).toMatchObject({ code: 0, stderr: expect.stringContaining('4 statements.') });
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(all);
  });
});
