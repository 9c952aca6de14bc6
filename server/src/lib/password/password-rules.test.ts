import { expect, it } from 'vitest'
import { isWeakPassword } from './password-rules.ts'

const kim = ['Kim Doe', 'kim.doe@acme.example', 'Acme GmbH']

it.each([
  'password1234',
  'passwordpassword',
  'P@ssw0rd2026!!',
  'administrator',
  '123456789012',
  'qwertyuiop123',
  '1q2w3e4r5t6y',
  'zyxwvutsrqponm',
  'aaaaaaaaaaaa',
  '            ',
  'iloveyou1234',
  'welcome2026!!',
  'kimdoe-acme-2026',
  'AcmeGmbH12345',
  'neptune-neptune',
  'kim.doe@acme.example',
  'Kim.Doe@acme.example!1',
  'Chesterfield',
  'q1w2e3r4t5y6u7',
])('rejects %s as weak', (password) => {
  expect(isWeakPassword(password, kim)).toBe(true)
})

it.each([
  'correct horse battery staple',
  'analytical engine',
  'a long enough password',
  'vXq8-Lw2m-Zt5k',
  'Grüße aus Köln am Rhein',
  '世界でいちばん長い川は',
  'esj85-dg4hx-sjcg1-wkf14',
])('accepts %s', (password) => {
  expect(isWeakPassword(password, kim)).toBe(false)
})
