import { api, type FirstStep } from '@neptune/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import type { Text } from '../../i18n/t.ts'
import { paths } from '../../paths.ts'

/** The steps of the guide, in order. */
export const setUpSteps = ['organisation', 'logo', 'email', 'company', 'link'] as const satisfies FirstStep['step'][]
export type SetUpStep = (typeof setUpSteps)[number]

export const setUpTexts = {
  organisation: ['Name your organisation', 'Your colleagues and recipients see this name in the portal and in emails.'],
  logo: ['Add your logo and colour', 'Recipients recognise your organisation immediately.'],
  email: ['Check that emails arrive', 'Neptune sends links, invitations and notices by email.'],
  company: ['Add your first client', 'Each client is a company, with its own directories and links.'],
  link: ['Share your first link', 'Recipients need only the link and its access code. No account is required.'],
} as const satisfies Record<SetUpStep, [title: Text, hint: Text]>

export const getStepPath = (step: SetUpStep) => `${paths.welcome}?step=${step}`

/** Returns whether the list of first steps is the guide for admins of a new installation. */
export const isSetUpList = (steps: readonly FirstStep[]) => steps.some(({ step }) => step === 'organisation')

/**
 * Loads whether the installation is new, and the steps of the guide. The query key starts with `stats`, so it is refetched with the totals.
 */
export const setUpQuery = () =>
  queryOptions({
    queryKey: ['stats', 'set-up'],
    queryFn: ({ signal }) => call(api.stats.setUp, {}, { signal }).then(({ data }) => data),
  })

/** Returns whether the installation is new and a step of the guide is still to do. False until it is known. */
export function useIsSetUpOpen(isAdmin: boolean): boolean {
  const { data } = useQuery({ ...setUpQuery(), enabled: isAdmin, retry: false })
  return data?.is_new === true && data.steps.some(({ done }) => !done)
}
