import { createHash } from 'node:crypto'
import { deriveAccent } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../db/testing.ts'
import { withoutRequestId } from '../../testing.ts'
import { readBrand, readPageBrand } from './brand.service.ts'
import { drawSvg, openBrandedOffice } from './testing.ts'

const none = { light: null, dark: null }
const noBrand = { name: null, logos: none, welcome: null, imprint_url: null, privacy_url: null, language: 'en' }

describe('the page', () => {
  it('has no brand until something is set, and none after it is removed', async () => {
    await using office = await openBrandedOffice()
    expect(await readPageBrand(office.deps)).toBeUndefined()
    await office.change('organisation', { name: 'Keller & Partner', welcome: 'Welcome.', imprint_url: 'https://keller.example/' })
    const page = await readPageBrand(office.deps)
    expect(page).toEqual({
      title: 'Keller & Partner',
      data: { ...noBrand, name: 'Keller & Partner', welcome: 'Welcome.', imprint_url: 'https://keller.example/' },
    })
    await office.change('organisation', { name: null, welcome: null, imprint_url: null })
    expect(await readPageBrand(office.deps)).toBeUndefined()
  })

  it('has the icon of the logo for light pages, or else of the one for dark pages', async () => {
    await using office = await openBrandedOffice()
    const { dark } = await office.setLogo(office.ofOrganisation, drawSvg('white'), 'dark')
    const first = await readPageBrand(office.deps)
    expect(first?.data.logos).toEqual({ light: null, dark })
    await office.setLogo(office.ofOrganisation, drawSvg('red'))
    const second = await readPageBrand(office.deps)
    expect(second?.icon).not.toBe(first?.icon)
    for (const icon of [first?.icon, second?.icon])
      expect((await office.call('GET', icon ?? '')).headers['content-type']).toBe('image/png')
    await office.call('DELETE', '/v1/admin/settings/logo/light', office.admin)
    expect((await readPageBrand(office.deps))?.icon).toBe(first?.icon)
  })

  it('keeps the same brand object until something changes, and while the database is unavailable', async () => {
    await using office = await openBrandedOffice()
    const deps = { ...office.deps, config: { ...office.deps.config, settingsMaxAgeMs: 0 } }
    await office.change('organisation', { name: 'Acme' })
    const page = await readPageBrand(deps)
    expect(page?.title).toBe('Acme')
    expect(await readPageBrand(deps)).toBe(page)
    const closed = await openTestDatabase()
    await closed.destroy()
    const broken = { ...deps, db: closed }
    expect(await readPageBrand(broken)).toBe(page)
    await office.change('organisation', { name: 'Globex' })
    expect((await readPageBrand(deps))?.title).toBe('Globex')
  })
})

describe('the accent colour', () => {
  it('is a stylesheet with the shades of both themes, which can be cached forever', async () => {
    await using office = await openBrandedOffice()
    await office.change('appearance', { accent: '#aa3377' })
    const { stylesheet = '' } = (await readPageBrand(office.deps)) ?? {}
    const reply = await office.call('GET', stylesheet)
    expect(reply.headers).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
    const { light, dark } = deriveAccent('#aa3377')
    expect(reply.body).toBe(
      `:root{--accent:light-dark(${light.text},${dark.text});--accent-hover:light-dark(${light.textHover},${dark.textHover});` +
        `--accent-fill:light-dark(${light.fill},${dark.fill});--accent-fill-hover:light-dark(${light.fillHover},${dark.fillHover});` +
        `--on-accent:light-dark(${light.onFill},${dark.onFill});--accent-tint:light-dark(${light.tint},${dark.tint});` +
        `--focus:light-dark(${light.text},${dark.text})}`,
    )
    expect((await office.call('GET', stylesheet, { 'if-none-match': String(reply.headers['etag']) })).statusCode).toBe(304)
  })

  it('P56: can’t contain CSS, neither as a setting nor in the path of its stylesheet', async () => {
    await using office = await openBrandedOffice()
    await office.change('appearance', { accent: '#aa3377' })
    const { version } = (await office.data('GET', '/v1/admin/settings', office.admin)).appearance
    for (const accent of [
      'red',
      '#aa3377;}',
      '#aa3377}body{display:none',
      'url(//example.com)',
      '#aa337',
      '#zz3377',
      '#ffffff',
      '#aa3377\n',
    ])
      expect(
        (await office.call('PATCH', '/v1/admin/settings/appearance', office.admin, { version, values: { accent } })).statusCode,
      ).toBe(400)
    const { stylesheet = '' } = (await readPageBrand(office.deps)) ?? {}
    const paths = ['aa3377-00000000', 'ffffff-00000000', 'aa3377', 'aa3377}-00000000', '%0aaa3377', 'AA3377-00000000', '..%2fapp']
    for (const path of [...paths.map((name) => `/brand/${name}.css`), stylesheet.replace('aa3377', 'aa3378'), `${stylesheet}%00`])
      expect((await office.call('GET', path)).statusCode).toBe(404)
  })
})

