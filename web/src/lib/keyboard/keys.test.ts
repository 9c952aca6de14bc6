import { expect, it } from 'vitest'
import { getShortcut } from './keys.ts'

const modifiers = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
const press = (key: string, more: object = {}) => ({
  key,
  ...modifiers,
  repeat: false,
  isComposing: false,
  defaultPrevented: false,
  ...more,
})
const idle = { isMac: false, isTyping: false, hasDialog: false, singleKeys: true }

it('opens the search with Control+K, or Command+K on a Mac, also while typing', () => {
  expect(getShortcut(press('k', { ctrlKey: true }), idle)).toBe('find')
  expect(getShortcut(press('K', { ctrlKey: true }), idle)).toBe('find') // with caps lock
  expect(getShortcut(press('k', { ctrlKey: true }), { ...idle, isTyping: true, singleKeys: false })).toBe('find')
  expect(getShortcut(press('k', { metaKey: true }), { ...idle, isMac: true })).toBe('find')
  expect(getShortcut(press('k', { metaKey: true }), idle)).toBeUndefined()
  expect(getShortcut(press('k', { ctrlKey: true }), { ...idle, isMac: true })).toBeUndefined()
  expect(getShortcut(press('k'), idle)).toBeUndefined()
})

it('accepts / and ? with or without Shift, because keyboard layouts differ', () => {
  expect(getShortcut(press('/'), idle)).toBe('search')
  expect(getShortcut(press('/', { shiftKey: true }), idle)).toBe('search')
  expect(getShortcut(press('?', { shiftKey: true }), idle)).toBe('keys')
})

it.each([
  ['with another modifier', { altKey: true }, {}],
  ['with Control', { ctrlKey: true }, {}],
  ['with Command', { metaKey: true }, {}],
  ['held down', { repeat: true }, {}],
  ['during text composition', { isComposing: true }, {}],
  ['already handled elsewhere', { defaultPrevented: true }, {}],
  ['while typing', {}, { isTyping: true }],
  ['while a dialog is open', {}, { hasDialog: true }],
  ['when single-key shortcuts are turned off', {}, { singleKeys: false }],
])('ignores / and ? %s', (_, more, context) => {
  for (const key of ['/', '?']) expect(getShortcut(press(key, more), { ...idle, ...context })).toBeUndefined()
})

it('ignores Control+K while a dialog is open, or with Shift', () => {
  expect(getShortcut(press('k', { ctrlKey: true }), { ...idle, hasDialog: true })).toBeUndefined()
  expect(getShortcut(press('k', { ctrlKey: true, shiftKey: true }), idle)).toBeUndefined()
})
