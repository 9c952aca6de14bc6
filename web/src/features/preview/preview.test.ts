import { expect, it } from 'vitest'
import { decode } from './preview-queries.ts'
import { swipeOf } from './swipe.ts'

const bytes = (...values: number[]) => new Uint8Array(values).buffer

it('reads UTF-8, also when its last letter is cut, and else what older programs write', () => {
  expect(decode(new TextEncoder().encode('Größe 🌊').buffer)).toBe('Größe 🌊')
  expect(decode(bytes(0x47, 0xc3, 0xb6, 0xc3))).toBe('Gö')
  expect(decode(bytes(0x47, 0xf6, 0xdf, 0x65))).toBe('Göße')
  expect(decode(bytes())).toBe('')
})

it('takes a finger that goes sideways for turning the page, and no other', () => {
  const from = { x: 200, y: 200 }
  expect(swipeOf(from, { x: 100, y: 210 })).toBe('next')
  expect(swipeOf(from, { x: 300, y: 190 })).toBe('previous')
  expect(swipeOf(from, { x: 170, y: 200 })).toBe(undefined)
  expect(swipeOf(from, { x: 100, y: 290 })).toBe(undefined)
})
