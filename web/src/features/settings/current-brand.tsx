import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { BrandContext, replaceOrganisation } from '../../lib/brand.ts'
import { type AllSettings, settingsQuery } from './settings-queries.ts'

/** Shows the name and logos from the settings as soon as an admin has changed them. Only uses settings that other components load. */
export function CurrentBrand({ children }: { children: ReactNode }) {
  const { data: brand } = useQuery({ ...settingsQuery(), enabled: false, select: toBrand })
  useEffect(() => {
    if (brand) replaceOrganisation(brand) // for pages without this component, such as the one after signing out
  }, [brand])
  return <BrandContext value={brand}>{children}</BrandContext>
}

const toBrand = ({ organisation: { values }, logos }: AllSettings) => ({ ...values, logos })
