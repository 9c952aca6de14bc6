import { describe, expect, it } from 'vitest'
import { cleanSvg } from './clean-svg.ts'

const clean = (svg: string) => cleanSvg(Buffer.from(svg))?.toString()
/** Puts markup into an SVG of 30 × 10 units. */
const wrap = (markup: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10">${markup}</svg>`
const root =
  '<svg viewBox="0 0 30 10" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="960" height="320">'

describe('an SVG that is accepted', () => {
  it('keeps its shapes, styles and inner references, in the size of a logo', () => {
    const shapes = '<defs><linearGradient id="a"><stop offset="1"/></linearGradient></defs><path d="M0 0h9" fill="url(#a)"/>'
    expect(clean(wrap(shapes))).toBe(
      `${root}<defs><linearGradient id="a"><stop offset="1"></stop></linearGradient></defs><path d="M0 0h9" fill="url(#a)"></path></svg>`,
    )
    expect(clean(wrap('<style><![CDATA[.a>g{fill:red}]]></style>'))).toBe(`${root}<style>.a&gt;g{fill:red}</style></svg>`)
    expect(clean(wrap('<use xlink:href="#a" x="1"/>'))).toBe(`${root}<use x="1" xlink:href="#a"></use></svg>`)
  })

  it('may have the declarations that drawing programs write', () => {
    const doctype = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'
    const declared = `\ufeff<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- made by hand -->\n${doctype}\n${wrap('<g/>')}\n`
    expect(clean(declared)).toBe(`${root}<g></g></svg>`)
    expect(clean(`<svg:svg xmlns:svg="http://www.w3.org/2000/svg" viewBox="0 0 30 10"><svg:g/></svg:svg>`)).toContain('<g></g>')
  })

  it.each([
    ['width="30" height="10"', '960', '320'],
    ['width="30mm" height="20mm"', '480', '320'],
    ['viewBox="0 0 30000 30000" width="9in" height="1%"', '320', '320'],
    ['viewBox="-5,-5,1000000,1"', '960', '1'],
  ])('is drawn in the size of a logo, whatever size it states: %s', (size, width, height) => {
    expect(clean(`<svg ${size}/>`)).toContain(` width="${width}" height="${height}"`)
  })

  it('loses scripts, event handlers, HTML, metadata, animations and filters', () => {
    const markup = `<script>alert(1)</script><g onload="alert(1)"/><foreignObject><body>html</body></foreignObject><title>t</title>
      <metadata xmlns:rdf="r"><rdf:RDF/></metadata><set attributeName="x"/><filter id="f"><feImage href="file:///a"/></filter>
      <a href="javascript:alert(1)" target="x"><g inkscape:label="x" xml:base="file:///"/></a><!-- a comment -->`
    expect(clean(wrap(markup))).toBe(`${root}<g></g><a target="x"><g></g></a></svg>`)
  })
})

describe('P56: an SVG is rejected', () => {
  const references = {
    'an image in a file': '<image href="file:///etc/passwd"/>',
    'an image on a server': '<image xlink:href="https://example.com/a.png"/>',
    'an image in a data URL': '<image href="data:image/png;base64,iVBORw0K"/>',
    'a shape in another file': '<use href="other.svg#a"/>',
    'a hidden reference': '<use href="&#x66;ile:///a"/>',
    'a gradient in another file': '<linearGradient id="a" xlink:href="file:///a.svg#b"/>',
    'a paint server in another file': '<path fill="url(file:///a.svg#b)"/>',
    'a quoted URL': '<path style="fill:URL( &quot;https://example.com/#a&quot; )"/>',
    'an escaped URL': '<path style="fill:u\\72l(https://example.com)"/>',
    'a URL with an escaped backslash': '<path style="fill:u&#92;72l(https://example.com)"/>',
    'an imported stylesheet': '<style>@import "https://example.com/a.css";</style>',
    'an import around a comment': '<style>@imp<!-- -->ort "https://example.com/a.css";</style>',
    'an import around CDATA': '<style><![CDATA[@imp]]>ort "https://example.com/a.css";</style>',
    'a URL around a comment': '<style>a{fill:ur<!-- -->l(https://example.com)}</style>',
    'a font in a style': '<style>@font-face{src:url(data:font/woff2;base64,d09G)}</style>',
    'text, whose font is unknown': '<text>Acme</text>',
    'an entity': '<g id="&ext;"/>',
    'an entity in text': '<g>&ext;</g>',
    'an invalid character': '<g id="&#0;"/>',
  }
  it.each(Object.entries(references))('with %s', (_, markup) => {
    expect(clean(wrap(markup))).toBeUndefined()
  })

  const bombs = Array.from({ length: 9 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join('')
  const documents = {
    'entities that expand a billion times': `<!DOCTYPE svg [<!ENTITY e0 "x">${bombs}]>${wrap('<g id="&e9;"/>')}`,
    'an external entity': `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${wrap('&x;')}`,
    'an external DTD': `<!DOCTYPE svg SYSTEM "https://example.com/a.dtd">${wrap('')}`,
    'entities in the usual DOCTYPE': `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/a.dtd" [<!ENTITY a "b">]>${wrap('')}`,
    'a stylesheet instruction': `<?xml-stylesheet href="file:///a.css"?>${wrap('')}`,
    'another encoding': `<?xml version="1.0" encoding="utf-7"?>${wrap('')}`,
    'another root': '<html><svg viewBox="0 0 1 1"/></html>',
    'two roots': `${wrap('')}${wrap('')}`,
    'text after its end': `${wrap('')}PK\u0003\u0004`,
    'a missing end': wrap('').replace('</svg>', ''),
    'ends in the wrong order': wrap('<g><path></g></path>'),
    'an attribute without quotes': wrap('<g id=a/>'),
    'no size': '<svg/>',
    'a size in percent': '<svg width="100%" height="100%"/>',
    'an infinite size': '<svg viewBox="0 0 1e999 1"/>',
    'an empty size': '<svg viewBox="0 0 0 0"/>',
    'deep nesting': wrap('<g>'.repeat(200) + '</g>'.repeat(200)),
    'too many elements': wrap('<g/>'.repeat(30_000)),
    'no content': '',
  }
  it.each(Object.entries(documents))('with %s', (_, svg) => {
    expect(clean(svg)).toBeUndefined()
  })

  it('in another encoding, or compressed', () => {
    expect(cleanSvg(Buffer.from(`\ufeff${wrap('')}`, 'utf16le'))).toBeUndefined()
    expect(cleanSvg(Buffer.from(wrap(''), 'utf16le'))).toBeUndefined()
    expect(cleanSvg(Buffer.from([0x1f, 0x8b, 8, 0]))).toBeUndefined()
  })
})
