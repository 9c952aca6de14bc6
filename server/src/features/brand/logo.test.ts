import { logoMaxBytes } from '@neptune/contract'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { watchDrawing } from '../../media/testing.ts'
import { drawSvg, openBrandedOffice } from './testing.ts'

const none = { light: null, dark: null }
const logo = { url: expect.stringMatching(/^\/brand\/[\w-]{22}\.png$/), width: 480, height: 160 }

describe('a logo of the organisation', () => {
  it('is served to everyone as the PNG that Neptune drew, and can be cached forever', async () => {
    await using office = await openBrandedOffice()
    const { light } = await office.setLogo(office.ofOrganisation, drawSvg('red'))
    expect(light).toEqual(logo)
    const reply = await office.call('GET', light?.url ?? '')
    expect(reply.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      etag: `"${light?.url.slice('/brand/'.length)}"`,
    })
    expect(await sharp(reply.rawPayload).metadata()).toMatchObject({ format: 'png', width: 480, height: 160 })
    expect((await office.call('GET', light?.url ?? '', { 'if-none-match': String(reply.headers['etag']) })).statusCode).toBe(304)
    expect((await office.call('HEAD', light?.url ?? '')).body).toBe('')
  })

  it('can differ for light and dark pages, and gets a new URL only if its content changes', async () => {
    await using office = await openBrandedOffice()
    const first = await office.setLogo(office.ofOrganisation, drawSvg('red'))
    expect(first).toEqual({ light: logo, dark: null })
    const both = await office.setLogo(office.ofOrganisation, drawSvg('white'), 'dark')
    expect(both).toEqual({ light: first.light, dark: logo })
    expect(both.dark?.url).not.toBe(first.light?.url)
    expect(await office.setLogo(office.ofOrganisation, drawSvg('red'))).toEqual(both)
    expect((await office.data('GET', '/v1/admin/settings', office.admin)).logos).toEqual(both)
    expect(await office.data('DELETE', '/v1/admin/settings/logo/light', office.admin)).toEqual({ light: null, dark: logo })
    expect(await office.data('DELETE', '/v1/admin/settings/logo/light', office.admin)).toEqual({ light: null, dark: logo })
    const [red, white] = [first.light?.url, both.dark?.url].map((url) => url?.slice(7, 15))
    expect((await office.listEntries('settings.changed')).map(({ name, note }) => [name, note])).toEqual([
      ['appearance.logo_light', `not set → ${red}`],
      ['appearance.logo_dark', `not set → ${white}`],
      ['appearance.logo_light', `${red} → not set`],
    ])
  })

  it('is not lost when both are set at the same time, and leaves the version of its section unchanged', async () => {
    await using office = await openBrandedOffice()
    const before = (await office.data('GET', '/v1/admin/settings', office.admin)).appearance.version
    await Promise.all([
      office.setLogo(office.ofOrganisation, drawSvg('red')),
      office.setLogo(office.ofOrganisation, drawSvg('white'), 'dark'),
    ])
    const { logos, appearance } = await office.data('GET', '/v1/admin/settings', office.admin)
    expect(logos).toEqual({ light: logo, dark: logo })
    expect(appearance.version).toBe(before)
  })
})

