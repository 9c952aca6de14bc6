import { type Args, api } from '@neptune/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { useAction } from '../../components/form/use-action.ts'

/** Loads the email address of the user whose second factors will be removed. Fetched once: if the link expires, answering reports that. */
export const factorResetQuery = (token: string) =>
  queryOptions({
    queryKey: ['factor-reset', token],
    queryFn: ({ signal }) => call(api.factor.checkReset, { body: { token } }, { signal }),
    staleTime: Infinity,
  })

export const useAnswerFactorReset = () =>
  useAction((body: Args<typeof api.factor.answerReset>['body']) => call(api.factor.answerReset, { body }))
