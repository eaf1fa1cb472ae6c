/** What the log says of a mail server that is away: whoever waits for a code is sent to the operator, who reads it. */
import { expect, it } from 'vitest';
import { SmtpMail } from '../../../daemon/platform/mail/smtp.js';
import { freePort } from '../../support/free-port.js';
import { logLines } from '../../support/log-lines.js';
import { startSmtpReceiver } from '../../support/smtp-receiver.js';

it('is away: one line when it begins, at error, and one when it has ended', async () => {
  const { lines, log } = logLines();
  const port = await freePort();
  const mail = new SmtpMail(`smtp://earshot:postman@127.0.0.1:${port}`, 'voice@studio.example', log);
  const send = (to: string) => mail.send({ to, subject: 'Code', text: '123456' });
  expect([await send('ann@studio.example'), await send('bob@studio.example')]).toEqual([false, false]);
  expect(lines).toEqual(['error emails cannot be sent; check EARSHOT_SMTP_URL']);

  const receiver = await startSmtpReceiver({ port, unknown: 'nobody@studio.example' });
  try {
    expect(await send('nobody@studio.example')).toBe(false); // one address is not the server
    expect([await send('ann@studio.example'), await send('bob@studio.example')]).toEqual([true, true]);
    expect(lines.slice(1)).toEqual(['warn the mail server refused an email', 'info emails can be sent again']);
  } finally {
    mail.close();
    await receiver.stop();
  }
});
