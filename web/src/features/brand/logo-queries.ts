import { api, type Logo, type Logos } from '@neptune/contract'
import { ApiError } from '../../api/api-error.ts'
import { call, toApiUrl } from '../../api/client.ts'
import type { LogoImages } from '../../components/logo-sample.tsx'

/** The owner of a logo: the organisation, or a company. */
type LogoOwner = 'organisation' | { company: string }

/** A logo in a form: the stored one, a file to replace it with, or none. */
export type LogoDraft = Logo | File | null

export interface LogosDraft {
  light: LogoDraft
  dark: LogoDraft
}

/** Returns the URLs of stored logos. */
export const toImages = ({ light, dark }: Logos): LogoImages => ({
  light: light ? toApiUrl(light.url) : undefined,
  dark: dark ? toApiUrl(dark.url) : undefined,
})

const themes = ['light', 'dark'] as const

/** Saves the logos that differ from the stored ones. If an image is rejected, the error names its theme as the field. */
export async function saveLogos(owner: LogoOwner, stored: Logos, draft: LogosDraft): Promise<void> {
  for (const theme of themes) {
    const logo = draft[theme]
    try {
      if (logo instanceof File) await setLogo(owner, theme, logo)
      else if (logo === null && stored[theme]) await removeLogo(owner, theme)
    } catch (error) {
      throw toFieldError(error, theme)
    }
  }
}

const setLogo = (owner: LogoOwner, theme: keyof LogosDraft, file: File) =>
  owner === 'organisation'
    ? call(api.brand.setLogo, { params: { theme } }, { file })
    : call(api.brand.setCompanyLogo, { params: { id: owner.company, theme } }, { file })

const removeLogo = (owner: LogoOwner, theme: keyof LogosDraft) =>
  owner === 'organisation'
    ? call(api.brand.removeLogo, { params: { theme } })
    : call(api.brand.removeCompanyLogo, { params: { id: owner.company, theme } })

/** Assigns the error of a rejected image to its field. Any other failure belongs to the whole form. */
function toFieldError(error: unknown, field: string): unknown {
  if (!(error instanceof ApiError) || !error.code.startsWith('logo.')) return error
  return new ApiError(error.code, error.message, { status: error.status, errors: [{ field, message: error.message }] })
}
