import { useSyncExternalStore } from 'react'

const phone = matchMedia('(max-width: 767px)')

/** Returns whether the window is as narrow as a phone. Renders again when this changes. */
export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, () => phone.matches)

function subscribe(listener: () => void): () => void {
  phone.addEventListener('change', listener)
  return () => phone.removeEventListener('change', listener)
}
