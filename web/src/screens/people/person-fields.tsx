import { emailMax } from '@neptune/contract'
import type { ComponentProps } from 'react'
import { TextField } from '../../components/form/field.tsx'
import { t } from '../../i18n/t.ts'

interface PersonFieldsProps {
  field: (name: 'name' | 'email') => Pick<ComponentProps<typeof TextField>, 'name' | 'value' | 'error' | 'onChange'>
}

/** A person's name and email address. */
export const PersonFields = ({ field }: PersonFieldsProps) => (
  <>
    <TextField label={t('Name')} required autoComplete="off" maxLength={120} {...field('name')} />
    <TextField
      label={t('E-mail address')}
      type="email"
      required
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={emailMax}
      {...field('email')}
    />
  </>
)
