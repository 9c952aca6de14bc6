import { expect, test } from 'vitest'
import { findRecipientsError, readRecipients } from './recipients.ts'

test('reads addresses separated by commas, semicolons, spaces or line breaks, each once', () => {
  expect(readRecipients(' ann@a.example, rob@b.example;kim@c.example\nANN@A.example ')).toEqual([
    'ANN@A.example',
    'rob@b.example',
    'kim@c.example',
  ])
  expect(readRecipients(' , ;')).toEqual([])
})

test('reports the first invalid address, and limits the number of addresses', () => {
  expect(findRecipientsError('')).toEqual({})
  expect(findRecipientsError('ann@a.example')).toEqual({})
  expect(findRecipientsError('ann@a.example, rob, kim')).toEqual({ recipients: '“rob” isn’t an email address.' })
  const many = Array.from({ length: 21 }, (_, n) => `${n}@a.example`).join()
  expect(findRecipientsError(many)).toEqual({ recipients: 'Enter at most 20 addresses.' })
})
