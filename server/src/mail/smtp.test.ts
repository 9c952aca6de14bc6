import { expect, it } from 'vitest'
import { readSmtpUrl } from './smtp.ts'

const tls = (url: string) => {
  const { secure, requireTLS, tls } = readSmtpUrl(url)
  return { secure, requireTLS, isProven: tls?.rejectUnauthorized }
}

it('reads who, where and how', () => {
  expect(readSmtpUrl('smtp://files%40acme.example:p%3Ass@mail.acme.example')).toMatchObject({
    host: 'mail.acme.example',
    port: 587,
    auth: { user: 'files@acme.example', pass: 'p:ss' },
  })
  expect(readSmtpUrl('smtps://mail.acme.example')).toMatchObject({ port: 465, secure: true, auth: undefined })
  expect(readSmtpUrl('smtp://[::1]:2525')).toMatchObject({ host: '::1', port: 2525 })
})

it('sends a password over TLS alone, to a server that proves its name', () => {
  expect(tls('smtp://a:b@mail.acme.example')).toEqual({ secure: false, requireTLS: true, isProven: true })
  expect(tls('smtps://a:b@mail.acme.example')).toEqual({ secure: true, requireTLS: false, isProven: true })
})

it('takes TLS as it comes where there is no password to lose, and on this machine', () => {
  expect(tls('smtp://mail.acme.example')).toEqual({ secure: false, requireTLS: false, isProven: false })
  expect(tls('smtp://a:b@localhost:2525')).toEqual({ secure: false, requireTLS: false, isProven: false })
})
