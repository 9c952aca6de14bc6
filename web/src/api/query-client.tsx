import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiError } from './api-error.ts'

/**
 * Server state for what is inside. It is forgotten with the component, so nothing one person loaded is left for the next,
 * and the sign-in screen, which has none, does not load the library.
 */
export function Queries({ children }: { children: ReactNode }) {
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { retry } } }))
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

/** A refusal stays a refusal; only what may pass by itself is asked again. */
const retry = (failures: number, error: Error) => failures < 2 && !(error instanceof ApiError && isRefusal(error))

const isRefusal = ({ status, code }: ApiError) => status >= 400 && status < 500 && code !== 'server.busy'
