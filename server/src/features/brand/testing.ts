import type { Logos } from '@neptune/contract'
import { openOffice } from '../link/testing.ts'

type Headers = Record<string, string>

/** An SVG of 30 × 10 units in one colour. */
export const drawSvg = (color: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10"><rect width="30" height="10" fill="${color}"/></svg>`)

/** Starts an office with helpers that change the brand as an admin. */
export async function openBrandedOffice() {
  const office = await openOffice()
  const [acme, globex] = [await office.companyOf(office.kim), await office.companyOf(office.eve)]
  const put = (path: string, image: Buffer, who: Headers = office.admin, type = 'application/octet-stream') =>
    office.app.inject({ method: 'PUT', url: path, headers: { ...who, 'content-type': type }, payload: image })
  const setLogo = async (owner: string, image: Buffer, theme = 'light'): Promise<Logos> =>
    (await put(`${owner}/logo/${theme}`, image)).json().data
  /** Changes a section of the settings. */
  const change = async (section: string, values: object) => {
    const { version } = (await office.data('GET', '/v1/admin/settings', office.admin))[section]
    const reply = await office.call('PATCH', `/v1/admin/settings/${section}`, office.admin, { version, values })
    if (reply.statusCode !== 200) throw new Error(reply.body)
  }
  /** Lists the audit entries of an action, oldest first. */
  const listEntries = async (action: string): Promise<{ name: string; note: string; company: string | null }[]> =>
    (await office.data('GET', `/v1/activity?action=${action}`, office.admin)).toReversed()
  return {
    ...office,
    acme,
    globex,
    put,
    setLogo,
    change,
    listEntries,
    ofOrganisation: '/v1/admin/settings',
    ofAcme: `/v1/admin/company/${acme}`,
  }
}
