import type { Successor } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { ChoiceField } from '../../components/form/choice-field.tsx'
import { SearchField } from '../../components/table/filter-bar.tsx'
import { t } from '../../i18n/t.ts'
import { successorsQuery } from './user-queries.ts'

interface SuccessorFieldProps {
  /** The id of the user whose links are handed over. */
  user: string
  /** The key of the link to hand over, if not all. */
  link?: string | undefined
  name: string
  chosen: Successor | undefined
  error: string | undefined
  onChange: (successor: Successor) => void
}

const maxShown = 10

/** Chooses who takes over the links of a user, or one of them. The server searches people, because there can be very many. */
export function SuccessorField({ user, link, name, chosen, error, onChange }: SuccessorFieldProps) {
  const [search, setSearch] = useState('')
  const found = useQuery(successorsQuery(user, { search, link }, maxShown))
  if (found.isError && !found.data) {
    return <ErrorState title={t('The users did not load.')} detail={found.error.message} onRetry={() => void found.refetch()} />
  }
  const people = found.data?.data ?? []
  const isFound = people.some(({ id }) => id === chosen?.id)
  const listed = chosen && !isFound ? [chosen, ...people] : people
  return (
    <>
      <SearchField label={t('Search users')} maxLength={100} value={search} onSearch={setSearch} />
      {found.isPending && <Skeleton height={120} label={t('Loading')} />}
      {found.data && people.length === 0 && <p role="status">{t('No user matches “{search}”.', { search })}</p>}
      {(listed.length > 0 || error) && (
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
        />
      )}
      {found.data?.next && <p>{t('Search to find more people.')}</p>}
    </>
  )
}

/** Describes why someone can’t take over the links. Undefined if they can. */
function getDisabledReason({ reason, missing_company }: Successor): string | undefined {
  if (reason === null) return undefined
  if (reason === 'suspended') return t('Can’t sign in.')
  return missing_company === null
    ? t('Has no access to one of the companies.')
    : t('Has no access to {company}.', { company: missing_company })
}
