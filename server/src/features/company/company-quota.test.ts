import { describe, expect, it } from 'vitest'
import { openOffice } from '../link/testing.ts'

describe('the quota of a company', () => {
  const used = 'first.txtsecond.txthidden.txt'.length
  const openLimited = async (quota: number | null, environment: Record<string, string> = {}) => {
    const office = await openOffice(environment)
    const id = await office.companyOf(office.kim)
    await office.call('PATCH', `/v1/admin/company/${id}`, office.admin, { quota })
    const put = async (size: number, who = office.kim, directory = office.plans) => {
      const reply = await office.put(directory, 'new.bin', who, 'x'.repeat(size))
      return reply.statusCode === 200 ? 200 : reply.json().code
    }
    return { ...office, upload: put }
  }

  it('limits its own uploads, but not those of other companies', async () => {
    await using office = await openLimited(used + 100)
    expect(await office.upload(101)).toBe('company.full')
    expect(await office.upload(101, office.eve, office.foreign)).toBe(200)
    expect(await office.upload(100)).toBe(200)
    expect(await office.upload(1)).toBe('company.full')
  })

  it('overrides a lower default until it is removed', async () => {
    await using office = await openLimited(used + 1000, { COMPANY_QUOTA_BYTES: String(used + 10) })
    expect(await office.upload(500)).toBe(200)
    const id = await office.companyOf(office.kim)
    await office.call('PATCH', `/v1/admin/company/${id}`, office.admin, { quota: null })
    expect(await office.upload(1)).toBe('company.full')
  })

  it('limits resumable uploads when they are created and as their bytes arrive', async () => {
    await using office = await openLimited(used + 100)
    const tus = { ...office.kim, 'tus-resumable': '1.0.0' }
    const begin = (size: number) => {
      const metadata = `filename ${btoa('b.bin')},directory ${btoa(office.plans)}`
      return office.call('POST', '/v1/upload', { ...tus, 'upload-length': String(size), 'upload-metadata': metadata })
    }
    const [first, second] = [await begin(80), await begin(80)]
    const send = (reply: typeof first) =>
      office.app.inject({
        method: 'PATCH',
        url: String(reply?.headers['location']),
        headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
        payload: 'x'.repeat(80),
      })
    expect((await send(first)).statusCode).toBe(204)
    expect((await send(second)).json().code).toBe('company.full')
    expect((await begin(101)).json().code).toBe('company.full')
  })

  it('is on the dashboard', async () => {
    await using office = await openLimited(5000, { COMPANY_QUOTA_BYTES: '1000' })
    const { storage } = await office.data('GET', '/v1/dashboard', office.admin)
    expect(storage.quota).toBe(1000)
    expect(storage.companies.map(({ quota }: { quota: number }) => quota)).toEqual([5000, 1000, 1000])
  })
})
