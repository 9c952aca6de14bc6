import { createContext, use, useSyncExternalStore } from 'react'
import type { Uploads } from './news.ts'
import type { Transfers } from './transfers.ts'

/** Whose uploads the tray shows. */
export const UploadsContext = createContext<Transfers | undefined>(undefined)

export function useTransfers(): Transfers {
  const transfers = use(UploadsContext)
  if (!transfers) throw new Error('There is no tray around this.')
  return transfers
}

export const useUploads = ({ subscribe, read }: Transfers): Uploads => useSyncExternalStore(subscribe, read)
