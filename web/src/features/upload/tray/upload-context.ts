import { createContext, use, useSyncExternalStore } from 'react'
import type { Transfers } from '../upload-manager.ts'
import type { Uploads } from '../upload-store.ts'

/** The uploads that the tray shows. */
export const UploadsContext = createContext<Transfers | undefined>(undefined)

export function useTransfers(): Transfers {
  const transfers = use(UploadsContext)
  if (!transfers) throw new Error('useTransfers must be used inside a Tray.')
  return transfers
}

export const useUploads = ({ subscribe, read }: Transfers): Uploads => useSyncExternalStore(subscribe, read)
