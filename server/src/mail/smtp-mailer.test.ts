import { createServer } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { parseSmtpUrl } from '../lib/net/mail-server.ts'
import { getConnectionOptions, sendBySmtp } from './smtp-mailer.ts'

const readTlsOptions = (url: string) => {
  const { secure, requireTLS, tls } = getConnectionOptions(parseSmtpUrl(url))
  return { secure, requireTLS, isVerified: tls?.rejectUnauthorized }
}

it('parses host, port, user and password from the URL', () => {
  expect(parseSmtpUrl('smtp://files%40acme.example:p%3Ass@mail.acme.example')).toEqual({
    host: 'mail.acme.example',
    port: 587,
    isTls: false,
    user: 'files@acme.example',
    password: 'p:ss',
  })
  expect(parseSmtpUrl('smtps://mail.acme.example')).toMatchObject({ port: 465, isTls: true, user: undefined })
  expect(parseSmtpUrl('smtp://[::1]:2525')).toMatchObject({ host: '::1', port: 2525 })
})

it('requires TLS and a valid certificate if there is a password', () => {
  expect(readTlsOptions('smtp://a:b@mail.acme.example')).toEqual({ secure: false, requireTLS: true, isVerified: true })
  expect(readTlsOptions('smtps://a:b@mail.acme.example')).toEqual({ secure: true, requireTLS: false, isVerified: true })
})

it('requires a valid certificate from a host whose name looks like a local address', () => {
  expect(readTlsOptions('smtps://a:b@127.mail.example').isVerified).toBe(true)
})

it('does not require TLS without a password, or on localhost', () => {
  expect(readTlsOptions('smtp://mail.acme.example')).toEqual({ secure: false, requireTLS: false, isVerified: false })
  expect(readTlsOptions('smtp://a:b@localhost:2525')).toEqual({ secure: false, requireTLS: false, isVerified: false })
})

const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Starts a mail server that rejects every sign-in, and quotes what it received. */
async function startQuotingServer(): Promise<number> {
  const server = createServer((socket) => {
    let received = ''
    socket.on('error', () => undefined)
    socket.write('220 ready\r\n')
    socket.on('data', (data) => {
      const line = data.toString().trim()
      received += ` ${line} ${line
        .split(' ')
        .map((word) => Buffer.from(word, 'base64').toString().replaceAll('\0', ' '))
        .join(' ')}`
      if (line.startsWith('EHLO')) socket.write('250-quoting\r\n250 AUTH PLAIN LOGIN\r\n')
      else socket.write(`535 no: ${received.replaceAll(/[^ -~]/g, '')}\r\n`)
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as { port: number }).port
}

it('never repeats the password, even if the mail server quotes it', async () => {
  const server = { host: '127.0.0.1', port: await startQuotingServer(), isTls: false, user: 'kim', password: 'hunter2 x' }
  const message = {
    id: 'm1',
    from: { name: 'Acme', address: 'files@acme.example' },
    to: 'rob@client.example',
    date: new Date(),
    language: 'en' as const,
    subject: 'Hi',
    text: 'Hi',
    html: 'Hi',
  }
  const error = await sendBySmtp(server, message, async () => true).catch((error: Error) => error)
  expect(String(error)).toContain('no:')
  for (const form of ['hunter2', Buffer.from('hunter2 x').toString('base64'), Buffer.from('\0kim\0hunter2 x').toString('base64')])
    expect(String(error)).not.toContain(form)
})
