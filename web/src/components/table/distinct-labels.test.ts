import { expect, it } from 'vitest'
import { createDistinctLabels } from './distinct-labels.ts'

const createLabels = (rows: [label: string, detail?: string][]) =>
  createDistinctLabels(
    rows,
    ([label]) => label,
    ([, detail]) => detail,
  ).map(({ label }) => label)

it('keeps a label that occurs once', () => {
  expect(
    createLabels([
      ['Plans', 'k1'],
      ['Offers', 'k2'],
    ]),
  ).toEqual(['Plans', 'Offers'])
})

it('adds the detail to labels that occur several times', () => {
  expect(
    createLabels([
      ['Plans', 'k1'],
      ['Offers', 'k2'],
      ['Plans', 'k3'],
    ]),
  ).toEqual(['Plans, k1', 'Offers', 'Plans, k3'])
})

it('numbers rows whose details are the same or missing', () => {
  expect(
    createLabels([
      ['Plans', 'k'],
      ['Plans', 'k'],
      ['Plans', 'l'],
    ]),
  ).toEqual(['Plans, k, 1', 'Plans, k, 2', 'Plans, l'])
  expect(createLabels([['Firefox'], ['Firefox']])).toEqual(['Firefox, 1', 'Firefox, 2'])
})
