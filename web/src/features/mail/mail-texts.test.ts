import { expect, it } from 'vitest'
import { describeMailProblem } from './mail-texts.ts'

const describeUnavailable = (reason: string) => describeMailProblem(`The mail server is not available: ${reason}`)

it('explains why a mail server is not available, and keeps the technical error', () => {
  expect(describeUnavailable('getaddrinfo ENOTFOUND mail.acme.example')).toEqual({
    text: 'The mail server “mail.acme.example” was not found.',
    detail: 'getaddrinfo ENOTFOUND mail.acme.example',
  })
  expect(describeUnavailable('connect ECONNREFUSED 127.0.0.1:9').text).toMatch(/refused the connection/)
  expect(describeUnavailable('Greeting never received').text).toMatch(/didn’t answer/)
  expect(describeUnavailable('Invalid login: 535 5.7.8 Authentication failed').text).toMatch(/user name or the password/)
  expect(describeUnavailable("Hostname/IP does not match certificate's altnames").text).toMatch(/mail server’s certificate/)
})

it('shows other errors as they are', () => {
  expect(describeUnavailable('421 Closing')).toEqual({ text: 'The mail server is not available: 421 Closing' })
  expect(describeMailProblem('550 No such mailbox')).toEqual({ text: '550 No such mailbox' })
})
