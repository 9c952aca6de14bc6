import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createPageWriter, type PageBrand } from './branded-page.ts'
import { createTextFile } from './send-file.ts'

const html = `<!doctype html>
<html lang="en">
  <head>
    <title>Neptune</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <link rel="stylesheet" crossorigin href="/assets/style.css">
  </head>
  <body><div id="root"></div></body>
</html>
`
const page = createTextFile('.html', html)
const plain: PageBrand = { title: null, data: {}, stylesheet: undefined, icon: undefined }

const write = (brand: Partial<PageBrand>) => createPageWriter(page)({ ...plain, ...brand }).plain.toString()
/** Returns the data block as a browser reads it: up to the first end tag. */
const findBlock = (text: string) => /<script type="application\/json" id="brand">([\s\S]*?)<\/script/i.exec(text)?.[1] ?? ''

it('sends the built page unchanged if there is no brand', () => {
  expect(createPageWriter(page)(undefined)).toBe(page)
})

it('writes data, title, icon and styles into the page, the styles after its own', () => {
  const text = write({
    title: 'Keller & Partner',
    data: { name: 'Keller & Partner' },
    stylesheet: '/brand/006eb3-x.css',
    icon: '/brand/a.png',
  })
  expect(text).toBe(
    html
      .replace('<title>Neptune</title>', '<title>Keller &#38; Partner</title>')
      .replace(/<link rel="icon".*/, '<link rel="icon" href="/brand/a.png" type="image/png" />')
      .replace(
        '  </head>',
        `    <link rel="stylesheet" href="/brand/006eb3-x.css" />
    <script type="application/json" id="brand">{"name":"Keller \\u0026 Partner"}</script>
  </head>`,
      ),
  )
})

it('reuses the compressed page as long as the brand is the same object, and gives another brand another ETag', () => {
  const writePage = createPageWriter(page)
  const brand = { ...plain, data: { welcome: 'Welcome. '.repeat(200) } }
  const first = writePage(brand)
  expect(writePage(brand)).toBe(first)
  expect(writePage({ ...brand, title: 'Acme' }).etag).not.toBe(first.etag)
  expect(brotliDecompressSync(first.br ?? '')).toEqual(first.plain)
  expect(gunzipSync(first.gzip ?? '')).toEqual(first.plain)
})

describe('P56: text from a brand is escaped in the page', () => {
  it.each([
    '</script><script>alert(1)</script>',
    '<!--<script>',
    '</title><img src=x onerror=alert(1)>',
    '"><script src=//example.com></script>',
    "' onload='alert(1)",
    'a\u2028b\u2029c',
    '\r\n\r\nSet-Cookie: a=b',
    "$& $` $' $1 $$",
    '&lt;b&gt; &#60;script&#62;',
    '{{constructor.constructor("alert(1)")()}}',
    '\\u003cscript\\u003e',
  ])('%j', (text) => {
    const written = write({ title: text, data: { name: text, nested: [text] } })
    expect(findBlock(written)).not.toMatch(/[<>&\u2028\u2029]/)
    expect(JSON.parse(findBlock(written))).toEqual({ name: text, nested: [text] })
    const title = /<title>([\s\S]*?)<\/title>/.exec(written)?.[1] ?? ''
    expect(title).not.toMatch(/[<>"']/)
    expect(title.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))).toBe(text)
    // Outside of the title and the block, nothing has changed.
    const rest = written
      .replace(/<title>[\s\S]*?<\/title>/, () => '')
      .replace(/ *<script type="application\/json"[\s\S]*?<\/script>\n/, () => '')
    expect(rest).toBe(html.replace('<title>Neptune</title>', ''))
  })
})
