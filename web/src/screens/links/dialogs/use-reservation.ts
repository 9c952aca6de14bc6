import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../api/api-error.ts'
import { type Reservation, type ReservationPurpose, reservationQuery } from '../../../features/link/link-queries.ts'

/** One minute less than the server keeps a reservation, so that it does not expire while a request is under way. */
const reservationTtlMs = 59 * 60_000

/** Thrown when a reservation has expired. Nothing was changed; the dialog shows a new one for the user to check and confirm. */
export class ReservationRenewedError extends Error {}

/** Reserves a key and an access code while a dialog is open. */
export function useReservation(purpose: ReservationPurpose) {
  const client = useQueryClient()
  const query = reservationQuery(purpose)
  const { data, dataUpdatedAt, isFetching, error, refetch } = useQuery(query)
  const current = isFetching ? undefined : data
  const renew = async (): Promise<never> => {
    await client.fetchQuery({ ...query, staleTime: 0 })
    throw new ReservationRenewedError()
  }
  return {
    key: current?.key ?? '',
    accessCode: current?.accessCode ?? '',
    isFetching,
    error: isFetching ? undefined : error?.message,
    retry: () => void refetch(),
    /** Calls `send` with the reserved key and access code. Throws `ReservationRenewedError` if the reservation has expired. */
    submit: async <Result>(send: (reservation: Reservation) => Promise<Result>): Promise<Result> => {
      if (data && Date.now() - dataUpdatedAt > reservationTtlMs) return renew()
      const reservation = await client.fetchQuery(query)
      return send(reservation).catch((failure: unknown) => (isNotReserved(failure) ? renew() : Promise.reject(failure)))
    },
  }
}

const isNotReserved = (failure: unknown) => failure instanceof ApiError && failure.code === 'link.not_reserved'
