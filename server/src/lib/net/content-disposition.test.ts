import { expect, it } from 'vitest'
import { formatAttachmentHeader, percentEncode } from './content-disposition.ts'

it.each([
  ['report.pdf', `attachment; filename="report.pdf"; filename*=UTF-8''report.pdf`],
  ['Prüfung (1).pdf', `attachment; filename="Prufung (1).pdf"; filename*=UTF-8''Pr%C3%BCfung%20%281%29.pdf`],
  ['報告.txt', `attachment; filename="__.txt"; filename*=UTF-8''%E5%A0%B1%E5%91%8A.txt`],
  ['🎉.zip', `attachment; filename="_.zip"; filename*=UTF-8''%F0%9F%8E%89.zip`],
  ['a"; filename=b.exe', `attachment; filename="a_; filename=b.exe"; filename*=UTF-8''a%22%3B%20filename%3Db.exe`],
  ['CON', `attachment; filename="_CON"; filename*=UTF-8''CON`],
  ["it's 100%\\.txt", `attachment; filename="it's 100__.txt"; filename*=UTF-8''it%27s%20100%25%5C.txt`],
  ['a\r\nSet-Cookie: x\0', `attachment; filename="a__Set-Cookie_ x_"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x%00`],
])('writes %j as ASCII and in full', (name, header) => {
  expect(formatAttachmentHeader(name)).toBe(header)
  expect(decodeURIComponent(percentEncode(name))).toBe(name)
})

it('writes one line of ASCII, whatever the name', () => {
  const everything = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).join('')
  expect(formatAttachmentHeader(`${everything}\ud800\u202e`)).toMatch(
    /^attachment; filename="[^"\\]*"; filename\*=UTF-8''[\w%.!~-]*$/,
  )
  expect(formatAttachmentHeader(`${everything}\ud800\u202e`)).toMatch(/^[\x20-\x7e]*$/)
})
