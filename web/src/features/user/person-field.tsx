import type { UserRow } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { SelectField } from '../../components/form/field.tsx'
import { t } from '../../i18n/t.ts'
import { allUsersQuery, toUserOptions } from './user-queries.ts'

interface PersonFieldProps extends Omit<ComponentProps<typeof SelectField>, 'options' | 'placeholder'> {
  placeholder: string
  /** Returns whether someone can be chosen. Those who can’t sign in never can. */
  isOffered: (person: UserRow) => boolean
}

/** Selects someone who can sign in. */
export function PersonField({ placeholder, isOffered, error, ...select }: PersonFieldProps) {
  const people = useQuery(allUsersQuery())
  const offered = people.data?.filter((person) => person.suspended_at === null && isOffered(person))
  return (
    <SelectField
      placeholder={people.isPending ? t('Loading people') : placeholder}
      options={toUserOptions(offered)}
      {...select}
      error={error ?? (people.isError && !people.data ? people.error.message : undefined)}
    />
  )
}
