import { deriveAccent, languages } from '@neptune/contract'
import { describe, expect, it, vi } from 'vitest'
import { emails } from './emails/emails.ts'
import { toMime } from './mime.ts'
import { createSamples, fullBrand, renderSample } from './testing.ts'

const samples = Object.keys(createSamples())

const render = (language: (typeof languages)[number], name: string, foreign = '') => {
  const write = createSamples(foreign)[name]
  if (!write) throw new Error(name)
  return renderSample(write, language)
}

const collapse = (text: string) => text.replaceAll(/^> /gm, '').replaceAll(/\s+/g, ' ').trim()

/** Returns the texts and addresses that the HTML shows, without the heading, which is the subject, and the hint below the button. */
function readHtml(html: string): string[] {
  const [, body = ''] = /<h1.*?<\/h1>(.*)<\/body>/s.exec(html) ?? []
  const decode = (text: string) => text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
  const texts = body.replaceAll(/<!--.*?-->/gs, '').split(/<[^>]+>/)
  const addresses = [...body.matchAll(/href="([^"]+)"/g)].map(([, address = '']) => address)
  return [...texts, ...addresses].map((text) => collapse(decode(text))).filter((text) => text !== '' && text !== '·')
}

describe.each(languages)('emails in %s', (language) => {
  it.each(samples)('say the same in plain text as in HTML: %s', (name) => {
    const { html, text, subject } = render(language, name)
    const plain = collapse(text)
    const missing = readHtml(html).filter((part) => !plain.includes(part) && !/[^/]*files\.keller\.example$/.test(part))
    expect(missing.filter((part) => !part.endsWith(':'))).toEqual([]) // the hint below the button
    expect(html).toContain(`<html lang="${language}"`)
    for (const part of [subject, text, html.replaceAll(/<style>.*<\/style>/gs, '')])
      expect(part).not.toMatch(/\{\w+\}|undefined|\[object|NaN/)
  })

  it('have the logos, the legal links and the name of the product', () => {
    const { html, text } = render(language, 'file link')
    expect(html).toContain(
      'src="https://files.keller.example/brand/light.png" width="144" height="48" alt="Keller &#38; Partner"',
    )
    expect(html).toContain('src="https://files.keller.example/brand/dark.png" width="144" height="48" alt="Keller &#38; Partner"')
    for (const part of [
      'https://keller.example/imprint',
      'https://keller.example/privacy',
      'Neptune',
      'Welcome to our client portal.',
    ])
      for (const body of [html, text]) expect(body).toContain(part)
  })
})

it('has a sample of every kind of email', () => {
  const kinds = Object.keys(emails) as (keyof typeof emails)[]
  const spies = kinds.map((kind) => vi.spyOn(emails, kind))
  createSamples()
  expect(kinds.filter((_, index) => spies[index]?.mock.calls.length === 0)).toEqual([])
  vi.restoreAllMocks()
})

it('renders a different text in each language', () => {
  for (const name of samples) expect(new Set(languages.map((language) => render(language, name).text)).size, name).toBe(6)
})

describe('text from people', () => {
  const attack = '\r\nBcc: eve@evil.example\u2028<img src=x onerror=alert(1)>"\'\u202e{name}'

  it.each(languages)('is only text, on one line, in %s', (language) => {
    for (const name of samples) {
      const { subject, text, html } = render(language, name, attack)
      expect(html, name).not.toMatch(/<img src=x|onerror=alert\(1\)>/)
      for (const part of [subject, text, html]) expect(part, name).not.toMatch(/[\r\u2028\u202e]/)
      for (const part of [subject, html]) expect(part, name).not.toMatch(/^Bcc:/m) // lines of the text are wrapped
    }
  })

  it('is not turned into a link in an email about security if a stranger may have chosen it', () => {
    const url = 'https://files.keller.example/account'
    const agent = 'curl/8.5.0 see https://evil.example/login, www.evil.example'
    const signIns = [{ at: '2026-11-18T13:05:00.000Z', client: '192.0.2.7', agent }]
    const notices = [emails.newSignIn({ name: 'Kim', signIns, url }), emails.passkeyCopied({ name: 'Kim', passkey: agent, url })]
    for (const { text, html } of notices.map((write) => renderSample(write, 'en')))
      for (const body of [text, html]) {
        expect(body).not.toMatch(/evil\.example|https:\/\/evil/)
        expect(collapse(body)).toContain('curl/8.5.0 see https[:]//evil[.]example/login')
      }
  })

  it('adds no header', async () => {
    const { subject, text, html } = render('en', 'file link', attack)
    const person = { name: `Kim${attack}`, address: 'kim@acme.example' }
    const message = { language: 'en' as const, subject: `Hi${attack}`, text, html, from: person, replyTo: person }
    for (const title of [subject, message.subject]) {
      const mime = await toMime({ ...message, subject: title, id: 'm1', to: 'rob@client.example', date: new Date() })
      const [head = ''] = mime.toString().split('\r\n\r\n')
      expect(head).not.toMatch(/^Bcc:/im)
      expect(head).toMatch(/^Content-Language: en$/m)
      expect(head.match(/^[\w-]+:/gm)).toHaveLength(new Set(head.match(/^[\w-]+:/gm)).size)
    }
  })

  it('is not decoded by mail programs if it looks like an encoded header (RFC 2047)', async () => {
    const name = '=?utf-8?q?=0D=0ABcc:_eve=40evil.example?= =?utf-8?b?4oCu?='
    const person = { name, address: 'kim@acme.example' }
    const message = { language: 'en' as const, subject: name, text: 'a', html: 'a', from: person, replyTo: person }
    const mime = await toMime({ ...message, id: 'm1', to: 'rob@client.example', date: new Date() })
    const [head = ''] = mime.toString().split('\r\n\r\n')
    expect(head).toContain('= ?utf-8?q?=0D=0ABcc:_eve=40evil.example?= = ?utf-8?b?4oCu?=')
    expect(head).not.toContain('=?utf-8?')
  })

  it('is escaped in the brand', () => {
    const text = `<b>"'&${attack}`
    const brand = {
      ...fullBrand,
      welcome: text,
      imprintUrl: `https://x.example/${text}`,
      privacyUrl: `https://x.example/${text}`,
    }
    const write = createSamples()['file link']
    const { html } = renderSample(write as NonNullable<typeof write>, 'en', { organisation: text, brand })
    expect(html).not.toMatch(/<b>|<img src=x|"'&[^#]/)
  })
})

describe('the look of an email', () => {
  const write = createSamples()['file link'] as NonNullable<ReturnType<typeof createSamples>[string]>

  it('is that of Neptune without a brand', () => {
    const logos = { light: null, dark: null }
    const brand = { ...fullBrand, isNamed: false, logos, accent: null, welcome: null, imprintUrl: null, privacyUrl: null }
    const { html, text } = renderSample(write, 'en', { organisation: 'Neptune', brand })
    expect(html).not.toContain('<img')
    expect(html).toContain('background:#006eb3')
    expect(text).toMatch(/-- \nhttps:\/\/files\.keller\.example\nPowered by Neptune\n$/)
  })

  it.each(['#000000', '#aa3377', '#949494'])(
    'has a button in the accent colour %s, with text that is readable on it',
    (accent) => {
      const { html } = renderSample(write, 'en', { brand: { ...fullBrand, accent } })
      const { light, dark } = deriveAccent(accent)
      expect(html).toContain(`background:${light.fill};color:${light.onFill};font-weight:600`)
      expect(html).toContain(`.button{background:${dark.fill}!important;border-color:${dark.fill}!important;color:${dark.onFill}`)
    },
  )

  it('has a plate under a single logo, in the theme that it was not made for', () => {
    const [light, dark] = [fullBrand.logos.light, fullBrand.logos.dark]
    const renderWith = (logos: typeof fullBrand.logos) => renderSample(write, 'en', { brand: { ...fullBrand, logos } }).html
    expect(renderWith({ light, dark: null })).toContain('<img class="plate" src="https://files.keller.example/brand/light.png"')
    expect(renderWith({ light: null, dark })).toMatch(/brand\/dark\.png"[^>]*padding:8px/)
  })
})

it('shows the access code once in the HTML, and not in the subject or the preview text', () => {
  const { subject, html } = render('en', 'file link')
  expect(subject).not.toContain('ABCD')
  expect(html.match(/ABCD-2345-EFGH/g)).toHaveLength(1)
  expect(/<div style="display:none">(.*?)<\/div>/.exec(html)?.[1]).not.toContain('ABCD')
})
