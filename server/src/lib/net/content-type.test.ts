import { describe, expect, it } from 'vitest'
import { detectContentType, unknownType } from './content-type.ts'

const typeOf = (name: string, head: string) => detectContentType(name, Buffer.from(head, 'latin1'))

const png = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'
const jpeg = '\xff\xd8\xff\xe0\0\x10JFIF'
const zip = 'PK\x03\x04\x14\0'

it.each([
  ['report.pdf', '%PDF-1.7\n', 'application/pdf'],
  ['Report.PDF', '%PDF-1.7\n', 'application/pdf'],
  ['a.png', png, 'image/png'],
  ['a.jpg', jpeg, 'image/jpeg'],
  ['a.gif', 'GIF89a\x01\0', 'image/gif'],
  ['a.webp', 'RIFF\x10\0\0\0WEBPVP8 ', 'image/webp'],
  ['IMG_1.HEIC', '\0\0\0\x18ftypheic', 'image/heic'],
  ['a.json', ' \n{"a": 1}', 'application/json'],
  ['a.json', '\xef\xbb\xbf[1]', 'application/json'],
  ['a.xml', '<?xml version="1.0"?><order/>', 'application/xml'],
  ['a.txt', 'Gr\xfc\xdfe,\r\n\tKim', 'text/plain'],
  ['a.txt', '', 'text/plain'],
  ['a.csv', 'a;b\n1;2\n', 'text/csv'],
  ['a.zip', zip, 'application/zip'],
  ['empty.zip', 'PK\x05\x06', 'application/zip'],
  ['a.docx', zip, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['a.xls', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'application/vnd.ms-excel'],
  ['a.odt', zip, 'application/vnd.oasis.opendocument.text'],
  ['a.mp4', '\0\0\0\x20ftypisom', 'video/mp4'],
  ['a.mp3', '\xff\xfb\x90\x64', 'audio/mpeg'],
  ['a.mp3', 'ID3\x04\0', 'audio/mpeg'],
])('detects the type of %s if its first bytes match', (name, head, type) => {
  expect(typeOf(name, head)).toBe(type)
})

it('detects the type of an image by its bytes, because the extension is often wrong', () => {
  expect(typeOf('a.png', jpeg)).toBe('image/jpeg')
})

describe('application/octet-stream', () => {
  it.each([
    ['HTML', 'a.html', '<html><script>alert(1)</script>'],
    ['XHTML', 'a.xhtml', '<html xmlns="http://www.w3.org/1999/xhtml"/>'],
    ['SVG', 'a.svg', '<svg onload="alert(1)"/>'],
    ['SVG named .xml', 'a.xml', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['SVG with a namespace prefix', 'a.xml', '<s:SVG xmlns:s="http://www.w3.org/2000/svg"/>'],
    ['XHTML named .xml', 'a.xml', '<html xmlns="http://www.w3.org/1999/xhtml"/>'],
    ['XML with a style sheet', 'a.xml', '<?xml-stylesheet href="a.xsl"?><a/>'],
    ['a script', 'a.js', 'alert(1)'],
    ['a module', 'a.mjs', 'alert(1)'],
    ['a style sheet', 'a.css', 'a{}'],
    ['a program', 'a.exe', 'MZ\x90'],
    ['Flash', 'a.swf', 'CWS\x09'],
    ['HTML named .pdf', 'a.pdf', '<html>'],
    ['SVG named .png', 'a.png', '<svg onload="alert(1)"/>'],
    ['an image named .html', 'a.html', png],
    ['text with NUL bytes', 'a.txt', 'a\0b'],
    ['invalid JSON', 'a.json', '<html>'],
    ['an empty image', 'a.png', ''],
    ['a name without an extension', 'README', 'hello'],
    ['a name that is only an extension', '.pdf', '%PDF-1.7'],
    ['a known extension followed by another one', 'a.pdf.exe', '%PDF-1.7'],
    ['an extension that is a property of every object', 'a.constructor', 'x'],
  ])('is the type of %s', (_, name, head) => {
    expect(typeOf(name, head)).toBe(unknownType)
  })
})
