import { expect, it } from 'vitest'
import { meaningOf } from './keys.ts'

const modifiers = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
const press = (key: string, more: object = {}) => ({
  key,
  ...modifiers,
  repeat: false,
  isComposing: false,
  defaultPrevented: false,
  ...more,
})
const calm = { isMac: false, isTyping: false, hasDialog: false, singleKeys: true }

it('Control and K find, and on a Mac Command and K; also while somebody writes', () => {
  expect(meaningOf(press('k', { ctrlKey: true }), calm)).toBe('find')
  expect(meaningOf(press('K', { ctrlKey: true }), calm)).toBe('find') // with caps lock
  expect(meaningOf(press('k', { ctrlKey: true }), { ...calm, isTyping: true, singleKeys: false })).toBe('find')
  expect(meaningOf(press('k', { metaKey: true }), { ...calm, isMac: true })).toBe('find')
  expect(meaningOf(press('k', { metaKey: true }), calm)).toBeUndefined()
  expect(meaningOf(press('k', { ctrlKey: true }), { ...calm, isMac: true })).toBeUndefined()
  expect(meaningOf(press('k'), calm)).toBeUndefined()
})

it('a slash and a question mark mean something with Shift or without it, as keyboards differ', () => {
  expect(meaningOf(press('/'), calm)).toBe('search')
  expect(meaningOf(press('/', { shiftKey: true }), calm)).toBe('search')
  expect(meaningOf(press('?', { shiftKey: true }), calm)).toBe('keys')
})

it.each([
  ['with another modifier', { altKey: true }, {}],
  ['with Control, which is the browser’s', { ctrlKey: true }, {}],
  ['with Command, which is the browser’s', { metaKey: true }, {}],
  ['held down', { repeat: true }, {}],
  ['as part of a letter that is being composed', { isComposing: true }, {}],
  ['that was meant for something else', { defaultPrevented: true }, {}],
  ['while somebody writes', {}, { isTyping: true }],
  ['while a dialog is open', {}, { hasDialog: true }],
  ['when single keys are turned off', {}, { singleKeys: false }],
])('a key means nothing %s', (_, more, circumstances) => {
  for (const key of ['/', '?']) expect(meaningOf(press(key, more), { ...calm, ...circumstances })).toBeUndefined()
})

it('nothing is found while a dialog is open, or with Shift as well', () => {
  expect(meaningOf(press('k', { ctrlKey: true }), { ...calm, hasDialog: true })).toBeUndefined()
  expect(meaningOf(press('k', { ctrlKey: true, shiftKey: true }), calm)).toBeUndefined()
})