describe('the brand of a company', () => {
  it('replaces the organisation’s for recipients and in emails; its own name never appears with the organisation’s logo', async () => {
    await using office = await openBrandedOffice()
    const { deps, acme } = office
    await office.change('organisation', { name: 'Keller' })
    const { light: kellerLogo } = await office.setLogo(office.ofOrganisation, drawSvg('red'))
    const visitor = await office.enter(await office.share())
    const readAccess = async () => (await office.data('GET', '/v1/access', visitor)).brand
    const keller = { ...noBrand, name: 'Keller', logos: { light: kellerLogo, dark: null } }
    expect(await readAccess()).toBeNull()
    expect(await readBrand(deps, acme)).toEqual(keller)

    const { light: acmeLogo } = await office.setLogo(office.ofAcme, drawSvg('blue'))
    expect(await readAccess()).toEqual({ name: 'Keller', logos: { light: acmeLogo, dark: null } })
    await office.call('PATCH', office.ofAcme, office.admin, { brand_name: ' Acme Legal ' })
    expect(await readAccess()).toEqual({ name: 'Acme Legal', logos: { light: acmeLogo, dark: null } })
    expect(await readBrand(deps, acme)).toEqual({ ...keller, name: 'Acme Legal', logos: { light: acmeLogo, dark: null } })
    await office.call('DELETE', `${office.ofAcme}/logo/light`, office.admin)
    expect(await readAccess()).toEqual({ name: 'Acme Legal', logos: none })

    expect(await readBrand(deps)).toEqual(keller)
    expect(await readBrand(deps, office.globex)).toEqual(keller)
    await office.call('PATCH', office.ofAcme, office.admin, { brand_name: null })
    expect(await readAccess()).toBeNull()
    expect(
      (await office.listEntries('company.brand_changed')).map(({ note }) => note).filter((note) => note.startsWith('name')),
    ).toEqual(['name: not set → Acme Legal', 'name: Acme Legal → not set'])
  })

  it('P56: is not visible before the code, nor to staff without access to the company', async () => {
    await using office = await openBrandedOffice()
    const link = await office.share()
    const readAsStranger = async () =>
      Promise.all(
        [
          office.call('GET', `/v1/link/${link.key}/info`),
          office.verify(link.key, 'wrong code'),
          office.verify('absent', 'wrong code'),
          office.call('GET', '/v1/access'),
          office.call('GET', `/v1/company/${office.acme}`, office.eve),
          office.call('GET', '/v1/company', office.eve),
          office.call('GET', '/v1/admin/settings', office.kim),
        ].map(async (reply) => withoutRequestId(await reply)),
      )
    const before = await readAsStranger()
    const { light } = await office.setLogo(office.ofAcme, drawSvg('blue'))
    await office.call('PATCH', office.ofAcme, office.admin, { brand_name: 'Acme Legal' })
    expect(await readAsStranger()).toEqual(before)
    expect(await readPageBrand(office.deps)).toBeUndefined()
    expect(before.join()).not.toContain('brand')
    const eve = [
      await office.call('PATCH', office.ofAcme, office.eve, { brand_name: 'x' }),
      await office.put(`${office.ofAcme}/logo/light`, drawSvg('red'), office.eve),
      await office.call('DELETE', `${office.ofAcme}/logo/light`, office.eve),
    ]
    expect(eve.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403])
    expect((await office.data('GET', `/v1/company/${office.acme}`, office.kim)).brand.logos.light).toEqual(light)
  })

  it('P56: has a name on one line, which can’t inject headers or HTML', async () => {
    await using office = await openBrandedOffice()
    const rename = (brand_name: unknown) => office.call('PATCH', office.ofAcme, office.admin, { brand_name })
    for (const name of [
      'Acme\r\nBcc: eve@evil.example',
      'a\nb',
      'a\u0000b',
      'a\u2028b',
      'a\u202eb',
      '   ',
      'x'.repeat(121),
      {},
      ['a'],
    ])
      expect((await rename(name)).statusCode, JSON.stringify(name)).toBe(400)
    const name = `"Acme", <b>Law</b> <eve@evil.example> \\r\\nBcc: x </script>`
    expect((await rename(name)).statusCode).toBe(200)
    const link = await office.share()
    expect((await office.data('GET', '/v1/access', await office.enter(link))).brand.name).toBe(name)
    await office.call('POST', '/v1/link/email', office.kim, { key: link.key, targetEmail: 'rob@client.example' })
    await office.deliver()
    const email = office.sentEmails.at(-1)
    expect(email?.from).toEqual({ name, address: expect.stringMatching(/^neptune@/) })
    expect(email?.html).not.toMatch(/<b>|<\/script>/)
    expect(email?.html).toContain('&#60;b&#62;Law')
  })

  it('P56: has a logo whose URL can’t be computed from its bytes', async () => {
    await using office = await openBrandedOffice()
    const { light } = await office.setLogo(office.ofAcme, drawSvg('blue'))
    const { rawPayload } = await office.call('GET', light?.url ?? '')
    const hashes = ['sha256', 'sha1', 'md5'].flatMap((name) => {
      const digest = createHash(name).update(rawPayload)
      return [digest.copy().digest('hex'), digest.copy().digest('base64url'), digest.digest('base64url').slice(0, 22)]
    })
    const id = light?.url.slice('/brand/'.length, -'.png'.length) ?? ''
    const guesses = [...hashes, id.toLowerCase(), `${id}x`, id.slice(0, -1), `${id}%00`, '%', '_'.repeat(22), "' or 1=1 --"]
    for (const guess of guesses.filter((name) => name !== id))
      expect((await office.call('GET', `/brand/${encodeURIComponent(guess)}.png`)).statusCode).toBe(404)
  })
})
