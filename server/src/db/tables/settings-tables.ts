import type { SectionName } from '@neptune/contract'

/** The tables with the settings of the organisation. */
export interface SettingsTables {
  /** What admins have set in one section: see features/settings. */
  setting: {
    section: SectionName | 'logos'
    /** JSON with only the values that were set. In `logos`, ids of brand images: see features/brand. */
    value: string
    /** Incremented with every change. */
    version: number
    changed_at: string
  }
  /** A logo: a PNG that Neptune has encoded. Never changed, so that browsers can cache it forever. */
  brand_image: {
    /** A keyed hash of the bytes. */
    id: string
    /** In base64, because backups contain rows as JSON. */
    bytes: string
    width: number
    height: number
    created_at: string
    /** When the last reference to it was removed. It is deleted later, because pages and emails may still show it. */
    unused_at: string | null
  }
}
