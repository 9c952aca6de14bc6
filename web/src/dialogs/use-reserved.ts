import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { type Purpose, reservationQuery } from '../features/link/link-queries.ts'

/** The server keeps a reservation for an hour. A minute less, so that it does not end on the way. */
const keptFor = 59 * 60_000

/** A key and a code that are reserved while a dialog is open. Those that are too old are replaced, and the person is told. */
export function useReserved(purpose: Purpose) {
  const { data, dataUpdatedAt, isFetching, error, refetch } = useQuery(reservationQuery(purpose))
  const [isRenewed, setRenewed] = useState(false)
  const shown = isFetching ? undefined : data
  const renew = () => {
    setRenewed(true)
    void refetch()
  }
  return {
    key: shown?.key ?? '',
    accessCode: shown?.accessCode ?? '',
    isFetching,
    error: isFetching ? undefined : error?.message,
    again: () => void refetch(),
    /** Others than the person saw before are shown now. */
    isRenewed,
    /** What to confirm with; nothing where there is none, or another one has to be looked at first. */
    take: async () => {
      setRenewed(false)
      if (data && Date.now() - dataUpdatedAt > keptFor) return void renew()
      return data && !isFetching ? data : (await refetch({ cancelRefetch: false })).data
    },
    renewAfter: (failure: unknown) => {
      if (isNotReserved(failure)) renew()
    },
  }
}

export const isNotReserved = (failure: unknown) => failure instanceof ApiError && failure.code === 'link.not_reserved'
