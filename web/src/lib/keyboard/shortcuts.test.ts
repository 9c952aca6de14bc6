import { expect, it } from 'vitest'
import { getShortcut } from './shortcuts.ts'

const modifiers = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
const createPress = (key: string, overrides: object = {}) => ({
  key,
  ...modifiers,
  repeat: false,
  isComposing: false,
  defaultPrevented: false,
  ...overrides,
})
const defaultContext = { isMac: false, isTyping: false, hasDialog: false, hasSingleKeys: true }

it('opens the search with Control+K, or Command+K on a Mac, even while typing', () => {
  expect(getShortcut(createPress('k', { ctrlKey: true }), defaultContext)).toBe('find')
  expect(getShortcut(createPress('K', { ctrlKey: true }), defaultContext)).toBe('find') // with caps lock
  expect(getShortcut(createPress('k', { ctrlKey: true }), { ...defaultContext, isTyping: true, hasSingleKeys: false })).toBe(
    'find',
  )
  expect(getShortcut(createPress('k', { metaKey: true }), { ...defaultContext, isMac: true })).toBe('find')
  expect(getShortcut(createPress('k', { metaKey: true }), defaultContext)).toBeUndefined()
  expect(getShortcut(createPress('k', { ctrlKey: true }), { ...defaultContext, isMac: true })).toBeUndefined()
  expect(getShortcut(createPress('k'), defaultContext)).toBeUndefined()
})

it('accepts / and ? with or without Shift, because keyboard layouts differ', () => {
  expect(getShortcut(createPress('/'), defaultContext)).toBe('search')
  expect(getShortcut(createPress('/', { shiftKey: true }), defaultContext)).toBe('search')
  expect(getShortcut(createPress('?', { shiftKey: true }), defaultContext)).toBe('keys')
})

it.each([
  ['with Alt', { altKey: true }, {}],
  ['with Control', { ctrlKey: true }, {}],
  ['with Command', { metaKey: true }, {}],
  ['held down', { repeat: true }, {}],
  ['during text composition', { isComposing: true }, {}],
  ['already handled elsewhere', { defaultPrevented: true }, {}],
  ['while typing', {}, { isTyping: true }],
  ['while a dialog is open', {}, { hasDialog: true }],
  ['when single-key shortcuts are turned off', {}, { hasSingleKeys: false }],
])('ignores / and ? %s', (_, overrides, context) => {
  for (const key of ['/', '?'])
    expect(getShortcut(createPress(key, overrides), { ...defaultContext, ...context })).toBeUndefined()
})

it('ignores Control+K while a dialog is open, or with Shift', () => {
  expect(getShortcut(createPress('k', { ctrlKey: true }), { ...defaultContext, hasDialog: true })).toBeUndefined()
  expect(getShortcut(createPress('k', { ctrlKey: true, shiftKey: true }), defaultContext)).toBeUndefined()
})
