import { type Language, languages, linkMessageMax } from '@neptune/contract'
import { type ComponentProps, useId } from 'react'
import { classNames } from '../../../components/class-names.ts'
import { Checkbox } from '../../../components/form/checkbox.tsx'
import { SelectField } from '../../../components/form/field.tsx'
import { TextArea } from '../../../components/form/text-area.tsx'
import { languageNames } from '../../../i18n/language.ts'
import { t } from '../../../i18n/t.ts'
import css from '../link-dialogs.module.css'

const c = classNames(css)

/** The options of an email with the details of a link. */
export interface EmailDraft {
  includeCode: boolean
  /** Empty for the language of the organisation. */
  language: Language | ''
  message: string
}

export const emptyEmail: EmailDraft = { includeCode: true, language: '', message: '' }

/** Returns the options for the request, without empty ones. Tabs become spaces, because the server accepts no control characters. */
export function toEmailOptions({ includeCode, language, message }: EmailDraft) {
  const text = message.replaceAll('\t', ' ').trim()
  return { includeCode, ...(language && { language }), ...(text && { message: text }) }
}

/** Chooses whether the email contains the access code, and explains the consequences. */
export function IncludeCodeField(checkbox: Omit<ComponentProps<typeof Checkbox>, 'label'>) {
  const hintId = useId()
  return (
    <div>
      <Checkbox label={t('Include the access code')} aria-describedby={hintId} {...checkbox} />
      <p id={hintId} className={c('hint')}>
        {checkbox.checked
          ? t('Anyone who reads the email can open the link.')
          : t('The email contains only the link. Give the recipient the access code by phone.')}
      </p>
    </div>
  )
}

/** The name of a language, or of the default one. */
export const getEmailLanguageName = (language: EmailDraft['language']): string =>
  language === '' ? t('Language of the organisation') : languageNames[language]

export const EmailLanguageField = (field: Omit<ComponentProps<typeof SelectField>, 'label' | 'hint' | 'options'>) => (
  <SelectField
    label={t('Language of the email')}
    hint={t('Someone who has an account here gets it in their own language.')}
    options={(['', ...languages] as const).map((value) => ({ value, label: getEmailLanguageName(value) }))}
    {...field}
  />
)

export const MessageField = (field: Omit<ComponentProps<typeof TextArea>, 'label' | 'hint' | 'maxLength'>) => (
  <TextArea
    label={t('Personal message')}
    hint={t('Optional, up to {n} characters.', { n: linkMessageMax })}
    rows={4}
    maxLength={linkMessageMax}
    {...field}
  />
)
