import { createContext, use, useSyncExternalStore } from 'react'
import type { UploadSnapshot } from '../state/upload-store.ts'
import type { UploadManager } from '../upload-manager.ts'

/** The uploads that the tray shows. */
export const UploadsContext = createContext<UploadManager | undefined>(undefined)

export function useUploads(): UploadManager {
  const uploads = use(UploadsContext)
  if (!uploads) throw new Error('useUploads must be used inside a Tray.')
  return uploads
}

export const useUploadSnapshot = ({ subscribe, read }: UploadManager): UploadSnapshot => useSyncExternalStore(subscribe, read)
