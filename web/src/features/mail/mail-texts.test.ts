import { expect, it } from 'vitest'
import { describeMailProblem } from './mail-texts.ts'

const unavailable = (reason: string) => describeMailProblem(`The mail server is not available: ${reason}`)

it('explains why a mail server is not available, and keeps the technical error', () => {
  expect(unavailable('getaddrinfo ENOTFOUND mail.acme.example')).toEqual({
    text: 'The mail server “mail.acme.example” was not found.',
    detail: 'getaddrinfo ENOTFOUND mail.acme.example',
  })
  expect(unavailable('connect ECONNREFUSED 127.0.0.1:9').text).toMatch(/refused the connection/)
  expect(unavailable('Greeting never received').text).toMatch(/didn’t answer/)
  expect(unavailable('Invalid login: 535 5.7.8 Authentication failed').text).toMatch(/user name or the password/)
  expect(unavailable("Hostname/IP does not match certificate's altnames").text).toMatch(/mail server’s certificate/)
})

it('shows other errors as they are', () => {
  expect(unavailable('421 Closing')).toEqual({ text: 'The mail server is not available: 421 Closing' })
  expect(describeMailProblem('550 No such mailbox')).toEqual({ text: '550 No such mailbox' })
})
