import { expect, it } from 'vitest'
import { decodeText } from './preview-queries.ts'
import { detectSwipe } from './swipe.ts'

const bytes = (...values: number[]) => new Uint8Array(values).buffer

it('decodes UTF-8, even with the last character cut off, and otherwise Windows-1252', () => {
  expect(decodeText(new TextEncoder().encode('Größe 🌊').buffer)).toBe('Größe 🌊')
  expect(decodeText(bytes(0x47, 0xc3, 0xb6, 0xc3))).toBe('Gö')
  expect(decodeText(bytes(0x47, 0xf6, 0xdf, 0x65))).toBe('Göße')
  expect(decodeText(bytes())).toBe('')
})

it('detects a horizontal swipe, and ignores short or steep movements', () => {
  const from = { x: 200, y: 200 }
  expect(detectSwipe(from, { x: 100, y: 210 })).toBe('next')
  expect(detectSwipe(from, { x: 300, y: 190 })).toBe('previous')
  expect(detectSwipe(from, { x: 170, y: 200 })).toBe(undefined)
  expect(detectSwipe(from, { x: 100, y: 290 })).toBe(undefined)
})
