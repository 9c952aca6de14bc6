import { describe, expect, it } from 'vitest'
import { checkRow, emptySelection, findByName, getPress, pressRow, type Selection, toggleAll } from './selection.ts'

const keys = ['a', 'b', 'c', 'd', 'e']
const select = (selected: string, anchor?: string): Selection => ({ selected: new Set(selected), anchor })
const show = ({ selected }: Selection) => [...selected].sort().join('')

describe('a press on a row', () => {
  it('selects only that row', () => {
    expect(pressRow(select('ab', 'b'), keys, 'd', 'plain')).toEqual(select('d', 'd'))
  })

  it('adds or removes the row with Control', () => {
    const added = pressRow(select('a', 'a'), keys, 'c', 'toggle')
    expect(added).toEqual(select('ac', 'c'))
    expect(pressRow(added, keys, 'a', 'toggle')).toEqual(select('c', 'a'))
  })

  it('selects a range with Shift, and keeps its starting row for the next range', () => {
    const range = pressRow(select('b', 'b'), keys, 'd', 'range')
    expect(range).toEqual(select('bcd', 'b'))
    expect(pressRow(range, keys, 'a', 'range')).toEqual(select('ab', 'b'))
  })

  it('adds a range with Control and Shift', () => {
    expect(show(pressRow(select('ac', 'c'), keys, 'e', 'add-range'))).toBe('acde')
  })

  it('selects one row with Shift if no row was pressed before, or if that row is gone', () => {
    expect(show(pressRow(emptySelection, keys, 'c', 'range'))).toBe('c')
    expect(show(pressRow(select('x', 'x'), keys, 'c', 'range'))).toBe('c')
  })
})

it('applies the new state of a checkbox to all rows up to it with Shift', () => {
  const checked = checkRow(checkRow(emptySelection, keys, 'b', false), keys, 'd', true)
  expect(show(checked)).toBe('bcd')
  expect(show(checkRow(checkRow(checked, keys, 'b', false), keys, 'c', true))).toBe('d')
})

it('selects all rows, and none if all are selected', () => {
  const all = toggleAll(select('b', 'b'), keys)
  expect(show(all)).toBe('abcde')
  expect(show(toggleAll(all, keys))).toBe('')
})

it('reads the modifiers of a press', () => {
  const none = { shiftKey: false, ctrlKey: false, metaKey: false }
  expect(getPress(none)).toBe('plain')
  expect(getPress({ ...none, ctrlKey: true })).toBe('toggle')
  expect(getPress({ ...none, metaKey: true })).toBe('toggle')
  expect(getPress({ ...none, shiftKey: true })).toBe('range')
  expect(getPress({ ...none, shiftKey: true, ctrlKey: true })).toBe('add-range')
})

describe('typing a name', () => {
  const names = ['Accounts', 'Bank', 'Balance', 'bills', 'Offer 2', 'Offer 10']

  it('finds the next name with this first character, and starts again at the top', () => {
    expect(findByName(names, 0, 'b')).toBe(1)
    expect(findByName(names, 1, 'b')).toBe(2)
    expect(findByName(names, 3, 'b')).toBe(1)
    expect(findByName(names, 1, 'bb')).toBe(2)
  })

  it('stays on the current name while it still matches', () => {
    expect(findByName(names, 1, 'ba')).toBe(1)
    expect(findByName(names, 1, 'bal')).toBe(2)
    expect(findByName(names, -1, 'offer 1')).toBe(5)
  })

  it('finds nothing in an empty list, or without a match', () => {
    expect(findByName([], -1, 'a')).toBeUndefined()
    expect(findByName(names, 0, 'x')).toBeUndefined()
  })
})
