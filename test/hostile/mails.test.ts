/** Emails that one key or member causes: so many an hour, and names in them are no part of their heads. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { projectRoutes, projectUserRoutes } from '../../src/contract/projects/projects.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { signIn } from '../support/room-client.js';
import { scale } from '../support/scale.js';
import { type SmtpReceiver, startSmtpReceiver } from '../support/smtp-receiver.js';

const limit = scale(20, 200);
const asked = scale(60, 900);
const headWords = 'Bcc: eve@example.com Subject: prize\u202e';

let mail: SmtpReceiver;
let daemon: DaemonProcess;
beforeAll(async () => {
  mail = await startSmtpReceiver();
  daemon = new DaemonProcess(
    {
      EARSHOT_SMTP_URL: mail.url,
      EARSHOT_MAIL_FROM: 'games@example.com',
      EARSHOT_MAILS_PER_HOUR: String(limit),
      EARSHOT_RATE_LIMIT_CREDENTIAL: '0',
    },
    rentedMachine,
  );
  await daemon.start();
});
afterAll(async () => {
  await daemon.dispose();
  await mail.stop();
});

/** The lines of the subject, joined. */
const subjectOf = (raw: string): string => /^Subject:(.*(?:\r?\n[ \t].*)*)/im.exec(raw)?.[1] ?? '';

describe('emails', { timeout: 120_000 }, () => {
  it('are so many for all members and keys of a tenant, and their heads are ours', async () => {
    const { client, projectId } = await signIn(daemon.url);
    const { id } = await client.call(projectRoutes.create, { body: { name: headWords } });
    const links: (string | null)[] = [];
    await watchingHealth(daemon, `${asked} invitations by email`, async () => {
      for (let index = 0; index < asked; index += 1) {
        const body = { email: `p${index}@example.com`, role: 'viewer' as const };
        const { invitationUrl } = await client.call(projectUserRoutes.invite, { params: { projectId: id }, body });
        links.push(invitationUrl);
      }
    });
    expect(links.filter((link) => link === null)).toHaveLength(limit);
    await eventually(() => expect(mail.letters).toHaveLength(limit));
    for (const { to, raw } of mail.letters) {
      expect(to).toHaveLength(1);
      const head = raw.split(/\r?\n\r?\n/)[0] ?? '';
      expect(head).not.toMatch(/^Bcc:/im);
      expect(head.match(/^Subject:/gim)).toHaveLength(1);
      expect(subjectOf(head)).toContain('Bcc eve@example.com Subject prize');
    }

    const gathering = { name: 'Evening', participants: [{ email: 'late@example.com' }] };
    await expect(client.call(gatheringRoutes.create, { params: { projectId }, body: gathering })).rejects.toMatchObject(
      {
        status: 429,
      },
    );
    expect(mail.letters).toHaveLength(limit);
  });
});