describe('a logo of a company', () => {
  it('is set and removed by admins, recorded, and part of the company’s details', async () => {
    await using office = await openBrandedOffice()
    const { light } = await office.setLogo(office.ofAcme, drawSvg('red'))
    expect(light).toEqual(logo)
    const read = async () => (await office.data('GET', `/v1/company/${office.acme}`, office.kim)).brand
    expect(await read()).toEqual({ name: null, logos: { light, dark: null } })
    expect((await office.data('GET', '/v1/admin/settings', office.admin)).logos).toEqual(none)
    expect(await office.data('DELETE', `${office.ofAcme}/logo/light`, office.admin)).toEqual(none)
    expect(await read()).toEqual({ name: null, logos: none })
    const id = light?.url.slice(7, 15)
    const entries = await office.listEntries('company.brand_changed')
    expect(entries.map(({ note }) => note)).toEqual([`logo_light: not set → ${id}`, `logo_light: ${id} → not set`])
  })

  it('is rejected for an unknown company before the image is drawn', async () => {
    await using office = await openBrandedOffice()
    let drawn = 0
    using _watch = watchDrawing(() => void drawn++, 'draw-logo.ts')
    expect((await office.put('/v1/admin/company/absent/logo/light', drawSvg('red'))).json().code).toBe('company.not_found')
    expect((await office.call('DELETE', '/v1/admin/company/absent/logo/light', office.admin)).statusCode).toBe(404)
    expect(drawn).toBe(0)
  })
})

describe('P56: an uploaded logo', () => {
  it.each([
    ['a web page', '<script>alert(1)</script>'],
    ['an SVG with a file in it', '<svg viewBox="0 0 1 1"><image href="file:///etc/passwd"/></svg>'],
    ['an SVG with entities', '<!DOCTYPE svg [<!ENTITY a "b">]><svg viewBox="0 0 1 1"/>'],
    ['nothing', ''],
  ])('is rejected if it is %s, and nothing changes', async (_, text) => {
    await using office = await openBrandedOffice()
    const reply = await office.put('/v1/admin/settings/logo/light', Buffer.from(text))
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'logo.invalid'])
    expect((await office.data('GET', '/v1/admin/settings', office.admin)).logos).toEqual(none)
    expect(await office.deps.db.selectFrom('brand_image').selectAll().execute()).toEqual([])
    expect(await office.listEntries('settings.changed')).toEqual([])
  })

  it('is rejected before it is drawn if it is too large, with or without a Content-Length', async () => {
    await using office = await openBrandedOffice()
    const origin = await office.listen()
    let drawn = 0
    using _watch = watchDrawing(() => void drawn++, 'draw-logo.ts')
    const image = new Uint8Array(logoMaxBytes + 1)
    const streamed = new Blob([image]).stream()
    for (const body of [image, streamed]) {
      const headers = { ...office.admin, 'content-type': 'application/octet-stream' }
      const reply = await fetch(`${origin}/v1/admin/settings/logo/light`, {
        method: 'PUT',
        headers,
        body,
        duplex: 'half',
      } as RequestInit)
      expect([reply.status, ((await reply.json()) as { code: string }).code]).toEqual([413, 'logo.too_large'])
    }
    expect(drawn).toBe(0)
    const ofMaxSize = await office.put('/v1/admin/settings/logo/light', Buffer.from(image.subarray(1)))
    expect(ofMaxSize.json().code).toBe('logo.invalid')
    expect(drawn).toBe(1)
  })

  it('is rejected with another content type, or for an unknown theme', async () => {
    await using office = await openBrandedOffice()
    const path = '/v1/admin/settings/logo/light'
    for (const type of ['application/json', 'image/svg+xml', 'text/html', 'application/offset+octet-stream'])
      expect((await office.put(path, drawSvg('red'), office.admin, type)).statusCode).toBe(415)
    expect((await office.put('/v1/admin/settings/logo/blue', drawSvg('red'))).statusCode).toBe(400)
  })

  it('waits while another one is drawn; at most two of a user wait, and the rest get 429', async () => {
    await using office = await openBrandedOffice()
    let [running, most] = [0, 0]
    using _watch = watchDrawing((child) => {
      most = Math.max(most, ++running)
      child.once('close', () => running--)
    }, 'draw-logo.ts')
    const replies = await Promise.all(
      ['red', 'green', 'blue', 'white', 'black'].map((color) => office.put('/v1/admin/settings/logo/light', drawSvg(color))),
    )
    expect(most).toBe(1)
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 200, 200, 429, 429])
  })
})
