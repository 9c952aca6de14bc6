import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiError } from './api-error.ts'

/**
 * Provides server state. Its cache is discarded when the component unmounts, so that no data is left for the next user. The
 * sign-in page has no server state and does not load the library.
 */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { retry } } }))
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

/** Retries temporary failures, but no 4xx responses. */
const retry = (failures: number, error: Error) => failures < 2 && !(error instanceof ApiError && isClientError(error))

const isClientError = ({ status, code }: ApiError) => status >= 400 && status < 500 && code !== 'server.busy'
