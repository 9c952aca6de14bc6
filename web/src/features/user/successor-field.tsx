import type { Args, api, Successor } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { ChoiceField } from '../../components/form/choice-field.tsx'
import { SearchField } from '../../components/table/filter-bar.tsx'
import { t } from '../../i18n/t.ts'
import { successorsQuery } from './user-queries.ts'

export type SuccessorFilter = Args<typeof api.user.successors>['body']

interface SuccessorFieldProps {
  /** The id of the user whose links are handed over. */
  user: string
  /** Which of their links are handed over, if not all: one, or those that they could not own with reduced access. */
  links?: SuccessorFilter | undefined
  name: string
  chosen: Successor | undefined
  error: string | undefined
  onChange: (successor: Successor) => void
}

const maxShown = 10

/** Chooses who takes over the links of a user, or some of them. The server searches people, because there can be very many. */
export function SuccessorField({ user, links = {}, name, chosen, error, onChange }: SuccessorFieldProps) {
  const [search, setSearch] = useState('')
  const found = useQuery(successorsQuery(user, links, search, maxShown))
  if (found.isError && !found.data) {
    return <ErrorState title={t('The users did not load.')} detail={found.error.message} onRetry={() => void found.refetch()} />
  }
  const people = found.data?.data ?? []
  const isFound = people.some(({ id }) => id === chosen?.id)
  const listed = chosen && !isFound ? [chosen, ...people] : people
  return (
    <>
      <ChoiceField
        label={t('Hand over to')}
        name={name}
        choices={listed.map((person) => ({
          value: person.id,
          label: person.name,
          hint: `${person.email} · ${person.company_name}`,
          disabledReason: getDisabledReason(person),
        }))}
        value={chosen?.id ?? ''}
        error={error}
        onChange={(id) => {
          const person = listed.find((other) => other.id === id)
          if (person) onChange(person)
        }}
      >
        <SearchField label={t('Search users')} maxLength={100} value={search} onSearch={setSearch} />
        {found.isPending && <Skeleton height={120} label={t('Loading')} />}
        {found.data && people.length === 0 && <p role="status">{t('No user matches “{search}”.', { search })}</p>}
      </ChoiceField>
      {found.data?.next && <p>{t('Search to find more people.')}</p>}
    </>
  )
}

/** Describes why someone can’t take over the links. Undefined if they can. */
function getDisabledReason({ reason, missing_company }: Successor): string | undefined {
  if (reason === null) return undefined
  if (reason === 'invited') return t('Hasn’t accepted the invitation yet.')
  if (reason === 'suspended') return t('Can’t sign in.')
  return missing_company === null
    ? t('Has no access to one of the companies.')
    : t('Has no access to {company}.', { company: missing_company })
}
