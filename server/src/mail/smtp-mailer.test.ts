import { expect, it } from 'vitest'
import { parseSmtpUrl } from './smtp-mailer.ts'

const readTlsOptions = (url: string) => {
  const { secure, requireTLS, tls } = parseSmtpUrl(url)
  return { secure, requireTLS, isVerified: tls?.rejectUnauthorized }
}

it('parses host, port, user and password from the URL', () => {
  expect(parseSmtpUrl('smtp://files%40acme.example:p%3Ass@mail.acme.example')).toMatchObject({
    host: 'mail.acme.example',
    port: 587,
    auth: { user: 'files@acme.example', pass: 'p:ss' },
  })
  expect(parseSmtpUrl('smtps://mail.acme.example')).toMatchObject({ port: 465, secure: true, auth: undefined })
  expect(parseSmtpUrl('smtp://[::1]:2525')).toMatchObject({ host: '::1', port: 2525 })
})

it('requires TLS and a valid certificate if there is a password', () => {
  expect(readTlsOptions('smtp://a:b@mail.acme.example')).toEqual({ secure: false, requireTLS: true, isVerified: true })
  expect(readTlsOptions('smtps://a:b@mail.acme.example')).toEqual({ secure: true, requireTLS: false, isVerified: true })
})

it('does not require TLS without a password, or on localhost', () => {
  expect(readTlsOptions('smtp://mail.acme.example')).toEqual({ secure: false, requireTLS: false, isVerified: false })
  expect(readTlsOptions('smtp://a:b@localhost:2525')).toEqual({ secure: false, requireTLS: false, isVerified: false })
})
